package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/protocol/engines"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/policy"
	"plyfit/work"
)

// everything returns the catalog with the kinds of external programs, as used by the command.
func everything() catalog.Catalog { return catalog.All().WithKinds(engines.Kinds()...) }

// askers lists callers with different access: the page, the page with --engines, the program
// connected to plyfit serve --stdio, and a job on a worker. The access of a worker in a cluster is
// set by WithFiles.
var askers = []struct {
	name            string
	of              func(catalog.Catalog) catalog.Catalog
	programs, files bool
}{
	{"page", func(c catalog.Catalog) catalog.Catalog { return c.For(catalog.Access{Limits: pageLimits}) }, false, false},
	{"page with --engines", func(c catalog.Catalog) catalog.Catalog {
		return c.For(catalog.Access{Programs: true, Limits: pageLimits})
	}, true, false},
	{"assignment", func(c catalog.Catalog) catalog.Catalog { return c.For(catalog.Access{Files: true, Rules: true}) }, false, true},
	{"stdio", func(c catalog.Catalog) catalog.Catalog { return c }, true, true},
	{"worker", func(c catalog.Catalog) catalog.Catalog { return c.WithFiles(&work.Job{}, work.Memory{}) }, false, false},
}

var pageLimits = catalog.Limits{Length: 2000, Agents: 8, Depth: 6, Megabytes: 8, Samples: 500, Threads: 1, Time: time.Second}

// baits contains a program that creates a file when it is started, and a file that is not a model,
// strategy or layout. Error messages must not reveal the contents of the file.
type baits struct{ program, mark, file string }

const secret = "hush-hush"

func layBaits(t *testing.T) baits {
	dir := t.TempDir()
	b := baits{filepath.Join(dir, "program"), filepath.Join(dir, "mark"), filepath.Join(dir, "file.lay")}
	for path, text := range map[string]string{b.program: "#!/bin/sh\n>" + b.mark + "\n", b.file: secret} {
		vectors.Check(os.WriteFile(path, []byte(text), 0o755))
	}
	return b
}

func (b baits) started() bool {
	_, err := os.Stat(b.mark)
	os.Remove(b.mark)
	return err == nil
}

// nestings returns all ways of nesting an agent in another spec of the world: every key of every
// kind that accepts an agent, and the forms that are not keys.
func nestings(w *catalog.World) map[string]func(agent string) (spec, outer string) {
	ways := map[string]func(string) (string, string){
		"alone": func(a string) (string, string) { return w.Spec, a },
		"mix":   func(a string) (string, string) { return w.Spec, "mix(0.5*(" + a + "),0.5*random)" },
	}
	for _, k := range w.Kinds() {
		for _, key := range k.Keys {
			if key.Type == "agent" {
				ways[k.Name+":"+key.Name] = func(a string) (string, string) { return w.Spec, k.Name + ":" + key.Name + "=(" + a + ")" }
			}
		}
	}
	if w.Hidden {
		ways["cheat"] = func(a string) (string, string) { return w.Spec, "cheat(" + a + ")" }
	}
	if n := w.Entry.Nature; n != nil {
		ways["nature"] = func(a string) (string, string) { return w.Name + ":" + n.Key + "=(" + a + ")", "random" }
	}
	return ways
}

// asked parses a world and an agent and lets the agent search the first decision. By then, any
// program that the specs can start has been started, and any file that they can read has been read.
func asked(c catalog.Catalog, spec, agent string) error {
	w, err := c.World(spec)
	if err != nil {
		return err
	}
	return askedIn(w, agent)
}

func askedIn(w *catalog.World, agent string) error {
	a, err := w.Agent(agent, catalog.AgentOptions{})
	if err != nil {
		return err
	}
	made, err := a.New()
	if err != nil {
		return err
	}
	defer search.Close(made)
	s := w.New()
	for s.Turn() == game.Chance {
		s.Play(s.Moves(nil)[0])
	}
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer stop()
	_, err = made.Search(ctx, s)
	return err
}

// lawOfAccess tries every kind and key of a game's agents for all callers, alone and in every
// nesting. It returns descriptions of the violations of a caller's access and of the rejections
// that are not a RefusedError. Keys that should accept neither programs nor files are tried with
// both. If brief is set, only kinds that other games do not have are tried.
func lawOfAccess(t *testing.T, games catalog.Catalog, name string, b baits, brief bool) (broken []string) {
	w := vectors.Must(games.World(name))
	for _, asker := range askers {
		c := asker.of(games)
		usual := vectors.Must(c.World(name))
		ask := func(spec, agent string) error {
			if spec == usual.Spec {
				return askedIn(usual, agent)
			}
			return asked(c, spec, agent)
		}
		for way, nest := range nestings(w) {
			if brief && strings.Contains(way, ":") {
				continue // a key that accepts an agent
			}
			fault := func(agent, what string) {
				broken = append(broken, fmt.Sprintf("%s, %s, %s: %s: %s", asker.name, name, way, agent, what))
			}
			try := func(agent string, allowed bool) {
				spec, outer := nest(agent)
				err := ask(spec, outer)
				var refused *catalog.RefusedError
				switch isRefused := errors.As(err, &refused); {
				case err != nil && strings.Contains(err.Error(), secret):
					fault(agent, "tells what is in a file: "+err.Error())
				case !allowed && b.started():
					fault(agent, "started a program")
				case !allowed && !isRefused:
					fault(agent, fmt.Sprintf("want a refusal, not %v", err))
				case allowed && isRefused:
					fault(agent, err.Error())
				}
				b.started()
			}
			for _, k := range w.Kinds() {
				if strings.HasSuffix(k.Name, "(...)") || brief && !startsPrograms(&k) && w.Entry.Agents[k.Name] == nil && k.Name != "planted" {
					continue // a nesting, or a kind that all games have
				}
				for _, key := range k.Keys {
					said := k.Name + ":" + strings.Replace(key.Name, ".NAME", ".x", 1) + "="
					needs := ""
					if startsPrograms(&k) && key.Type != "program" {
						needs = ",cmd=(" + b.program + ")"
					}
					switch key.Type {
					case "program":
						if !asker.programs || way == "alone" {
							try(said+"("+b.program+")", asker.programs)
						}
					case "model":
						if !asker.files {
							try(said+"("+b.file+")"+needs, false)
							try(said+"("+b.file+",bias=1)"+needs, false)
							try(said+"("+w.Name+"/../../../../../.."+b.file+")", false)
						}
					case "strategy":
						if !asker.files {
							try(said+"("+b.file+")"+needs, false)
						}
					default:
						if startsPrograms(&k) {
							break
						}
						for _, bait := range []string{b.program, b.file} { // whatever the key means
							spec, outer := nest(said + "(" + bait + ")")
							if err := ask(spec, outer); err != nil && strings.Contains(err.Error(), secret) {
								fault(said, "tells what is in a file: "+err.Error())
							}
							if b.started() {
								fault(said+"("+bait+")", "started a program")
							}
						}
					}
					if over := beyond(&key); over != "" && strings.HasPrefix(asker.name, "page") && !startsPrograms(&k) {
						try(said+over, false)
					}
				}
				if startsPrograms(&k) && !asker.programs {
					try(k.Name, false)
				}
			}
		}
	}
	return broken
}

func startsPrograms(k *catalog.Kind) bool {
	return slices.ContainsFunc(k.Keys, func(key catalog.Key) bool { return key.Type == "program" })
}

// beyond returns a value that exceeds the page's limits for a key, or an empty string if the key
// has no limit.
func beyond(k *catalog.Key) string {
	switch k.Type {
	case "depth":
		return "7"
	case "megabytes":
		return "9"
	case "samples":
		return "501"
	case "threads":
		return "2"
	case "duration":
		return "2s"
	}
	return ""
}

// TestLawOfAccess checks, for all kinds, keys and nestings, that a spec starts a program or reads a
// file only if its author may, and that specs from a page do not exceed the page's limits.
func TestLawOfAccess(t *testing.T) {
	b := layBaits(t)
	for _, e := range everything() {
		// One game is sufficient for the kinds that all games have.
		for _, fault := range lawOfAccess(t, everything(), e.Name, b, e.Name != "tictactoe") {
			t.Error(fault)
		}
	}
}

// TestLawOfAccessCatches checks that lawOfAccess detects a kind that starts a program although its
// key is declared as a word, and a kind that reads a file without permission.
func TestLawOfAccessCatches(t *testing.T) {
	b := layBaits(t)
	planted := catalog.Kind{
		Name: "planted", Keys: []catalog.Key{{Name: "door", Type: "word", Doc: "a program, unsaid"}, {Name: "book", Type: "word", Doc: "a file, unsaid"}},
		Make: func(_ *catalog.World, o *game.Options) (func() (search.Agent, error), error) {
			if path := o.String("door", ""); path != "" {
				_ = exec.Command(path).Run()
			}
			if path := o.String("book", ""); path != "" {
				data, _ := os.ReadFile(path)
				return nil, fmt.Errorf("want a book, not %s", data)
			}
			return func() (search.Agent, error) { return policy.NewRandom(), nil }, nil
		}}
	broken := strings.Join(lawOfAccess(t, everything().WithKinds(planted), "tictactoe", b, true), "\n")
	for _, asker := range askers {
		for _, want := range []string{"planted:door=(" + b.program + "): started a program", "planted:book=: tells what is in a file"} {
			if !strings.Contains(broken, asker.name+", tictactoe, alone: "+want) {
				t.Errorf("not caught for the %s: %s, in\n%s", asker.name, want, broken)
			}
		}
	}
}

// TestRulesAccess checks who may start a program with the rules of a game.
func TestRulesAccess(t *testing.T) {
	check := func(name string, of func(catalog.Catalog) catalog.Catalog, may bool) {
		b := layBaits(t)
		_, err := of(everything()).World("rules:cmd=" + b.program)
		var refused *catalog.RefusedError
		if err == nil || errors.As(err, &refused) == may || b.started() != may {
			t.Errorf("%s: %v, want the program started: %v", name, err, may)
		}
	}
	for _, a := range askers {
		check(a.name, a.of, a.name == "stdio" || a.name == "assignment")
	}
	check("form with --engines", func(c catalog.Catalog) catalog.Catalog {
		return c.For(catalog.Access{Programs: true, Rules: true, Limits: pageLimits})
	}, true)
}

// TestMayRead checks that a page with access to a directory of models cannot read any other files.
func TestMayRead(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "models")
	for _, name := range []string{"models/in.json", "models/deep/in.json", "out.json", "models2/near.json"} {
		path := filepath.Join(dir, name)
		vectors.Check(errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("{}"), 0o644)))
	}
	if err := os.Symlink(filepath.Join(dir, "out.json"), filepath.Join(folder, "link.json")); err != nil {
		t.Skip(err) // the system has no links
	}
	w := vectors.Must(everything().For(catalog.Access{Folder: folder}).World("connect4"))
	for name, may := range map[string]bool{
		"models/in.json": true, "models/deep/in.json": true, "models/deep/../in.json": true,
		"out.json": false, "models/../out.json": false, "models/link.json": false, "models2/near.json": false, "models/none.json": false,
	} {
		if got := w.Entry.MayRead(dir + "/" + name); got != may {
			t.Errorf("%s: %v, want %v", name, got, may)
		}
	}
}

// TestOneReader checks that this package does not open files or start programs itself. It reads
// files with readFile (access.go) and with models.Load, which only resolve.go may call.
func TestOneReader(t *testing.T) {
	files := vectors.Must(filepath.Glob("*.go"))
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text := vectors.Must(os.ReadFile(file))
		for call, at := range map[string]string{
			"os.Open": "", "os.ReadFile": "", "os.ReadDir": "", "exec.Command": "", "regular.": "access.go", "models.Load(": "resolve.go", "plyfit/internal/protocol": "",
		} {
			if strings.Contains(string(text), call) && file != at {
				t.Errorf("%s: %s: want it in %q alone", file, call, at)
			}
		}
	}
}

// TestLimitsOfWhatIsNotSaid checks that the default depth and the default number of simulations are
// within the limits. It also checks the limits on the number of agents and the length of a spec.
func TestLimitsOfWhatIsNotSaid(t *testing.T) {
	w := vectors.Must(everything().For(catalog.Access{Limits: catalog.Limits{Depth: 1, Megabytes: 2, Samples: 50}}).World("connect4"))
	for _, k := range w.Kinds() {
		for _, key := range k.Keys {
			if key.Name == "depth" && !startsPrograms(&k) && key.Default != "1, unless there is another limit" {
				t.Errorf("%s: default depth %s", k.Name, key.Default)
			}
		}
	}
	a := vectors.Must(w.Agent("mcts:time=1h", catalog.AgentOptions{}))
	agent := vectors.Must(a.New())
	if r, err := agent.Search(t.Context(), w.New()); err != nil || r.Nodes > 1000 {
		t.Errorf("%d nodes, %v: want those of 50 simulations", r.Nodes, err)
	}
	text := "mix(" + strings.TrimSuffix(strings.Repeat("0.1*random,", 10), ",") + ")"
	c := everything().For(catalog.Access{Limits: catalog.Limits{Agents: 8, Length: 300}})
	if err := asked(c, "connect4", text); err == nil || !strings.Contains(err.Error(), "at most 8 agents") {
		t.Errorf("eleven agents: %v", err)
	}
	for _, err := range []error{asked(c, "connect4", "alphabeta:eval="+strings.Repeat("9", 300)), asked(c, "pig:target="+strings.Repeat("9", 300), "random")} {
		if err == nil || !strings.Contains(err.Error(), "at most 300 bytes") {
			t.Errorf("a long spec: %v", err)
		}
	}
}
