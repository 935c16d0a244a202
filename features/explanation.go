package features

import (
	"slices"

	"plyfit/game"
	"plyfit/models"
)

// Explanation is a value term by term: the link of Bias and all products is
// Value. All is in one player's view.
type Explanation struct {
	Value float64         `json:"value"`
	Bias  float64         `json:"bias"`
	Terms []ExplainedTerm `json:"terms"`
}

// ExplainedTerm is one feature of a position and what it adds to the sum.
type ExplainedTerm struct {
	Name    string  `json:"name"`
	Reads   string  `json:"-"` // what Value is where it is turned over from another's view: leaf-min of leaf-max; "": as Name says
	Value   float64 `json:"value"`
	Weight  float64 `json:"weight"`
	Product float64 `json:"product"`
}

// Sum is what goes into the link.
func (x *Explanation) Sum() float64 {
	sum := x.Bias
	for _, t := range x.Terms {
		sum += t.Product
	}
	return sum
}

// Explain takes the value of s for p apart, by Extract: its terms in the set's
// order, equal ones together, those that are 0 here left out.
func (e *Evaluator) Explain(s game.State, p game.Player) Explanation {
	s = game.Base(s)
	view := p
	if e.perspective.opposed {
		view = e.set.View(s)
	}
	x := e.set.Extract(s, view, nil)
	slices.SortStableFunc(x, func(a, b models.Term) int { return int(a.Index) - int(b.Index) })
	turn := e.perspective.sign(view) * e.perspective.sign(p)
	out := Explanation{Bias: e.perspective.sign(p) * e.model.Bias, Terms: []ExplainedTerm{}}
	var others map[string]string
	if o, ok := e.set.(Opposed); ok {
		others = o.Others()
	}
	z := 0.0
	for i := 0; i < len(x); {
		t := ExplainedTerm{Name: e.model.Name(x[i].Index), Weight: e.model.Weight(x[i].Index)}
		if turn < 0 {
			t.Reads = others[t.Name]
		}
		for at := x[i].Index; i < len(x) && x[i].Index == at; i++ {
			t.Value += float64(x[i].Value)
		}
		t.Value *= turn
		if t.Product = t.Value * t.Weight; t.Value != 0 {
			out.Terms = append(out.Terms, t)
			z += t.Product
		}
	}
	out.Value = e.perspective.utility((out.Bias+z)*e.perspective.sign(p), p)
	return out
}

// After takes apart what the position after the move m at s is worth to its mover: where
// hands slip, after the move that is meant. Where over, m ends the game, and Value alone is
// set, to what he gets. It leaves s as it found it.
func (e *Evaluator) After(s game.State, m game.Move) (x Explanation, over bool) {
	mover := s.Turn()
	for range game.PlayIntended(s, m) {
		defer s.Undo()
	}
	if s.Turn() == game.Nobody {
		return Explanation{Value: s.Utility(mover)}, true
	}
	return e.Explain(s, mover), false
}
