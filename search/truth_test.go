package search_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// truth contains the values of a position at every depth, computed by brute force.
type truth struct {
	moves    []game.Move
	top      float64     // highest utility that the mover can get
	bottom   float64     // lowest utility that the mover can get
	values   [][]float64 // [depth][move]: value of the move from the mover's point of view
	foresees bool        // the game has a solver, which knows the results of some moves in advance
	height   int         // number of decisions on the longest line of play, or one more than were searched
	sound    int         // depth of the shallowest proof of the value, or one more than were searched if there is none
	far      []int       // for each move, number of decisions needed to force the highest utility; one more than were searched if impossible
	near     []int       // for each move, number of decisions that the opponent needs to force the lowest utility
}

// edge is an evaluation beyond the lower bound (-1) or the upper bound (1) of every position.
type edge int

func (e edge) Evaluate(s game.State, _ game.Player) float64 { return float64(e) * math.Inf(1) }

// height returns the number of decisions on the longest line of play, up to the given maximum.
func height(s game.State, most int) int {
	turn := s.Turn()
	if turn == game.Nobody || turn >= 0 && most == 0 {
		return 0
	}
	d := 0
	if turn >= 0 {
		d = 1
	}
	h := 0
	for _, m := range s.Moves(nil) {
		s.Play(m)
		h = max(h, d+height(s, most-d))
		s.Undo()
	}
	return h
}

// tell computes the truth about the state s, at most the given number of decisions deep.
func tell(s game.State, g *game.Game, draw func(game.State, []game.Move) []float64, most int) *truth {
	t := &truth{moves: s.Moves(nil), height: height(s, most+1), top: g.Max, bottom: g.Min}
	_, t.foresees = game.As[game.Solvable](s)
	rule := searchtest.Rule{Game: g, Eval: noise{g}, Draw: draw}
	mover, sign := s.Turn(), 1.0
	if mover == 1 {
		sign, t.top, t.bottom = -1, -g.Min, -g.Max
	}
	t.values = append(t.values, nil)
	for k := 1; k <= min(most, t.height+1); k++ {
		var row []float64
		for _, m := range t.moves {
			s.Play(m)
			row = append(row, sign*rule.Value(s, k-1))
			s.Undo()
		}
		t.values = append(t.values, row)
	}
	deep := len(t.values) - 1
	for range t.moves {
		t.far, t.near = append(t.far, deep+1), append(t.near, deep+1)
	}
	t.sound = deep + 1
	for k := deep; k >= 1; k-- {
		lo, hi := math.Inf(-1), math.Inf(-1)
		rule.Eval, rule.Raw = edge(-1), true
		least := rule.Moves(s, k)
		rule.Eval = edge(1)
		most := rule.Moves(s, k)
		for i := range t.moves {
			l, h := least[i][0], most[i][0]
			if l, h = l*sign, h*sign; mover == 1 {
				l, h = h, l
			}
			if lo, hi = max(lo, l), max(hi, h); l >= t.top-slack {
				t.far[i] = k
			}
			if h <= t.bottom+slack {
				t.near[i] = k
			}
		}
		if hi-lo <= slack {
			t.sound = k
		}
	}
	return t
}

// row returns the value of every move at depth k.
func (t *truth) row(k int) []float64 { return t.values[min(k, len(t.values)-1)] }

// known reports whether the values at depth k are known, because depth k was searched or lies
// beyond the end of the game.
func (t *truth) known(k int) bool { return k < len(t.values) || t.height < len(t.values) }

// alike returns the moves whose value at depth k equals v within the given tolerance.
func (t *truth) alike(k int, v, near float64) (moves []game.Move) {
	for i, x := range t.row(k) {
		if math.Abs(x-v) <= near {
			moves = append(moves, t.moves[i])
		}
	}
	return moves
}

const slack = 1e-12 // allows for sums computed in a different order

// tolerance returns the largest difference from the best value at which a move counts as equally
// good. See Result.Best.
func tolerance(v float64) float64 { return 1e-9 * max(1, math.Abs(v)) }

// wrong returns a description of the first error in r, the result of a search with the options c.
func (t *truth) wrong(c search.Options, r search.Result) string {
	switch {
	case !slices.Contains(t.moves, r.Move):
		return "no legal move"
	case r.Depth == 0:
		return "" // no depth was completed
	case !t.known(r.Depth + 1):
		return ""
	case r.Exact:
		return t.unproven(c, r)
	}
	row := t.row(r.Depth)
	v := slices.Max(row)
	if c.Nodes == 0 && t.top > t.bottom && (v >= t.top-slack || v <= t.bottom+slack) {
		return fmt.Sprintf("value %v at depth %d, which is certain, is not said to be exact", r.Value, r.Depth)
	}
	if math.Abs(r.Value-v) > slack {
		return fmt.Sprintf("value %v at depth %d, want %v", r.Value, r.Depth, v)
	}
	for i, m := range r.Root {
		if m.Kind == search.Exact && math.Abs(m.Value-row[i]) > 1e-9 || m.Kind == search.Upper && m.Value < row[i]-slack || m.Kind == search.Lower && m.Value > row[i]+slack {
			return fmt.Sprintf("move %d is %v %v at depth %d, want %v", i, m.Kind, m.Value, r.Depth, row[i])
		}
	}
	best := t.alike(r.Depth, v, slack)
	if bad := listed(c, r, t.alike(r.Depth, v, tolerance(v))); bad != "" {
		return bad
	}
	if r.Move == best[0] || c.Ties == search.Random && slices.Contains(best, r.Move) {
		return ""
	}
	if c.Nodes == 0 || c.Complete {
		return fmt.Sprintf("move %d, want one of %v", r.Move, best)
	}
	deeper := t.row(r.Depth + 1)
	old, chosen := deeper[slices.Index(t.moves, best[0])], deeper[slices.Index(t.moves, r.Move)]
	if !(chosen > old+slack) {
		return fmt.Sprintf("move %d, worth %v at depth %d, in the place of %d, the best at depth %d and worth %v", r.Move, chosen, r.Depth+1, best[0], r.Depth, old)
	}
	return ""
}

// listed checks the list of best moves. It returns a description of the error, or "".
func listed(c search.Options, r search.Result, best []game.Move) string {
	if !c.Complete {
		return ""
	}
	for _, m := range r.Best {
		if !slices.Contains(best, m) {
			return fmt.Sprintf("%v as good, want %v", r.Best, best)
		}
	}
	if !slices.Contains(r.Best, r.Move) || c.Nodes == 0 && len(r.Best) < len(best) {
		return fmt.Sprintf("%v as good, and %d played; want %v", r.Best, r.Move, best)
	}
	return ""
}

// unproven checks a result that is reported as exact. It returns a description of the error, or "".
func (t *truth) unproven(c search.Options, r search.Result) string {
	most := t.height
	if t.foresees {
		most++ // the solver looks two decisions ahead, even if the game ends after one
	}
	if c.Depth > 0 {
		most = min(most, c.Depth)
	}
	if r.Depth < t.sound || r.Depth > most {
		return fmt.Sprintf("a proof of depth %d, want %d to %d", r.Depth, t.sound, most)
	}
	for k := r.Depth; k < len(t.values); k++ {
		if v := slices.Max(t.row(k)); math.Abs(r.Value-v) > slack {
			return fmt.Sprintf("value %v, a proof, is %v at depth %d", r.Value, v, k)
		}
	}
	played := slices.Index(t.moves, r.Move)
	if t.top > t.bottom && math.Abs(r.Value-t.top) <= slack {
		// The node limit also limits the search for the shortest win.
		if far := t.far[played]; far > slices.Min(t.far) && (c.Nodes == 0 || far > max(c.Depth, r.Depth)) {
			return fmt.Sprintf("move %d wins in %d, there is a win in %d", r.Move, far, slices.Min(t.far))
		}
	} else if t.top > t.bottom && math.Abs(r.Value-t.bottom) <= slack {
		if c.Nodes == 0 && t.near[played] < slices.Max(t.near) {
			return fmt.Sprintf("move %d loses in %d, %d can be had", r.Move, t.near[played], slices.Max(t.near))
		}
	}
	return t.chosen(c, r)
}

// chosen checks which of the equally good moves was chosen, for a result that is a proof. Moves are
// compared at the requested depth. If no depth was requested, they are compared at the depth that
// ended the search, which is unknown here.
func (t *truth) chosen(c search.Options, r search.Result) string {
	from, to := max(c.Depth, r.Depth), max(c.Depth, r.Depth)
	if c.Depth == 0 {
		if to, c.Nodes = t.height, 1; t.height >= len(t.values) {
			return ""
		}
	}
	var best, near []game.Move
	for k := from; k <= to; k++ {
		best, near = append(best, t.alike(k, r.Value, slack)...), append(near, t.alike(k, r.Value, tolerance(r.Value))...)
	}
	if !slices.Contains(best, r.Move) {
		return fmt.Sprintf("move %d, want one of %v", r.Move, best)
	}
	return listed(c, r, near)
}

// drawn returns random options for a search variant. The parameters most and nodes limit the number
// of decisions and of nodes. If ends is set, the search may also continue to the end of the game.
func drawn(r *rand.Rand, g *game.Game, v variant, most, nodes int, ends bool) search.Options {
	c := search.Options{Game: g, Eval: noise{g}, Fork: func() search.Evaluator { return noise{g} }, Table: 1,
		Depth: r.IntN(most + 1), Ties: search.Ties(r.IntN(2)), Complete: r.IntN(3) == 0}
	if c.Depth == 0 || r.IntN(2) == 0 {
		c.Nodes = 1 + int64(math.Exp(r.Float64()*math.Log(float64(nodes))))
	}
	if c.Depth == 0 && ends && r.IntN(4) == 0 {
		c.Nodes = 1 << 40
	}
	if r.IntN(4) == 0 {
		c.Iteration = func(search.Result) {}
	}
	if v.tweak != nil {
		v.tweak(&c)
	}
	return c
}

// tally counts searches of each kind, so that a test can check that every kind occurred.
type tally map[string]int

// hold searches s with random options and compares the results with the truth. It runs each search
// twice. If the search has a table, the second run finds the position there.
func (n tally) hold(t *testing.T, r *rand.Rand, g *game.Game, s game.State, most, deep, nodes int) {
	t.Helper()
	for _, opposed := range []bool{true, false} {
		variants, draw := adversarial, func(game.State, []game.Move) []float64 { return nil }
		if !opposed {
			variants, draw = slices.Concat(averaging, selfish[:2]), searchtest.Averages
		}
		var known *truth
		for range 4 {
			v := variants[r.IntN(len(variants))]
			c := drawn(r, g, v, min(most, height(s, most)+2), nodes, height(s, deep+1) <= deep)
			a := searchtest.MustAgent(t, v.make, c)
			if known == nil {
				known = tell(s, g, draw, deep)
			}
			seed := r.Uint64N(1000)
			a.Begin(seed)
			for i := range 2 {
				res := searchtest.Again(t, a, s)
				if bad := known.wrong(c, res); bad != "" {
					t.Errorf("%s, %s: %s: depth=%d,nodes=%d,ties=%d,complete=%v, seed %d, search %d (depth %d, value %v, exact %v): %s",
						g.Spec, v.name, s, c.Depth, c.Nodes, c.Ties, c.Complete, seed, i+1, res.Depth, res.Value, res.Exact, bad)
				}
				n.count(known, c, res)
			}
		}
	}
}

// count adds r to the tally.
func (n tally) count(t *truth, c search.Options, r search.Result) {
	kinds := map[string]bool{"all": true, "proofs": r.Exact}
	if r.Depth > 0 && t.known(r.Depth) {
		best := t.alike(r.Depth, slices.Max(t.row(r.Depth)), slack)
		kinds["stopped by a limit of nodes"] = c.Nodes > 0 && !r.Exact && (c.Depth == 0 || r.Depth < c.Depth)
		kinds["with a move of the depth that was not finished"] = !r.Exact && !slices.Contains(best, r.Move)
		kinds["of a won position"] = r.Exact && slices.Min(t.far) < len(t.values)
		kinds["with several moves as good"] = len(r.Best) > 1
	}
	for kind, is := range kinds {
		if is {
			n[kind]++
		}
	}
}

// TestTruth tests searches with random options, including node limits, against brute force. It
// checks the value, the move, the equally good moves, the choice of the shortest of several certain
// wins, and the reported depth.
func TestTruth(t *testing.T) {
	trees := 100
	if vectors.Long() {
		trees = 4000
	}
	all := tally{}
	for _, sh := range []searchtest.Shape{
		{Height: 4, Whole: true}, {Height: 5, Signs: true}, {Height: 6, Signs: true},
		{Height: 4, Chance: .3}, {Height: 5, Chance: .3, Signs: true},
	} {
		sh.Players, sh.Sum = 2, game.Zero
		t.Run(fmt.Sprintf("%+v", sh), func(t *testing.T) {
			r := rand.New(rand.NewPCG(29, uint64(sh.Height)))
			for range trees {
				root := sh.Grow(r)
				if root.Turn < 0 {
					continue
				}
				if all.hold(t, r, sh.Game(root), &searchtest.SprigState{Line: []*searchtest.Sprig{root}}, 9, 9, 200); t.Failed() {
					return
				}
			}
		})
	}
	for _, c := range []struct {
		spec              string
		plies, most, deep int
	}{{"connect4", 12, 4, 4}, {"connect4:columns=4,rows=4", 6, 9, 9}, {"tictactoe", 3, 9, 9}, {"connect4:columns=4,rows=4,dice=on", 20, 2, 2}} {
		t.Run(c.spec, func(t *testing.T) {
			r, g := rand.New(rand.NewPCG(29, 12)), world(t, c.spec)
			for range trees / 8 {
				s := wander(g, r, c.plies+r.IntN(10))
				if s.Turn() < 0 {
					continue
				}
				if all.hold(t, r, g, s, c.most, c.deep, 400); t.Failed() {
					return
				}
			}
		})
	}
	for kind, least := range map[string]int{
		"all": 40 * trees, "proofs": trees, "stopped by a limit of nodes": trees, "of a won position": trees,
		"with a move of the depth that was not finished": trees / 40, "with several moves as good": trees / 2,
	} {
		if all[kind] < least {
			t.Errorf("searches %s: %d, want at least %d", kind, all[kind], least)
		}
	}
}
