package damage

import (
	"context"
	"math"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/study"
)

// A wrong scale of the link, and no link at all, are warps: the ends stay, grades
// stay apart, and minimax chooses as before.
func TestCalibrationIsAWarp(t *testing.T) {
	u := newTestSubject(t, "connect4", "handwritten")
	list := []Damage{{Kind: rescaled, By: 0.4}, {Kind: rescaled, By: 3}, {Kind: LogOdds}}
	w := newWalks(u.Evaluation, 3, averages, []float64{0, 0.2}, append([]Damage{{}}, list...)...)
	changed := make([]int, len(list))
	for _, s := range u.Positions(0, 80) {
		_, values := w.Values(s, s.Turn())
		for j := range list {
			if got, want := bestSet(values, 1+j, 0), bestSet(values, 0, 0); got != want {
				t.Fatalf("%v without slip: best moves %b through %v, %b clean", s, got, list[j], want)
			}
			if bestSet(values, 5+j, Tolerance) != bestSet(values, 4, Tolerance) {
				changed[j]++
			}
		}
	}
	for j, d := range list {
		table := d.table()
		if !d.Warps() || d.bendable() != nil || math.Abs(table[0]+1) > 1e-12 || math.Abs(table[2*Grades]-1) > 1e-12 {
			t.Errorf("%v: from %v to %v, %v", d, table[0], table[2*Grades], d.bendable())
		}
		if changed[j] == 0 {
			t.Errorf("%v changed no move with slip", d)
		}
	}
	// Grade 100 is worth tanh(x) = 1/2; three times that x is worth .93.
	if got, want := list[1].table()[Grades+100], math.Tanh(3*math.Atanh(0.5)); math.Abs(got-want) > 1e-12 {
		t.Errorf("scale x3 makes %v of one half, want %v", got, want)
	}
}

// Noise that siblings share is found by the walk, its table of known nodes and
// alpha-beta included, as by a plain recursion: in games where one position is
// reached in several ways, with and without nature's moves between decision and leaf.
func TestSharedNoise(t *testing.T) {
	for _, c := range []struct {
		spec    string
		hostile bool
		depth   int
	}{{"connect4", false, 3}, {"connect4:dice=on", false, 2}, {"connect4:dice=on", true, 2}} {
		u := newTestSubject(t, c.spec, "handwritten")
		nature := averages
		if c.hostile {
			nature = opposes
		}
		d := Damage{Kind: Noise, By: 0.4, Seed: 5, Shared: 0.6}
		w := newWalk(u.Evaluation, c.depth, nature, 0, d)
		cut := newWalk(u.Evaluation, c.depth, nature, 0, d)
		arg := u.Argument(u.Model)
		for _, s := range u.Positions(0, 8) {
			me := s.Turn()
			leaf := func(s game.State, parent uint64) float64 {
				sign := 1 - 2*int(me)
				if s.Turn() == game.Nobody {
					return float64(sign*u.Terminal(s.Utility(0))) / Grades
				}
				lo, hi := -Grades, Grades
				if b, ok := game.As[game.Bounder](s); ok {
					l, h := b.Bounds(0)
					lo, hi = u.Terminal(l), u.Terminal(h)
				}
				x := arg.Of(s) + d.By*(math.Sqrt(1-d.Shared)*normal(s.Hash(), d.Seed)+math.Sqrt(d.Shared)*normal(parent, game.Seed(d.Seed, sibling)))
				return float64(sign*max(lo, min(hi, gradeOf(x)))) / Grades
			}
			moves, values := w.Values(s, me)
			cut.begin(s, me)
			for i, m := range moves {
				parent := s.Hash()
				s.Play(m)
				want := naive(s, c.depth-1, parent, me, c.hostile, leaf)
				if got := values[i]; math.Abs(got-want) > 1e-12 {
					t.Fatalf("%+v %v: the walk says %v, want %v", c, s, got, want)
				}
				if cut.compares() {
					cut.parent = parent
					if got := cut.cut(c.depth-1, math.Inf(-1), math.Inf(1)); got != values[i] {
						t.Fatalf("%+v %v: alpha-beta says %v, the walk %v", c, s, got, values[i])
					}
				}
				s.Undo()
			}
		}
	}
}

// TestPlannerByAlphaBeta checks that a planner by alpha-beta chooses as the full walk does, whether
// siblings share noise or not. One decision ahead they share the noise of the root.
func TestPlannerByAlphaBeta(t *testing.T) {
	u := newTestSubject(t, "connect4", "handwritten")
	for i, shared := range []float64{0.75, 0.75, 0.75, 0} {
		depth, d := 1+i, Damage{Kind: Noise, By: 0.6, Seed: 3, Shared: shared}
		p := u.Planner(study.World{}, depth, d)
		w := newWalk(u.Evaluation, depth, averages, 0, d)
		for _, s := range u.Positions(0, 40) {
			r := vectors.Must(p.Search(context.Background(), s))
			moves, values := w.Values(s, s.Turn())
			if i := firstBest(values, 0); r.Move != moves[i] || r.Value != values[i] {
				t.Fatalf("depth %d, %v: %v worth %v, want %v worth %v", depth, s, r.Move, r.Value, moves[i], values[i])
			}
		}
	}
}

// How much of an error siblings share is what it was made with.
func TestSiblingCorrelation(t *testing.T) {
	u := newTestSubject(t, "checkers", "handwritten")
	for _, c := range []struct{ shared, low, high float64 }{{0, -0.1, 0.05}, {0.5, 0.35, 0.6}, {1, 0.9, 1.05}} {
		d := Damage{Kind: Noise, By: 0.3, Seed: 1, Shared: c.shared}
		if got := u.SiblingCorrelation(d); got < c.low || got > c.high {
			t.Errorf("%v: correlation %.3f, want %v to %v", d, got, c.low, c.high)
		}
	}
	if got := u.SiblingCorrelation(Damage{}); got != 0 {
		t.Errorf("without an error the correlation is %v", got)
	}
	// An affine map of each tree's own is no error; over all trees together it is one.
	u.trees = 1
	for i := range u.Leaves {
		u.Leaves[i].tree = 0
	}
	pooled := u.Misfit(Damage{Kind: Power, By: 3})
	within := newTestSubject(t, "checkers", "handwritten").Misfit(Damage{Kind: Power, By: 3})
	if !(pooled > 1.1*within) {
		t.Errorf("the cube has error %.4f over all leaves and %.4f within trees", pooled, within)
	}
}

// Errors of weights: none where nothing is shaken.
func TestErrorsOfWeights(t *testing.T) {
	u := newTestSubject(t, "connect4", "handwritten")
	if m := u.Misfit(Damage{Kind: Weights, Seed: 1}); m > 1e-9 {
		t.Errorf("nothing shaken: error %v, want none", m)
	}
	one, two := Damage{Kind: Weights, By: 0.5, Seed: 1}, Damage{Kind: Weights, By: 0.5, Seed: 2}
	if a, b := u.shaken(one.By, one.Seed).Weights, u.shaken(two.By, two.Seed).Weights; a[0] == b[0] {
		t.Error("two draws shake a weight alike")
	}
}
