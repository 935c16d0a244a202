package search

import (
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/search/internal/position"
)

// selective holds the unproven cuts of a search with [Selective], mostly at nodes with a null
// window, where only "more or not" is asked (Shannon's type B, 1950):
//
//   - A node is not searched whose static value exceeds beta by more than a few moves change
//     (futility: Schaeffer 1986, Heinz 1998), or where the mover reaches beta even if he passes
//     (null move: Beal 1989, Goetsch and Campbell 1990).
//   - Near the horizon it skips moves whose static value and immediate gain stay below alpha, and
//     quiet ones after many others; where all are all but certain to fail, only noisy moves are
//     searched (razoring: Birmingham and Kent 1977).
//   - Late moves elsewhere are searched less deep first, and again if they surprise
//     (late-move reductions).
//   - A move that leaves the other no quiet answer, such as a check, is exempt and is searched a
//     decision deeper.
//   - Beyond the horizon it skips noisy moves whose immediate gain does not reach alpha (delta
//     pruning).
//
// What it stores of a position holds on any path, and at smaller depths. Whatever rests on a guess
// is an estimate. The zero value guesses nothing.
type selective struct {
	on      bool
	horizon int                  // of the iteration
	swing   [nearEnd + 1]float64 // what so many quiet moves hardly ever change a value by, at a level score; 0: not known
	half    float64              // of the range of values, whose middle is 0
	game    game.Guessed         // nil: it says neither
	gains   bool                 // what a noisy move gains is known
	passes  bool                 // a player may pass
	noisy   game.Noisy           // nil: there are no noisy moves
	board   game.BoardHasher     // nil: Hash is the board's
	passed  bool                 // the line holds a pass: one is enough
}

// bind asks the game for quiet moves and passes. Wrappers that track positions and incremental
// evaluations know no pass. Averages have no null windows, so there nothing is guessed.
func (g *selective) bind(pos *position.Position, c *config, scout bool) {
	*g = selective{on: c.Prune == Selective && scout}
	if !g.on {
		return
	}
	g.game, _ = pos.State.(game.Guessed)
	if swing := c.Game.Base().Swing; swing > 0 && pos.Shape.Min == -pos.Shape.Max {
		g.half = pos.Shape.Max
		for d := 1; d < len(g.swing); d++ {
			g.swing[d] = g.moved(g.swing[d-1], swing)
		}
		g.gains = g.game != nil
	}
	g.noisy, _ = game.As[game.Noisy](pos.State)
	g.board, _ = pos.State.(game.BoardHasher)
	g.passes = g.game != nil && !pos.Tracked()
}

// moved is the value v after a change worth x at a level score. Values are odds: a change that
// trebles the odds does so ahead and behind. With v = tanh a and x = tanh b it is tanh(a+b).
func (g *selective) moved(v, x float64) float64 {
	v, x = v/g.half, x/g.half
	return float64(g.half * ((v + x) / (1 + float64(v*x))))
}

// most is what a noisy move hardly ever makes more of than, where the static value of
// the mover is v; ok is false where that is not known.
func (g *selective) most(v float64, m game.Move) (most float64, ok bool) {
	if !g.gains {
		return 0, false
	}
	return g.moved(g.moved(v, g.game.Gain(m)), g.swing[1]), true
}

// isForced reports whether the player to move has no quiet move.
func (g *selective) isForced() bool { return g.noisy != nil && g.noisy.Forced() }

// static is what is known of a node before its moves are searched.
type static struct {
	asks  bool    // there is something to guess: a null window inside the bounds, and no one forced
	value float64 // static, in the mover's view
}

// ask evaluates a node where that may save searching it.
func (s *pvs) ask(n *node, alpha, beta float64) (g static) {
	rules, pos := &s.guess, &s.text.pos
	if rules.half == 0 && !rules.passes || beta > position.Above(alpha) {
		return g
	}
	lo, hi := n.own.Window(pos.Shape.Min, pos.Shape.Max)
	if !(alpha > lo && beta < hi) || rules.isForced() {
		return g
	}
	return static{true, n.own.Of(pos.Evaluate())}
}

// holds reports whether the mover holds beta without having to move, as far as a guess or
// a search by some decisions shallower tells.
func (s *pvs) holds(n *node, g static, alpha, beta float64) bool {
	pos, rules := &s.text.pos, &s.guess
	switch {
	case !g.asks || g.value < beta:
		return false
	case rules.half > 0 && n.depth <= nearEnd && rules.moved(g.value, -rules.swing[n.depth]) >= beta:
		return true
	case !rules.passes || rules.passed || n.below < 1 || !rules.game.MayPass():
		return false
	}
	rules.passed = true
	rules.game.Pass()
	s.text.pv.down()
	v := s.search(n.own, max(0, n.below-2-n.depth/4), alpha, beta)
	s.text.pv.up()
	pos.State.Undo()
	rules.passed = false
	return v >= beta && !pos.Effort.Stopped()
}

// drops reports whether the mover, who is far behind near the horizon, does not reach alpha
// by noisy moves, and a bound of what he does reach.
func (s *pvs) drops(n *node, g static, alpha, beta float64) (v float64, ok bool) {
	rules := &s.guess
	if !g.asks || rules.half == 0 || n.depth > dropPlies || s.text.qsearch == nil || rules.moved(g.value, rules.swing[n.depth+1]) > alpha {
		return 0, false
	}
	lo, hi := n.own.Window(alpha, beta)
	v = n.own.Of(s.text.leaf(lo, hi))
	return v, v <= alpha
}

// gain is what m gains at once, where that may decide whether it is left out.
func (g *selective) gain(n *node, at static, m game.Move) float64 {
	if !g.gains || n.depth > lastPlies || !at.asks {
		return 0
	}
	return g.game.Gain(m)
}

// reduce says how many decisions before the horizon the i-th move of a node, already made and
// gaining gain, is searched, or that it is skipped. A quiet move that cut nothing near by has a
// rank below killerRank. A reduction needs a window that only asks whether the move surprises.
func (s *pvs) reduce(n *node, g static, i int, rank int64, gain, alpha float64, scout bool) (below int, skip bool) {
	rules := &s.guess
	quiet := rank < killerRank
	switch {
	case rules.isForced():
		if n.below < n.depth && s.text.pv.ply < 2*rules.horizon {
			return n.below + 1, false
		}
	case i == 0 || !quiet && (!rules.gains || n.depth > lastPlies):
	case g.asks && rules.half > 0 && n.depth <= lastPlies:
		late := quiet && i >= 8+2*n.depth*n.depth
		return n.below, late || rules.moved(rules.moved(g.value, gain), rules.swing[n.depth]) <= alpha
	case !quiet:
	case scout && i >= fullMoves && n.depth > 2:
		return n.below - min(n.below, reductions[min(n.depth, len(reductions)-1)][min(i, len(reductions[0])-1)]), false
	}
	return n.below, false
}

const (
	fullMoves = 3 // moves of a node that are never searched less deep
	nearEnd   = 6 // decisions before the horizon within which a static value may hold beta by itself
	lastPlies = 3 // and within which moves may be left out
	dropPlies = 2 // and within which noisy moves may be all that is asked
)

// reductions are those of late moves, by the decisions before the horizon and by the
// moves before them: they grow by the logarithms of both.
var reductions = func() (r [32][64]int) {
	for d := 1; d < len(r); d++ {
		for i := 1; i < len(r[d]); i++ {
			r[d][i] = int(.5 + float64(elementary.Log(float64(d))*elementary.Log(float64(i)))/2.2)
		}
	}
	return r
}()
