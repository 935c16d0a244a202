package damage

import (
	"context"
	"math"

	"plyfit/game"
	"plyfit/search"
)

// planner searches to a fixed depth with a damaged evaluation and knows the world
// it plays in.
type planner struct {
	walk *Walk
	near float64 // how far apart values may lie and be as good as each other
}

// tolerance is the tolerance of values in half ranges where they were averaged, far
// below what tells neighbouring grades apart.
const Tolerance = 1e-12

func (u *Subject) Planner(w World, depth int, d Damage) *planner {
	return &planner{NewWalk(u.Evaluation, depth, w.nature(), []float64{w.Slip}, u.Finish(d)), Tolerance}
}

// Begin implements [search.Agent]: nothing is remembered, nothing drawn.
func (p *planner) Begin(uint64) {}

// Search implements [search.Agent]: the first of the best moves.
func (p *planner) Search(_ context.Context, s game.State) (search.Result, error) {
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
		return r, nil
	}
	moves, values := w.Values(base, root)
	i := firstBest(values, 0, p.near)
	r.Move, r.Value = moves[i], values[i][0]
	return r, nil
}

// firstBest is the first of the moves whose value in a column is within near of
// the best.
func firstBest(values [][]float64, column int, near float64) int {
	best := math.Inf(-1)
	for _, v := range values {
		best = math.Max(best, v[column])
	}
	for i, v := range values {
		if v[column] >= best-near {
			return i
		}
	}
	panic("study: no best move")
}

var _ search.Agent = (*planner)(nil)
