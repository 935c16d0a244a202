package damage

import (
	"context"
	"math"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/study"
)

func newTestSubject(t testing.TB, spec, eval string) *Subject {
	t.Helper()
	s := &study.Session{Catalog: catalog.All(), Seed: 1}
	s.Over.Eval = eval
	return vectors.Must(LoadSubject(context.Background(), s, spec))
}

// Positions are n positions, the same ones for the same numbers from, whatever n.
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

// walks are a walk for each slip and damage.
type walks []*treeWalk

func newWalks(e *Evaluation, depth int, nature nature, slips []float64, damages ...Damage) (all walks) {
	for _, p := range slips {
		for _, d := range damages {
			all = append(all, newWalk(e, depth, nature, p, d))
		}
	}
	return all
}

// Values are those of the moves by walk: values[move][slip*len(damages)+damage].
func (all walks) Values(s game.State, root game.Player) (moves []game.Move, values [][]float64) {
	for _, w := range all {
		var column []float64
		moves, column = w.Values(s, root)
		for i, v := range column {
			if i == len(values) {
				values = append(values, nil)
			}
			values[i] = append(values[i], v)
		}
	}
	return moves, values
}

// graded is the clean evaluation as package search asks for it.
type graded struct{ *argument }

func (g graded) Evaluate(s game.State, p game.Player) float64 {
	v := float64(gradeOf(g.Of(s))) / Grades
	if p == 1 {
		return -v
	}
	return v
}

// The walk of the clean evaluation finds the values of package search's planners, in
// all worlds.
func TestWalkAgreesWithSearch(t *testing.T) {
	for _, c := range []struct {
		spec  string
		world study.World
		depth int
	}{
		{"connect4", study.World{}, 3}, {"connect4", study.World{Slip: 0.2}, 3}, {"connect4:dice=on", study.World{}, 2},
		{"connect4:columns=4,rows=4", study.World{Slip: 0.3}, 4},
	} {
		u := newTestSubject(t, c.spec, "handwritten")
		g := vectors.Must(c.world.Of(u.Base.Game))
		agent := vectors.Must(search.NewExpectimax(search.Options{Game: g, Eval: graded{u.Argument(u.Model)}, Depth: c.depth, Table: -1, Prune: search.NoPrune}))
		w := newWalk(u.Evaluation, c.depth, natureOf(c.world), c.world.Slip, Damage{})
		for _, s := range u.Positions(0, 12) {
			world := s.Clone()
			if c.world.Slip > 0 {
				world = game.NewSlip(world, c.world.Slip)
			}
			r := vectors.Must(agent.Search(context.Background(), world))
			_, values := w.Values(s, s.Turn())
			sum, best := 0.0, math.Inf(-1)
			for _, v := range values {
				sum += v
				best = math.Max(best, v)
			}
			p := c.world.Slip
			if got := (1-p)*best + p*sum/float64(len(values)); math.Abs(got-r.Value) > 1e-12 {
				t.Fatalf("%s slip %v %v: the walk says %v, the search %v", c.spec, p, s, got, r.Value)
			}
		}
	}
}

// naive is the value of a position of a world to the player at the root, as the books have
// it and remembering nothing: leaf says what an end or a leaf is worth, whose parent is the
// decision before it. A hostile nature chooses.
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

// Through a warp that is not odd the walk's values are those of the naive
// recursion over the slippery game itself.
func TestWalkOfWarps(t *testing.T) {
	u := newTestSubject(t, "connect4", "handwritten")
	arg := u.Argument(u.Model)
	warp := Damage{Kind: exponential, By: 4}
	table := warp.table()
	w := newWalks(u.Evaluation, 2, averages, []float64{0, 0.2}, Damage{}, warp)
	for _, s := range u.Positions(0, 10) {
		root := s.Turn()
		leaf := func(s game.State, _ uint64) float64 {
			s, sign := game.Base(s), 1-2*int(root)
			if s.Turn() == game.Nobody {
				return table[sign*u.Terminal(s.Utility(0))+Grades]
			}
			return table[sign*gradeOf(arg.Of(s))+Grades]
		}
		moves, values := w.Values(s, root)
		slippery := game.NewSlip(s.Clone(), 0.2)
		for i, m := range moves {
			s.Play(m)
			want := naive(s, 1, 0, root, false, leaf)
			s.Undo()
			if got := values[i][1]; math.Abs(got-want) > 1e-12 {
				t.Fatalf("%v move %v: %v, want %v", s, m, got, want)
			}
			// A chosen move that is certain to be made.
			slippery.Play(m)
			slippery.Play(m)
			want = naive(slippery, 1, 0, root, false, leaf)
			slippery.Undo()
			slippery.Undo()
			if got := values[i][3]; math.Abs(got-want) > 1e-12 {
				t.Fatalf("%v move %v with slip: %v, want %v", s, m, got, want)
			}
		}
	}
}

// bestSet are the moves whose value is within near of the best, as bits.
func bestSet(values [][]float64, column int, near float64) uint64 {
	best := math.Inf(-1)
	for _, v := range values {
		best = math.Max(best, v[column])
	}
	var set uint64
	for i, v := range values {
		if v[column] >= best-near {
			set |= 1 << i
		}
	}
	return set
}

// allWarps are the experiment's warps and some more of the user's.
func allWarps(u *Subject) []Damage {
	var out []Damage
	for _, d := range append(someWarps(), Damage{Kind: exponential, By: -3}, Damage{Kind: Power, By: 1.7}, Damage{Kind: tangent, By: 2}) {
		out = append(out, u.Finish(d))
	}
	return out
}

// Under minimax without chance no warp changes anything: not the choice, and not
// which moves are equally good. The same for the twin in which the die is an
// adversary, and one decision ahead at every slip.
func TestMinimaxNoticesNoWarp(t *testing.T) {
	for _, c := range []struct {
		spec   string
		nature nature
		depth  int
		n      int
	}{{"connect4", averages, 4, 100}, {"othello", averages, 2, 40}, {"connect4:dice=on", opposes, 2, 40}, {"backgammon", opposes, 1, 10}} {
		u := newTestSubject(t, c.spec, "handwritten")
		warps := allWarps(u)
		for depth := 1; depth <= c.depth; depth++ {
			w := newWalks(u.Evaluation, depth, c.nature, []float64{0}, append([]Damage{{}}, warps...)...)
			for _, s := range u.Positions(0, c.n) {
				_, values := w.Values(s, s.Turn())
				want := bestSet(values, 0, 0)
				for j, d := range warps {
					if got := bestSet(values, j+1, 0); got != want {
						t.Fatalf("%s depth %d %v: best moves %b through %v, %b clean", c.spec, depth, s, got, d, want)
					}
				}
			}
		}
	}
}

// One decision ahead V(m) = (1-p) v(m) + (p/n) sum v: no warp changes the order,
// at any slip. Asked of package search's own expectimax in the slippery game, so
// that the study's algebra has no part in it.
func TestDepthOneIsImmune(t *testing.T) {
	u := newTestSubject(t, "connect4", "handwritten")
	changed := 0
	for _, p := range []float64{0.05, 0.2, 0.5, 0.9} {
		g := vectors.Must(game.WithSlip(u.Base.Game, p))
		choose := func(depth int, d Damage) func(s game.State) game.Move {
			a := vectors.Must(search.NewExpectimax(search.Options{Game: g, Eval: bent{u.Argument(u.Model), d.table()}, Depth: depth, Table: -1, Prune: search.NoPrune}))
			return func(s game.State) game.Move {
				r := vectors.Must(a.Search(context.Background(), game.NewSlip(s.Clone(), p)))
				return r.Move
			}
		}
		// Odd warps keep the ends of the range: search need not know of them.
		for _, d := range []Damage{{Kind: Power, By: 0.5}, {Kind: Power, By: 3}, {Kind: tangent, By: 4}} {
			one, clean := choose(1, d), choose(1, Damage{})
			two, cleanTwo := choose(2, d), choose(2, Damage{})
			for _, s := range u.Positions(0, 60) {
				if a, b := one(s), clean(s); a != b {
					t.Fatalf("slip %v %v: move %v through %v, %v clean", p, s, a, d, b)
				}
				if two(s) != cleanTwo(s) {
					changed++
				}
			}
		}
	}
	if changed == 0 {
		t.Error("no warp changed a move two decisions ahead: this test cannot fail")
	}
}

// bent is an odd warp of the evaluation, as package search asks for it.
type bent struct {
	*argument
	table []float64
}

func (b bent) Evaluate(s game.State, p game.Player) float64 {
	v := b.table[gradeOf(b.Of(s))+Grades]
	if p == 1 {
		return -v
	}
	return v
}

// A positive affine map changes no best move where values are averaged; a warp
// does, or the test would show nothing.
func TestAffineInvariance(t *testing.T) {
	for _, spec := range []string{"connect4", "connect4:dice=on"} {
		u := newTestSubject(t, spec, "handwritten")
		slips := []float64{0.1, 0.3}
		maps := []Damage{AffineControl, {Kind: affine, Scale: 0.01, Shift: 5}, {Kind: affine, Scale: 40, Shift: -13}}
		w := newWalks(u.Evaluation, 2, averages, slips, append([]Damage{{}, {Kind: exponential, By: 4}}, maps...)...)
		n := 2 + len(maps)
		changed := 0
		for _, s := range u.Positions(0, 100) {
			_, values := w.Values(s, s.Turn())
			for k := range slips {
				want := bestSet(values, k*n, Tolerance)
				if bestSet(values, k*n+1, Tolerance) != want {
					changed++
				}
				for j, d := range maps {
					if got := bestSet(values, k*n+2+j, 100*Tolerance*d.Scale); got != want {
						t.Fatalf("%s %v slip %v: best moves %b through %v*u%+v, %b clean", spec, s, slips[k], got, d.Scale, d.Shift, want)
					}
				}
			}
		}
		if changed == 0 {
			t.Errorf("%s: exp(4z) changed nothing", spec)
		}
	}
}
