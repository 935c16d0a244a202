package evaluation

import (
	"context"
	"math"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/search"
	"plyfit/study"
)

func newTestSubject(t testing.TB, spec, eval string) *Subject {
	s := &study.Session{Catalog: catalog.All(), Seed: 1, Over: study.Overrides{Eval: eval}}
	return vectors.Must(LoadSubject(context.Background(), s, spec))
}

// Positions returns n numbered positions, beginning with the given number. A position depends only
// on its number.
func (u *Subject) Positions(from, n int) []game.State {
	out := make([]game.State, 0, n)
	for i := from; i < from+n; i++ {
		for try := uint64(0); ; try++ {
			if s, ok := u.draw(game.Seed(u.Seed, 0x905, uint64(i), try)); ok {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

// choose returns the results of the planner's searches at all positions.
func (u *Subject) choose(assumes study.World, depth int, d Damage, positions []game.State) []search.Result {
	p := vectors.Must(u.Planner(assumes, depth, d))
	var out []search.Result
	for _, s := range positions {
		out = append(out, vectors.Must(p.Search(context.Background(), s)))
	}
	return out
}

// changed returns the number of positions at which two planners choose different moves.
func changed(a, b []search.Result) (n int) {
	for i := range a {
		if a[i].Move != b[i].Move {
			n++
		}
	}
	return n
}

// naive computes the value of a position for the root player by plain recursion. The callback leaf
// returns the value of a finished game or of a leaf. The parameter parent is the position of the
// last decision. If hostile is set, nature is an adversary.
func naive(s game.State, depth int, parent uint64, root game.Player, hostile bool, leaf func(s game.State, parent uint64) float64) float64 {
	turn := s.Turn()
	if turn == game.Nobody || turn >= 0 && depth == 0 {
		return leaf(s, parent)
	}
	chance, _ := game.As[game.Chancer](s)
	maximize := turn == root
	if turn >= 0 {
		depth, parent = depth-1, s.Hash()
	} else {
		maximize = chance.For() != root
	}
	best, sum := math.Inf(-1), 0.0
	for _, m := range s.Moves(nil) {
		p := 0.0
		if turn == game.Chance {
			p = chance.Prob(m)
		}
		s.Play(m)
		v := naive(s, depth, parent, root, hostile, leaf)
		s.Undo()
		sum += p * v
		if !maximize {
			v = -v
		}
		best = math.Max(best, v)
	}
	switch {
	case turn == game.Chance && !hostile:
		return sum
	case !maximize:
		return -best
	}
	return best
}

// TestPlannersAgreeWithRecursion compares the choices and values of planners with those of a
// recursion without caching or pruning. It covers warps that are not odd functions, shared noise
// and wrong weights, for games with transpositions, and with and without chance moves between the
// last decision and the leaf.
func TestPlannersAgreeWithRecursion(t *testing.T) {
	shared := Damage{Kind: Noise, By: 0.4, Seed: 5, Shared: 0.6}
	for _, c := range []struct {
		spec    string
		assumes study.World
		depth   int
		damage  Damage
	}{
		{"connect4", study.World{}, 3, Damage{}},
		{"connect4", study.World{}, 3, shared},
		{"connect4", study.World{}, 1, shared},
		{"connect4", study.World{Slip: 0.2}, 2, Damage{Kind: exponential, By: 4}},
		{"connect4", study.World{Slip: 0.2}, 2, shared},
		{"connect4:columns=4,rows=4", study.World{Slip: 0.3}, 3, Damage{Kind: Weights, By: 0.5, Seed: 1}},
		{"connect4:dice=on", study.World{}, 2, shared},
		{"connect4:dice=on", study.World{Hostile: true}, 2, shared},
	} {
		u := newTestSubject(t, c.spec, "handwritten")
		l, arg := u.Damaged(c.damage), u.Argument(u.Model)
		positions := u.Positions(0, 8)
		for i, r := range u.choose(c.assumes, c.depth, c.damage, positions) {
			s := positions[i].Clone()
			root := s.Turn()
			if c.assumes.Slip > 0 {
				s = game.NewSlip(s, c.assumes.Slip)
			}
			sign := 1 - 2*int(root)
			leaf := func(s game.State, parent uint64) float64 {
				s = game.Base(s)
				if s.Turn() == game.Nobody {
					return l.Terminal(u.Terminal(s.Utility(0)), sign)
				}
				lo, hi := u.Base.Min, u.Base.Max
				if b, ok := game.As[game.Bounder](s); ok {
					lo, hi = b.Bounds(0)
				}
				return l.value(s, parent, arg.Of(s), u.Terminal(lo), u.Terminal(hi), sign)
			}
			best, move := math.Inf(-1), game.NoMove
			parent := s.Hash()
			for _, m := range s.Moves(nil) {
				s.Play(m)
				if v := naive(s, c.depth-1, parent, root, c.assumes.Hostile, leaf); v > best+1e-12 {
					best, move = v, m
				}
				s.Undo()
			}
			if r.Move != move || math.Abs(r.Value-best) > 1e-12 {
				t.Fatalf("%+v %v: move %v worth %v, want %v worth %v", c, s, r.Move, r.Value, move, best)
			}
		}
	}
}

// TestMinimaxNoticesNoWarp checks that warps do not change the choices of minimax, nor those of
// expectimax at depth 1, where V(m) = (1-p) v(m) + (p/n) sum v. At depth 2, warps must change some
// choices of expectimax.
func TestMinimaxNoticesNoWarp(t *testing.T) {
	for _, c := range []struct {
		spec    string
		assumes study.World
		depth   int
		n       int
	}{
		{"connect4", study.World{}, 4, 100}, {"othello", study.World{}, 2, 40}, {"connect4:dice=on", study.World{Hostile: true}, 2, 40},
		{"backgammon", study.World{Hostile: true}, 1, 10}, {"connect4", study.World{Slip: 0.05}, 1, 60}, {"connect4", study.World{Slip: 0.9}, 1, 60},
	} {
		u := newTestSubject(t, c.spec, "handwritten")
		if c.assumes.Hostile {
			u.Leaf = models.Afterstate
		}
		positions := u.Positions(0, c.n)
		for depth := 1; depth <= c.depth; depth++ {
			clean := u.choose(c.assumes, depth, Damage{}, positions)
			for _, d := range allWarps {
				if n := changed(clean, u.choose(c.assumes, depth, d, positions)); n > 0 {
					t.Errorf("%s, %v, depth %d: %v changes %d choices", c.spec, c.assumes, depth, d, n)
				}
			}
		}
	}
	u := newTestSubject(t, "connect4", "handwritten")
	positions, slippery := u.Positions(0, 60), study.World{Slip: 0.2}
	clean, n := u.choose(slippery, 2, Damage{}, positions), 0
	for _, d := range allWarps {
		n += changed(clean, u.choose(slippery, 2, d, positions))
	}
	if n == 0 {
		t.Error("no warp changes a choice of expectimax two decisions ahead: this test cannot fail")
	}
}

// TestAffineInvariance checks that three positive affine maps do not change choices if values are
// averaged.
func TestAffineInvariance(t *testing.T) {
	for _, spec := range []string{"connect4", "connect4:dice=on"} {
		u := newTestSubject(t, spec, "handwritten")
		worlds := []study.World{{}}
		if !u.Base.Chancy() {
			worlds = []study.World{{Slip: 0.1}, {Slip: 0.3}}
		}
		positions := u.Positions(0, 100)
		for _, w := range worlds {
			clean := u.choose(w, 2, Damage{}, positions)
			for _, d := range []Damage{AffineControl, {Kind: affine, Scale: 0.01, Shift: 5}, {Kind: affine, Scale: 40, Shift: -13}} {
				if n := changed(clean, u.choose(w, 2, d, positions)); n > 0 {
					t.Errorf("%s, %v: %v*u%+v changes %d choices", spec, w, d.Scale, d.Shift, n)
				}
			}
		}
	}
}
