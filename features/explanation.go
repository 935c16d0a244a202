package features

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"plyfit/game"
	"plyfit/models"
)

// Explanation is a value term by term: Bias and all products come to Sum, and the link of
// Sum is Value. All is in one player's view.
type Explanation struct {
	Value float64         `json:"value"`
	Bias  float64         `json:"bias"`
	Terms []ExplainedTerm `json:"terms"`
	Sum   float64         `json:"sum"`

	// Link with its Scale spans Range, the least and the most that the player can get in the game:
	// as a model file has the first two. The identity has neither. Formula is Value in terms of
	// sum.
	Link    models.LinkKind `json:"link"`
	Scale   float64         `json:"scale,omitempty"`
	Range   []float64       `json:"range,omitempty"`
	Formula string          `json:"formula"`

	// Leaf is Value as a search takes it: within what the end can still be worth, from
	// Low to High (infinite where there is no such bound).
	Leaf      float64 `json:"leaf"`
	Low, High float64 `json:"-"`
}

// Ending are the rows below the bias of a printed explanation: the sum of the products, the link's
// value of it and, if that exceeds what can still be won or lost, the search's value. The last one
// is Leaf.
func (x *Explanation) Ending(number func(float64) string) (names []string, values []float64) {
	names, values = []string{"sum", "value = " + x.Formula + " ="}, []float64{x.Sum, x.Value}
	if math.Abs(x.Leaf-x.Value) > 1e-9*max(1, math.Abs(x.Value)) {
		names, values = append(names, fmt.Sprintf("kept within %s to %s:", number(x.Low), number(x.High))), append(values, x.Leaf)
	}
	return names, values
}

// ExplainedTerm is one feature of a position and what it adds to the sum.
type ExplainedTerm struct {
	Name    string  `json:"name"`
	Reads   string  `json:"-"` // what Value is where it is turned over from another's view: leaf-min of leaf-max; "": as Name says
	Value   float64 `json:"value"`
	Weight  float64 `json:"weight"`
	Product float64 `json:"product"`
}

// Explain takes the value of s for p apart, by Extract: its terms in the set's
// order, equal ones together, those that are 0 here left out.
func (e *Evaluator) Explain(s game.State, p game.Player) Explanation {
	world := s
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
	out.Sum = out.Bias
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
			out.Sum += t.Product
		}
	}
	out.Value = e.perspective.utility(out.Sum*e.perspective.sign(p), p)
	e.perspective.tell(&out, p)
	out.Leaf, out.Low, out.High = game.Estimate(e.world, world, p, out.Value)
	return out
}

// tell says how the value of out comes of its sum, in p's view: where that is the opposite
// of the sum that the link is made for, the link of the other end of the range.
func (e *perspective) tell(out *Explanation, p game.Player) {
	lo, hi, offset := e.lo, e.hi, 0.0
	if e.opposed && p > 0 {
		lo, hi, offset = e.total-e.hi, e.total-e.lo, e.total
	}
	out.Link, out.Formula = e.link.Kind, e.link.Formula("sum", lo, hi)
	if c, bounded := e.link.TanhScale(); bounded {
		out.Scale, out.Range = c, []float64{lo, hi}
		if e.link.Kind == models.Logistic {
			out.Scale = 2 * c
		}
	} else if out.Link = models.Identity; offset != 0 {
		out.Formula = fmt.Sprintf("%.6g + sum", offset)
	}
}

// Leaf is what a search that stops at s expects for p: what [Evaluator.Evaluate] says,
// within what the end can still be worth.
func (e *Evaluator) Leaf(s game.State, p game.Player) float64 {
	v, _, _ := game.Estimate(e.world, s, p, e.Evaluate(s, p))
	return v
}

// After explains the value of the position after the move m at s to its mover; with slips, after
// the intended move. If over, m ends the game, and only Value, his utility, and Leaf are set. It
// leaves s unchanged.
func (e *Evaluator) After(s game.State, m game.Move) (x Explanation, over bool) {
	mover := s.Turn()
	for range game.PlayIntended(s, m) {
		defer s.Undo()
	}
	if s.Turn() == game.Nobody {
		return Explanation{Value: s.Utility(mover), Leaf: s.Utility(mover)}, true
	}
	return e.Explain(s, mover), false
}

// Change is one term's change between two positions, both in one player's view.
type Change struct {
	Name          string
	Before, After float64 // the feature
	Weight        float64
	Difference    float64 // of the products
}

// Changes compares two positions term by term, the greatest difference first. The
// differences sum to that of the two sums.
func Changes(before, after Explanation) (list []Change) {
	at := map[string]int{}
	find := func(name string, weight float64) *Change {
		i, ok := at[name]
		if !ok {
			i, at[name] = len(list), len(list)
			list = append(list, Change{Name: name, Weight: weight})
		}
		return &list[i]
	}
	for _, x := range before.Terms {
		c := find(x.Name, x.Weight)
		c.Before, c.Difference = x.Value, c.Difference-x.Product
	}
	for _, x := range after.Terms {
		c := find(x.Name, x.Weight)
		c.After, c.Difference = x.Value, c.Difference+x.Product
	}
	slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference)) })
	return list
}

// Endings are [Explanation.Ending] of two positions side by side, their Before and After:
// as many rows as the longer has, in which the last of the other stays as it is.
func Endings(before, after Explanation, number func(float64) string) (list []Change) {
	names, x := before.Ending(number)
	more, y := after.Ending(number)
	if len(more) > len(names) {
		names = more
	}
	for i, name := range names {
		c := Change{Name: name, Before: x[min(i, len(x)-1)], After: y[min(i, len(y)-1)]}
		c.Difference = c.After - c.Before
		list = append(list, c)
	}
	return list
}

// DocsByName is what documentation says of the features of a set outside of tables, by
// their full names, phases included; empty where the set is not [Documented].
func DocsByName(s Set) map[string]string {
	out := map[string]string{}
	documented, ok := s.(Documented)
	if !ok {
		return out
	}
	docs := map[string]string{}
	for _, d := range documented.Docs() {
		for _, name := range d.Of {
			docs[name] = d.Text
		}
	}
	for _, b := range s.Blocks() {
		if b.Table {
			continue
		}
		for i := range b.Len {
			name := b.FeatureName(i)
			base, _, _ := strings.Cut(name, "@")
			if text, ok := docs[base]; ok {
				out[name] = text
			}
		}
	}
	return out
}

// squareName names a weight of a piece on a square: what it is of, file, rank, and phase.
var squareName = regexp.MustCompile(`^(.+)-([a-h])([1-8])(@\d+)?$`)

// OnSquare reads the name of a weight for something on a square of an 8x8 board, such as
// knight-f3@0: of what, with the phase if any (knight@0), and file and rank, counted from 0. ok is
// false for other names.
func OnSquare(name string) (of string, file, rank int, ok bool) {
	m := squareName.FindStringSubmatch(name)
	if m == nil {
		return "", 0, 0, false
	}
	return m[1] + m[4], int(m[2][0] - 'a'), int(m[3][0] - '1'), true
}
