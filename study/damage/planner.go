package damage

import (
	"context"
	"math"
	"slices"

	"plyfit/game"
	"plyfit/search"
	"plyfit/study"
)

// planner searches to a fixed depth with a damaged evaluation, in whatever world it plays.
type planner struct {
	walk *treeWalk
	near float64 // how far apart values may lie and be as good as each other
}

// Tolerance is how far apart averaged values, in half ranges, may be and count as equal.
const Tolerance = 1e-12

// Planner searches so many decisions deep with the damaged evaluation. If it assumes no slip (and in
// games of chance a hostile nature) it is minimax, else expectimax.
func (u *Subject) Planner(assumes study.World, depth int, d Damage) *planner {
	return &planner{newWalk(u.Evaluation, depth, natureOf(assumes), assumes.Slip, u.Finish(d)), Tolerance}
}

// blindPlanner is a planner of the evaluation that is [Evaluation.Blind].
func (u *Subject) blindPlanner(assumes study.World, depth int) *planner {
	p := u.Planner(assumes, depth, Damage{})
	p.walk.damaged = u.Blind()
	return p
}

// Blind knows only the ends of the game: elsewhere it expects the middle of the range.
func (e *Evaluation) Blind() *Damaged {
	l := e.Damaged(Damage{})
	clear(l.values[1 : len(l.values)-1])
	return l
}

func natureOf(w study.World) nature {
	if w.Hostile {
		return opposes
	}
	return averages
}

// Begin implements [search.Agent]: nothing is remembered, nothing drawn.
func (p *planner) Begin(uint64) {}

// Search implements [search.Agent]: the first of the best moves. It ends soon after ctx does.
func (p *planner) Search(ctx context.Context, s game.State) (search.Result, error) {
	w := p.walk
	w.ctx, w.ended = ctx, false
	r := p.search(s)
	if w.ended {
		return r, ctx.Err()
	}
	return r, nil
}

func (p *planner) search(s game.State) search.Result {
	w := p.walk
	root := s.Turn()
	base := game.Base(s).Clone()
	w.begin(base, root)
	r := search.Result{Move: game.NoMove, Depth: w.depth}
	if w.compares() {
		below := w.depth
		if base.Turn() >= 0 {
			below--
		}
		best := math.Inf(-1)
		for _, m := range base.Moves(nil) {
			base.Play(m)
			if v := w.cut(below, best, math.Inf(1)); v > best || r.Move == game.NoMove {
				best, r.Move = v, m
			}
			base.Undo()
		}
		r.Value = best
		return r
	}
	moves, values := w.Values(base, root)
	i := firstBest(values, p.near)
	r.Move, r.Value = moves[i], values[i]
	return r
}

// firstBest is the first of the moves whose value is within near of the best.
func firstBest(values []float64, near float64) int {
	best := slices.Max(values)
	return slices.IndexFunc(values, func(v float64) bool { return v >= best-near })
}

var _ search.Agent = (*planner)(nil)
