package catalog_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/work"
)

// TestUnpack checks that agents and worlds can be recreated in another process from their specs and
// files. Models are stored at unknown paths, so that no agent can find them by accident.
func TestUnpack(t *testing.T) {
	dir := t.TempDir()
	change := func(name, from, to string) string {
		text := vectors.Must(os.ReadFile("../models/handwritten/" + name + ".json"))
		changed := strings.Replace(string(text), from, to, 1)
		if changed == string(text) {
			t.Fatalf("%s has no %s", name, from)
		}
		path := filepath.Join(dir, name+".json")
		vectors.Check(os.WriteFile(path, []byte(changed), 0o666))
		return path
	}
	own := change("connect4", `"tempo", "weight": 0.05`, `"tempo", "weight": 0.07`)
	ghosts := change("pacman", `"bias": 320`, `"bias": 321`)
	for _, c := range []struct {
		world, agent string
		files        int
	}{
		{"connect4", "random", 0},
		{"connect4", "alphabeta:depth=3", 1},
		{"connect4", "alphabeta:depth=3,eval=zero", 0},
		{"connect4", "alphabeta:depth=3,eval=" + own, 1},
		{"connect4", "alphabeta:depth=3,eval=(" + own + ",tempo=0.1),ties=random", 1},
		{"connect4", "mix(0.25*(greedy:eval=" + own + "),0.75*random)", 1},
		{"connect4+slip=0.25", "expectimax:nodes=300,assume=(greedy:eval=" + own + ")", 2},
		{"2048", "expectimax:depth=1,eval=2048/basic", 1},
		{"backgammon", "greedy", 1},
		{"kuhn", "pimc:samples=5,agent=(greedy:eval=zero)", 0},
		{"leduc", "ismcts:simulations=20", 1},
		{"pacman:ghost=(greedy:eval=" + ghosts + ")", "alphabeta:depth=1", 2},
	} {
		w, err := everything().World(c.world)
		if err != nil {
			t.Errorf("%s: %v", c.world, err)
			continue
		}
		a, err := w.Agent(c.agent, catalog.AgentOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.agent, err)
			continue
		}
		job, files := &work.Job{Kind: "match", World: w.Spec}, work.Memory{}
		if err := search.Pack(job, files, a.Factory); err != nil {
			t.Errorf("%s in %s: %v", c.agent, c.world, err)
			continue
		}
		// The paths are not available to the receiver, and its catalog has not read any models.
		if strings.Contains(string(job.Canonical()), dir) {
			t.Errorf("%s in %s: the job names a path: %s", c.agent, c.world, job.Canonical())
		}
		if len(files) != c.files {
			t.Errorf("%s in %s: %d files, want %d", c.agent, c.world, len(files), c.files)
		}
		g, agents, err := everything().Unpack(job, files)
		if err != nil {
			t.Errorf("%s in %s: %v", c.agent, c.world, err)
			continue
		}
		if g.Spec != w.Spec || len(agents) != 1 || agents[0].ID() != a.ID() {
			t.Errorf("%s in %s: is %v in %s, want %s in %s", c.agent, c.world, agents, g.Spec, a.ID(), w.Spec)
		}
		same(t, w, a.Factory, &catalog.World{Game: g, Entry: w.Entry}, agents[0])
		for name, digest := range job.Files {
			if !strings.HasPrefix(name, search.Packed) {
				t.Errorf("%s is no file of an agent", name)
			}
			delete(files, digest)
		}
		if len(files) > 0 {
			t.Errorf("%s in %s: %d files that the job does not name", c.agent, c.world, len(files))
		}
	}
}

// same checks that two agents return the same result for the first decision.
func same(t *testing.T, w *catalog.World, a search.Factory, v *catalog.World, b search.Factory) {
	t.Helper()
	one := vectors.Must(a.New())
	other := vectors.Must(b.New())
	s, r := w.New(), v.New()
	for s.Turn() < 0 && len(s.Moves(nil)) > 0 {
		m := s.Moves(nil)[0]
		s.Play(m)
		r.Play(m)
	}
	one.Begin(7)
	other.Begin(7)
	x := vectors.Must(one.Search(context.Background(), s))
	y := vectors.Must(other.Search(context.Background(), r))
	if x.Move != y.Move || x.Value != y.Value || x.Nodes != y.Nodes {
		t.Errorf("%s plays %v for %v after %d nodes; made again %v for %v after %d", a.ID(), x.Move, x.Value, x.Nodes, y.Move, y.Value, y.Nodes)
	}
}

// TestUnpackRefuses checks that a job is rejected if its files are missing, if its specs have a
// different meaning here, or if they exceed the access of jobs.
func TestUnpackRefuses(t *testing.T) {
	for want, job := range map[string]*work.Job{
		"0123456789ab":                                               {World: "connect4", Agents: []string{"greedy:eval=0123456789ab"}},
		"no file with SHA-256 ff":                                    {World: "connect4", Agents: []string{"greedy:eval=0123456789ab"}, Files: map[string]string{search.Packed + "0123456789ab": "ff"}},
		"agent greedy has the identity greedy:eval=":                 {World: "connect4", Agents: []string{"greedy"}},
		"game connect4:rows=6 has the spec connect4 on this machine": {World: "connect4:rows=6"},
		"no external program":                                        {World: "chess", Agents: []string{"uci:cmd=(/bin/sh),depth=1"}},
		"uci:cmd=(/bin/sh): want no external program":                {World: "chess", Agents: []string{"mix(0.5*(uci:cmd=(/bin/sh)),0.5*random)"}},
		"eval=/etc/passwd: want handwritten":                         {World: "chess", Agents: []string{"alphabeta:eval=/etc/passwd"}},
		"file=/dev/zero: want no file":                               {World: "kuhn", Agents: []string{"strategy:file=/dev/zero"}},
		"/etc/x.lay: want no file":                                   {World: "pacman:layout=/etc/x.lay"},
		"simulations=1073741824: want at most 100000000 here":        {World: "othello", Agents: []string{"mcts:simulations=1073741824,eval=zero"}},
		"table=99999999: want at most 16384 megabytes here":          {World: "chess", Agents: []string{"alphabeta:table=99999999"}},
		"identically on every machine":                               {World: "chess", Agents: []string{"alphabeta:time=1h"}},
	} {
		if _, _, err := everything().Unpack(job, work.Memory{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s in %s: %v, want %q", job.Agents, job.World, err, want)
		}
	}
}
