package search

import (
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/search/internal/position"
)

// selective implements the unproven cuts of a search with [Selective] (Shannon's type B, 1950).
// Most of them apply at nodes with a null window, where the search needs to decide only whether the
// value exceeds alpha:
//
//   - A node is not searched if its static value exceeds beta by more than a few moves usually
//     change (futility: Schaeffer 1986, Heinz 1998), or if the mover reaches beta even after a pass
//     (null move: Beal 1989, Goetsch and Campbell 1990).
//   - Near the horizon, a move is skipped if its static value and immediate gain stay below alpha,
//     and a quiet move is skipped after many others. If all moves are almost certain to fail, only
//     noisy moves are searched (razoring: Birmingham and Kent 1977).
//   - Elsewhere, late moves are first searched less deeply, and again at full depth if they exceed
//     alpha (late-move reductions).
//   - A move that leaves the opponent no quiet answer, such as a check, is exempt and is searched
//     one decision deeper.
//   - Beyond the horizon, a noisy move is skipped if its immediate gain does not reach alpha (delta
//     pruning).
//
// A table entry from such a search is used for every path to the position, and also for smaller
// depths. Every value that depends on an unproven cut counts as an estimate. The zero value makes
// no unproven cuts.
type selective struct {
	on      bool
	horizon int                  // horizon of the current iteration
	swing   [nearEnd + 1]float64 // change in value that n quiet moves rarely exceed, starting from an even position; 0 if unknown
	half    float64              // half the width of the range of values, whose middle is 0
	game    game.Guessed         // nil if the game provides neither gains nor passes
	gains   bool                 // the gain of a noisy move is known
	passes  bool                 // a player may pass
	noisy   game.Noisy           // nil if there are no noisy moves
	board   game.BoardHasher     // nil if State.Hash depends only on the board
	passed  bool                 // the current line contains a pass; only one is allowed
}

// bind determines which unproven cuts the game supports. Passes are not possible if a wrapper
// tracks positions or the evaluation is incremental. If the search has no null windows, as in
// searches with averages, all unproven cuts are disabled.
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

// moved returns the value v after a change that would be worth x in an even position. It treats
// values as odds: a change that triples the odds in one position triples them in every position.
// With v = tanh a and x = tanh b, the result is tanh(a+b).
func (g *selective) moved(v, x float64) float64 {
	v, x = v/g.half, x/g.half
	return float64(g.half * ((v + x) / (1 + float64(v*x))))
}

// most returns a value that the position after the noisy move m rarely exceeds. v is the mover's
// static value. The result ok is false if the game does not provide gains.
func (g *selective) most(v float64, m game.Move) (most float64, ok bool) {
	if !g.gains {
		return 0, false
	}
	return g.moved(g.moved(v, g.game.Gain(m)), g.swing[1]), true
}

// isForced reports whether the player to move has no quiet move.
func (g *selective) isForced() bool { return g.noisy != nil && g.noisy.Forced() }

// static describes a node before its moves are searched.
type static struct {
	usable bool    // unproven cuts are possible: the window is null and lies inside the bounds, and the mover is not forced
	value  float64 // static evaluation from the mover's point of view
}

// staticOf evaluates a node if the evaluation may make it unnecessary to search the node.
func (s *pvs) staticOf(n *node, alpha, beta float64) (g static) {
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

// failsHigh reports whether the mover probably reaches beta without having to move, according to
// the static value or to a shallower search after a pass.
func (s *pvs) failsHigh(n *node, g static, alpha, beta float64) bool {
	pos, rules := &s.text.pos, &s.guess
	switch {
	case !g.usable || g.value < beta:
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

// failsLow reports whether the mover, who is far behind and has few decisions left to the horizon,
// fails to reach alpha with noisy moves. If so, v is an upper bound.
func (s *pvs) failsLow(n *node, g static, alpha, beta float64) (v float64, ok bool) {
	rules := &s.guess
	if !g.usable || rules.half == 0 || n.depth > dropPlies || s.text.qsearch == nil || rules.moved(g.value, rules.swing[n.depth+1]) > alpha {
		return 0, false
	}
	lo, hi := n.own.Window(alpha, beta)
	v = n.own.Of(s.text.leaf(lo, hi))
	return v, v <= alpha
}

// gain returns the immediate gain of the move m if the gain may decide whether m is skipped,
// otherwise 0.
func (g *selective) gain(n *node, at static, m game.Move) float64 {
	if !g.gains || n.depth > lastPlies || !at.usable {
		return 0
	}
	return g.game.Gain(m)
}

// reduce returns the depth to which the i-th move of a node is searched, or reports that the move
// is skipped. The move has already been played, and gain is its immediate gain. A quiet move that
// caused no cutoff nearby has a rank below killerRank. Reductions require a null window, which
// shows whether the move is better than expected.
func (s *pvs) reduce(n *node, g static, i int, rank int64, gain, alpha float64, scout bool) (below int, skip bool) {
	rules := &s.guess
	quiet := rank < killerRank
	switch {
	case rules.isForced():
		if n.below < n.depth && s.text.pv.ply < 2*rules.horizon {
			return n.below + 1, false
		}
	case i == 0 || !quiet && (!rules.gains || n.depth > lastPlies):
	case g.usable && rules.half > 0 && n.depth <= lastPlies:
		late := quiet && i >= 8+2*n.depth*n.depth
		return n.below, late || rules.moved(rules.moved(g.value, gain), rules.swing[n.depth]) <= alpha
	case !quiet:
	case scout && i >= fullMoves && n.depth > 2:
		return n.below - min(n.below, reductions[min(n.depth, len(reductions)-1)][min(i, len(reductions[0])-1)]), false
	}
	return n.below, false
}

const (
	fullMoves = 3 // number of a node's first moves that are always searched at full depth
	nearEnd   = 6 // maximum depth at which the static value alone may cause a cutoff at beta
	lastPlies = 3 // maximum depth at which moves may be skipped
	dropPlies = 2 // maximum depth at which noisy moves alone may decide the value of a node
)

// reductions contains the reductions of late moves, by depth and by the number of preceding moves.
// They grow with the logarithms of both.
var reductions = func() (r [32][64]int) {
	for d := 1; d < len(r); d++ {
		for i := 1; i < len(r[d]); i++ {
			r[d][i] = int(.5 + float64(elementary.Log(float64(d))*elementary.Log(float64(i)))/2.2)
		}
	}
	return r
}()
