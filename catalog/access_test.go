package catalog

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

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/policy"
	"plyfit/work"
)

// Those who ask: the page, the page with --engines, the program at the other end of
// plyfit serve --stdio, and a job on a worker. What a cluster's worker asks with is what
// WithFiles gives it.
var askers = []struct {
	name            string
	of              func(Catalog) Catalog
	programs, files bool
}{
	{"page", func(c Catalog) Catalog { return c.For(Access{Limits: pageLimits}) }, false, false},
	{"page with --engines", func(c Catalog) Catalog { return c.For(Access{Programs: true, Limits: pageLimits}) }, true, false},
	{"stdio", func(c Catalog) Catalog { return c }, true, true},
	{"worker", func(c Catalog) Catalog { return c.WithFiles(&work.Job{}, work.Memory{}) }, false, false},
}

var pageLimits = Limits{Length: 2000, Agents: 8, Depth: 6, Megabytes: 8, Samples: 500, Threads: 1, Time: time.Second}

// baits are a program that leaves a mark when it is started, and a file that is no
// model, no strategy and no layout, and that nothing said of it may tell.
type baits struct{ program, mark, file string }

const secret = "hush-hush"

func layBaits(t *testing.T) baits {
	dir := t.TempDir()
	b := baits{filepath.Join(dir, "program"), filepath.Join(dir, "mark"), filepath.Join(dir, "file.lay")}
	for path, text := range map[string]string{b.program: "#!/bin/sh\n>" + b.mark + "\n", b.file: secret} {
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func (b baits) taken() bool {
	_, err := os.Stat(b.mark)
	os.Remove(b.mark)
	return err == nil
}

// nestings are the ways to put an agent into another spec of the world: every key of
// every kind that takes an agent, and those that are no keys.
func nestings(w *World) map[string]func(agent string) (spec, outer string) {
	ways := map[string]func(string) (string, string){
		"alone": func(a string) (string, string) { return w.Spec, a },
		"mix":   func(a string) (string, string) { return w.Spec, "mix(0.5*(" + a + "),0.5*random)" },
	}
	for _, k := range w.Kinds() {
		for _, key := range k.Keys {
			if key.Type == anAgent {
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

// asked reads a world and an agent as they are asked for, and has the agent search the
// first position in which a player decides: whatever is started or read has been by then.
func asked(c Catalog, spec, agent string) error {
	w, err := c.World(spec)
	if err != nil {
		return err
	}
	return w.asked(agent)
}

func (w *World) asked(agent string) error {
	a, err := w.Agent(agent, AgentOptions{})
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

// lawOfAccess walks every kind and key of a game's agents, alone and in every nesting,
// for an asker, and tells where more was done than the asker may, or refused otherwise
// than by a RefusedError. Every key is tried with the program and the file, whatever
// the table says that it is. In brief come those kinds alone that other games lack.
func lawOfAccess(t *testing.T, games Catalog, name string, b baits, brief bool) (broken []string) {
	w, err := games.World(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, asker := range askers {
		c := asker.of(games)
		usual, err := c.World(name)
		if err != nil {
			t.Fatal(err)
		}
		ask := func(spec, agent string) error {
			if spec == usual.Spec {
				return usual.asked(agent)
			}
			return asked(c, spec, agent)
		}
		for way, nest := range nestings(w) {
			if brief && way != "alone" && way != "mix" {
				continue
			}
			fault := func(agent, what string) {
				broken = append(broken, fmt.Sprintf("%s, %s, %s: %s: %s", asker.name, name, way, agent, what))
			}
			try := func(agent string, allowed bool) {
				spec, outer := nest(agent)
				err := ask(spec, outer)
				var refused *RefusedError
				switch isRefused := errors.As(err, &refused); {
				case err != nil && strings.Contains(err.Error(), secret):
					fault(agent, "tells what is in a file: "+err.Error())
				case !allowed && b.taken():
					fault(agent, "started a program")
				case !allowed && !isRefused:
					fault(agent, fmt.Sprintf("want a refusal, not %v", err))
				case allowed && isRefused:
					fault(agent, err.Error())
				}
				b.taken()
			}
			for _, k := range w.Kinds() {
				if strings.HasSuffix(k.Name, "(...)") || brief && !k.startsPrograms() && w.Entry.Agents[k.Name] == nil && k.Name != "planted" {
					continue // a nesting, or a kind of all games
				}
				for _, key := range k.Keys {
					said := k.Name + ":" + strings.Replace(key.Name, ".NAME", ".x", 1) + "="
					needs := ""
					if k.startsPrograms() && key.Type != aProgram {
						needs = ",cmd=(" + b.program + ")"
					}
					switch key.Type {
					case aProgram:
						if !asker.programs || way == "alone" {
							try(said+"("+b.program+")", asker.programs)
						}
					case aModel:
						if !asker.files {
							try(said+"("+b.file+")"+needs, false)
							try(said+"("+b.file+",bias=1)"+needs, false)
							try(said+"("+w.Name+"/../../../../../.."+b.file+")", false)
						}
					case aFile:
						if !asker.files {
							try(said+"("+b.file+")"+needs, false)
						}
					default:
						if k.startsPrograms() {
							break
						}
						for _, bait := range []string{b.program, b.file} { // no matter what is made of it
							spec, outer := nest(said + "(" + bait + ")")
							if err := ask(spec, outer); err != nil && strings.Contains(err.Error(), secret) {
								fault(said, "tells what is in a file: "+err.Error())
							}
							if b.taken() {
								fault(said+"("+bait+")", "started a program")
							}
						}
					}
					if over := beyond(&key); over != "" && strings.HasPrefix(asker.name, "page") && !k.startsPrograms() {
						try(said+over, false)
					}
				}
				if k.startsPrograms() && !asker.programs {
					try(k.Name, false)
				}
			}
		}
	}
	return broken
}

// beyond is a value of a key that lies beyond the page's limits; "": it has none.
func beyond(k *Key) string {
	switch k.Type {
	case aDepth:
		return "7"
	case aMemory:
		return "9"
	case aSample:
		return "501"
	case aThread:
		return "2"
	case aDuration:
		return "2s"
	}
	return ""
}

// TestLawOfAccess: nothing that a page, a program or a job names starts a program, reads
// a file or goes beyond the limits of who asks, in any kind, key and nesting.
func TestLawOfAccess(t *testing.T) {
	b := layBaits(t)
	for _, e := range All() {
		// Hidden cards, nature and what all games have: each of these in one game.
		whole := slices.Contains([]string{"kuhn", "pacman", "tictactoe"}, e.Name)
		for _, fault := range lawOfAccess(t, All(), e.Name, b, !whole) {
			t.Error(fault)
		}
	}
}

// TestLawOfAccessCatches: a kind that starts a program and calls its key a word, or one
// that reads a file on its own, is caught by the law.
func TestLawOfAccessCatches(t *testing.T) {
	b := layBaits(t)
	planted := Kind{Name: "planted", Keys: []Key{{"door", aWord, []string{"TEXT"}, "none", "a program, unsaid"}, {"book", aWord, []string{"TEXT"}, "none", "a file, unsaid"}},
		read: func(_ *World, text string, o *game.Options, _ AgentOptions) (*builder, error) {
			if path := o.String("door", ""); path != "" {
				_ = exec.Command(path).Run()
			}
			if path := o.String("book", ""); path != "" {
				data, _ := os.ReadFile(path)
				return nil, fmt.Errorf("%s: want a book, not %s", text, data)
			}
			return &builder{make: func() (search.Agent, error) { return policy.NewRandom(), nil }, traits: traits{identity: text, repeatable: true, agents: 1}}, nil
		}}
	own := kinds
	defer func() { kinds = own }()
	kinds = append(slices.Clone(kinds), planted)
	broken := strings.Join(lawOfAccess(t, All(), "tictactoe", b, true), "\n")
	for _, asker := range askers {
		for _, want := range []string{"planted:door=(" + b.program + "): started a program", "planted:book=: tells what is in a file"} {
			if !strings.Contains(broken, asker.name+", tictactoe, alone: "+want) {
				t.Errorf("not caught for the %s: %s, in\n%s", asker.name, want, broken)
			}
		}
	}
}

// TestOneReader: files and programs are reached in access.go, by models.Load, which
// modelFile asks for after MayRead, and by the engines' own reader alone.
func TestOneReader(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for call, at := range map[string]string{
			"os.Open": "", "os.ReadFile": "", "os.ReadDir": "", "exec.Command": "", "regular.": "access.go", "models.Load(": "model.go", "protocol.ReadCommand(": "engine.go",
		} {
			if strings.Contains(string(text), call) && file != at {
				t.Errorf("%s: %s: want it in %q alone", file, call, at)
			}
		}
	}
}

// TestLimitsOfWhatIsNotSaid: where a spec says nothing, its defaults stay within the
// limits, too.
func TestLimitsOfWhatIsNotSaid(t *testing.T) {
	w, err := All().For(Access{Limits: Limits{Depth: 1, Megabytes: 2, Samples: 50}}).World("connect4")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range w.Kinds() {
		for _, key := range k.Keys {
			if key.Name == "depth" && !k.startsPrograms() && key.Default != "1, unless there is another limit" {
				t.Errorf("%s: default depth %s", k.Name, key.Default)
			}
		}
	}
	a, err := w.Agent("mcts:time=1h", AgentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	agent, err := a.New()
	if err != nil {
		t.Fatal(err)
	}
	if r, err := agent.Search(t.Context(), w.New()); err != nil || r.Nodes > 1000 {
		t.Errorf("%d nodes, %v: want those of 50 simulations", r.Nodes, err)
	}
	text := "mix(" + strings.TrimSuffix(strings.Repeat("0.1*random,", 10), ",") + ")"
	c := All().For(Access{Limits: Limits{Agents: 8, Length: 300}})
	if err := asked(c, "connect4", text); err == nil || !strings.Contains(err.Error(), "at most 8 agents") {
		t.Errorf("eleven agents: %v", err)
	}
	for _, err := range []error{asked(c, "connect4", "alphabeta:eval="+strings.Repeat("9", 300)), asked(c, "pig:target="+strings.Repeat("9", 300), "random")} {
		if err == nil || !strings.Contains(err.Error(), "at most 300 bytes") {
			t.Errorf("a long spec: %v", err)
		}
	}
}
