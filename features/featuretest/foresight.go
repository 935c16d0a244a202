package featuretest

import (
	"math"
	"slices"
	"testing"

	"plyfit/features"
	"plyfit/game"
)

// foreseen checks what a set finds by looking ahead against a search that makes the moves.
func (l *law) foreseen(t *testing.T) {
	m := *l.model
	m.Weights = slices.Clone(m.Weights)
	for i := range m.Weights { // so that evaluations stray out of their bounds, too
		m.Weights[i] *= 3000
	}
	f, ok := features.NewEvaluator(l.g, l.set, &m).Foresight()
	if !ok {
		t.Skip("the set foresees nothing")
	}
	slow := features.NewReference(l.g, l.set, &m)
	seen := 0
	l.play(5, func(s game.State) {
		for depth := 1; depth <= 1+seen%2; depth++ {
			o := lookahead{s: s, slow: slow, g: l.g}
			visited := int64(0)
			f.Prepare(-1)
			got, evaluations, _, ok := f.Foresee(s, depth, func(n int64) int64 { visited += n; return 1 + visited%50 })
			if !ok {
				return
			}
			if want := o.average(depth); !near(got, want) || visited != o.nodes || evaluations != o.evaluations {
				t.Fatalf("%s, depth %d: foreseen %v, in %d nodes, %d evaluations; want %v in %d, %d", s, depth, got, visited, evaluations, want, o.nodes, o.evaluations)
			}
		}
		seen++
	}, nil, nil)
	if seen == 0 {
		t.Error("nothing was foreseen")
	}
}

// lookahead is the search that a set's own is checked against, move by move.
type lookahead struct {
	s                  game.State
	slow               *features.Evaluator
	g                  *game.Game
	nodes, evaluations int64
}

func (o *lookahead) average(depth int) (sum float64) {
	for _, m := range o.s.Moves(nil) {
		p := o.s.(game.Chancer).Prob(m)
		o.s.Play(m)
		o.nodes++
		sum += float64(p * o.best(depth-1))
		o.s.Undo()
	}
	return sum
}

func (o *lookahead) best(depth int) float64 {
	if o.s.Turn() == game.Nobody {
		return o.s.Utility(0)
	}
	best := math.Inf(-1)
	for _, m := range o.s.Moves(nil) {
		o.s.Play(m)
		o.nodes++
		if depth > 0 {
			best = max(best, o.average(depth))
			o.s.Undo()
			continue
		}
		o.evaluations++
		lo, hi := o.g.Min, o.g.Max
		if b, ok := o.s.(game.Bounder); ok {
			lo, hi = b.Bounds(0)
		}
		best = max(best, min(max(o.slow.Evaluate(o.s, 0), lo), hi))
		o.s.Undo()
	}
	return best
}
