package measure

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/vectors"
)

// TestBenches confirms the values of frozen positions by searches without a transposition table.
// docs/results/bench/bench.py computes them with a table, or for connect4-slip without this program.
// The test also checks that an agent that plays exactly loses nothing, and that a changed value is
// noticed.
func TestBenches(t *testing.T) {
	for _, f := range vectors.Must(benches.ReadDir("bench")) {
		b := vectors.Must(OpenBench(strings.TrimSuffix(f.Name(), ".csv")))
		w := vectors.Must(catalog.All().World(b.Game))
		kind, _, _ := strings.Cut(b.Planner, ":")
		agent := vectors.Must(w.Agent(kind+":depth=60,eval=zero,table=off", catalog.AgentOptions{}))
		solver := vectors.Must(agent.New())
		stones := func(position string) int {
			return len(position) - strings.Count(position, ".") - strings.Count(position, "-")
		}
		slices.SortStableFunc(b.decisions, func(x, y decision) int { return stones(y.position) - stones(x.position) })
		verified := 8
		if kind == "expectimax" { // of a small game
			verified = 200
		}
		for i, d := range b.decisions {
			s := vectors.Must(w.Parse(d.position))
			moves, p := s.Moves(nil), s.Turn()
			if len(moves) != len(d.values) {
				t.Fatalf("%s: %d moves have values, want %d", d.position, len(d.values), len(moves))
			}
			for _, m := range moves {
				if i >= verified {
					continue
				}
				name := s.MoveString(m)
				s.Play(m)
				got := s.Utility
				if s.Turn() != game.Nobody {
					r := vectors.Must(solver.Search(t.Context(), s))
					got = func(p game.Player) float64 { return r.Values[p] }
				}
				if v := got(p); math.Abs(v-d.values[name]) > 1e-5 {
					t.Errorf("%s: the value of %s is %v, want %v", d.position, name, d.values[name], v)
				}
				s.Undo()
			}
		}
		b.decisions = b.decisions[:10]
		exact := vectors.Must(w.Agent(kind+":depth=60,eval=zero", catalog.AgentOptions{Complete: true}))
		loss := func() float64 { return vectors.Must(b.Score(t.Context(), w, exact)).Loss.Value }
		if loss() != 0 {
			t.Errorf("%s: exact play has the loss %v", b.Game, loss())
		}
		values := b.decisions[0].values
		noticed := slices.ContainsFunc(slices.Collect(maps.Keys(values)), func(move string) bool {
			values[move] += 200 // of one of several best moves, or of a worse move
			defer func() { values[move] -= 200 }()
			return loss() > 0
		})
		if !noticed {
			t.Errorf("%s: no changed value causes a loss", b.Game)
		}
	}
}

// TestNoise checks that noise in the weights of an evaluation increases its loss for at least 19 of
// 20 seeds, and that noise of size 0 does not change it.
func TestNoise(t *testing.T) {
	b := vectors.Must(OpenBench("connect4-slip"))
	w := vectors.Must(catalog.All().World(b.Game))
	e := vectors.Must(w.Evaluation("connect4/treestrap"))
	loss := func(size float64, seed uint64) float64 {
		m, rng := e.Model.Clone(), rand.New(rand.NewPCG(seed, 0))
		for i := range m.Weights {
			m.Weights[i] *= 1 + size*rng.NormFloat64()
		}
		noisy := vectors.Must(w.EvaluationOf("noisy", e.Set, m))
		agent := vectors.Must(w.Agent(b.Planner, catalog.AgentOptions{Evaluation: noisy, Complete: true}))
		return vectors.Must(b.Score(t.Context(), w, agent)).Loss.Value
	}
	clean, worse := loss(0, 1), 0
	if loss(0, 2) != clean {
		t.Error("the loss depends on the seed although the weights do not change")
	}
	for seed := range uint64(20) {
		if loss(1, seed) > clean {
			worse++
		}
	}
	if worse < 19 {
		t.Errorf("noise increases the loss for %d of 20 seeds, want at least 19", worse)
	}
}

// TestReadBench checks the errors of files with mistakes.
func TestReadBench(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "line 1: want GAME,PLANNER",
		"connect4,x\n":               "want at least one position",
		"connect4,x\n1,44\n":         "line 2: want a number, a position",
		"connect4,x\n1,44,4=1 3=a\n": "line 2: 3=a: want MOVE=VALUE",
		"connect4,x\n1,44,4=inf\n":   "line 2: 4=inf: want MOVE=VALUE",
	} {
		if _, err := readBench(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
