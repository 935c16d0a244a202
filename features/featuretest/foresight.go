package featuretest

import (
	"math"
	"slices"
	"testing"

	"plyfit/features"
	"plyfit/game"
)

// foreseen holds what a set foresees to what comes of it.
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
		got, nodes, evaluations, ok := f.Foresee(s)
		if !ok {
			return
		}
		seen++
		o := lastDecision{s: s, slow: slow, g: l.g}
		if want := o.average(); !near(got, want) || nodes != o.nodes || evaluations != o.evaluations {
			t.Fatalf("%s: foreseen %v, in %d nodes, %d evaluations; want %v in %d, %d", s, got, nodes, evaluations, want, o.nodes, o.evaluations)
		}
	}, nil, nil)
	if seen == 0 {
		t.Error("nothing was foreseen")
	}
}

// lastDecision is the last decision, move by move.
type lastDecision struct {
	s                  game.State
	slow               *features.Evaluator
	g                  *game.Game
	nodes, evaluations int64
}

func (o *lastDecision) average() (sum float64) {
	for _, m := range o.s.Moves(nil) {
		p := o.s.(game.Chancer).Prob(m)
		o.s.Play(m)
		o.nodes++
		sum += float64(p * o.best())
		o.s.Undo()
	}
	return sum
}

func (o *lastDecision) best() float64 {
	if o.s.Turn() == game.Nobody {
		return o.s.Utility(0)
	}
	best := math.Inf(-1)
	for _, m := range o.s.Moves(nil) {
		o.s.Play(m)
		o.nodes, o.evaluations = o.nodes+1, o.evaluations+1
		lo, hi := o.g.Min, o.g.Max
		if b, ok := o.s.(game.Bounder); ok {
			lo, hi = b.Bounds(0)
		}
		best = max(best, min(max(o.slow.Evaluate(o.s, 0), lo), hi))
		o.s.Undo()
	}
	return best
}
