package measure

import (
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/vectors"
)

// TestBenches confirms the values of frozen positions by searches without a transposition table,
// which docs/results/bench/bench.py does not use. It also checks that an agent that plays exactly
// loses nothing, and that a changed value is noticed.
func TestBenches(t *testing.T) {
	for _, f := range vectors.Must(benches.ReadDir("bench")) {
		b := vectors.Must(OpenBench(strings.TrimSuffix(f.Name(), ".csv")))
		w := vectors.Must(catalog.All().World(b.Game))
		agent := vectors.Must(w.Agent("alphabeta:depth=60,eval=zero,table=off", catalog.AgentOptions{}))
		solver := vectors.Must(agent.New())
		slices.SortStableFunc(b.decisions, func(x, y decision) int { return len(y.position) - len(x.position) }) // connect four: most stones first
		for i, d := range b.decisions {
			s := vectors.Must(w.Parse(d.position))
			moves, p := s.Moves(nil), s.Turn()
			if len(moves) != len(d.values) {
				t.Fatalf("%s: %d moves have values, want %d", d.position, len(d.values), len(moves))
			}
			for _, m := range moves {
				if i >= 8 {
					continue
				}
				name := s.MoveString(m)
				s.Play(m)
				got := s.Utility
				if s.Turn() != game.Nobody {
					r := vectors.Must(solver.Search(t.Context(), s))
					got = func(p game.Player) float64 { return r.Values[p] }
				}
				if v := got(p); v != d.values[name] {
					t.Errorf("%s: the value of %s is %v, want %v", d.position, name, d.values[name], v)
				}
				s.Undo()
			}
		}
		b.decisions = b.decisions[:10]
		exact := vectors.Must(w.Agent("alphabeta:depth=60,eval=zero", catalog.AgentOptions{Complete: true}))
		if r := vectors.Must(b.Score(t.Context(), w, exact)); r.Loss.Value != 0 || r.Kept.Value != 1 {
			t.Errorf("%s: exact play has the loss %v", b.Game, r.Loss)
		}
		for move := range b.decisions[0].values {
			b.decisions[0].values[move]++ // of one of several best moves, or of a worse move
			if r := vectors.Must(b.Score(t.Context(), w, exact)); r.Loss.Value > 0 {
				return
			}
			b.decisions[0].values[move]--
		}
		t.Errorf("%s: no changed value causes a loss", b.Game)
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
