package ask

import (
	"context"
	"math"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/study"
	"plyfit/study/evaluation"
)

// TestSolve checks that the values of a solved board agree with a search to the end, with and
// without slips, and that its policies agree with the planners in matches.
func TestSolve(t *testing.T) {
	u := newTestSubject(t, "connect4:columns=4,rows=4", "handwritten")
	g := vectors.Must(solveGame(context.Background(), u))
	number := map[uint64]int{}
	for i, h := range g.hash {
		number[h] = i
	}
	if len(number) != 161029 {
		t.Errorf("%d positions on 4x4, want 161029", len(number)) // from J. Tromp's table of connect four
	}
	late := 0
	for _, slip := range []float64{0, 0.2} {
		world := vectors.Must(study.World{Slip: slip}.Of(u.Base.Game))
		agent := vectors.Must(search.NewExpectimax(search.Options{Game: world, Eval: search.Zero(world), Depth: 16}))
		values := g.Values(slip)
		d := evaluation.Damage{Kind: evaluation.Noise, By: 0.4, Seed: 5}
		policies := g.Policies(t.Context(), u.Damaged(d), slip, 3)
		for _, s := range drawn(u, 80) {
			i := number[s.Hash()]
			for depth := 1; depth <= 3; depth++ {
				planner := vectors.Must(u.Planner(study.World{Slip: slip}, depth, d))
				r := vectors.Must(planner.Search(context.Background(), s))
				if want := s.Moves(nil)[policies[depth-1][i]]; r.Move != want {
					t.Errorf("%v slip %v depth %d: the player moves %v, the policy %v", s, slip, depth, r.Move, want)
				}
			}
			if g.ply[i] < 9 {
				continue
			}
			late++
			root := game.State(s.Clone())
			if slip > 0 {
				root = game.NewSlip(root, slip)
			}
			r := vectors.Must(agent.Search(context.Background(), root))
			if math.Abs(r.Values[0]-values[i]) > 1e-9 {
				t.Errorf("%v slip %v: %v, want %v", s, slip, values[i], r.Values[0])
			}
		}
	}
	if late == 0 {
		t.Error("no late position among those drawn")
	}
}

// drawn returns unfinished positions with a choice of moves, reached by some random decisions.
func drawn(u *evaluation.Subject, n int) (out []game.State) {
	for i := uint64(0); len(out) < n; i++ {
		s := u.Base.New()
		opening := play.Opening{Least: 6, Most: 12, Tries: 1}
		if opening.Draw(s, study.NewRand(u.Seed, i)) && len(s.Moves(nil)) > 1 {
			out = append(out, s)
		}
	}
	return out
}

// TestSolveRefuses checks that games in which positions can repeat are rejected.
func TestSolveRefuses(t *testing.T) {
	if _, err := solveGame(context.Background(), newTestSubject(t, "pig:target=20", "handwritten")); err == nil || !strings.Contains(err.Error(), "can repeat") {
		t.Errorf("pig: %v, want that its positions can repeat", err)
	}
}

func newTestSubject(t *testing.T, spec, eval string) *evaluation.Subject {
	s := &study.Session{Catalog: catalog.All(), Seed: 1, Over: study.Overrides{Eval: eval}}
	return vectors.Must(evaluation.LoadSubject(context.Background(), s, spec))
}

// TestSolveBoardRefusesDice checks that games with dice are rejected, because a planner that
// ignores slips would still average over the dice.
func TestSolveBoardRefusesDice(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Seed: 1}
	s.Over.Eval = "handwritten"
	if _, err := solveBoard(context.Background(), s, "connect4:columns=4,rows=4,dice=on"); err == nil || !strings.Contains(err.Error(), "the game has chance moves") {
		t.Errorf("%v, want that the game has chance moves", err)
	}
}
