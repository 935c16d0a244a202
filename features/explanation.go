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

// An Explanation splits a value into terms, from the point of view of one player. The bias and the
// products of the terms add up to Sum. Applying the link to Sum gives Value.
type Explanation struct {
	Value float64         `json:"value"`
	Bias  float64         `json:"bias"`
	Terms []ExplainedTerm `json:"terms"`
	Sum   float64         `json:"sum"`

	// Link, Scale and Range describe the link as in a model file. Range contains the player's
	// lowest and highest utility. The identity link has no Scale and no Range. Formula is the
	// formula that computes Value from sum.
	Link    models.LinkKind `json:"link"`
	Scale   float64         `json:"scale,omitempty"`
	Range   []float64       `json:"range,omitempty"`
	Formula string          `json:"formula"`

	// Leaf is the value that a search uses: Value, limited to the results that are still possible,
	// which lie between Low and High. The bounds are infinite if the game has none.
	Leaf      float64 `json:"leaf"`
	Low, High float64 `json:"-"`
}

// Ending returns the rows below the bias in a printed explanation: the sum of the products, the
// value of the link, and, if the bounds change it, the value used by the search. The last row is
// always Leaf.
func (x *Explanation) Ending(number func(float64) string) (names []string, values []float64) {
	names, values = []string{"sum", "value = " + x.Formula + " ="}, []float64{x.Sum, x.Value}
	if math.Abs(x.Leaf-x.Value) > 1e-9*max(1, math.Abs(x.Value)) {
		names, values = append(names, fmt.Sprintf("kept within %s to %s:", number(x.Low), number(x.High))), append(values, x.Leaf)
	}
	return names, values
}

// An ExplainedTerm is a feature of a position with its contribution to the sum.
type ExplainedTerm struct {
	Name    string  `json:"name"`
	Reads   string  `json:"-"` // term that has Value from the opponent's point of view, such as leaf-min for leaf-max; "" means Name
	Value   float64 `json:"value"`
	Weight  float64 `json:"weight"`
	Product float64 `json:"product"`
}

// Explain uses Extract to split p's value of s into terms. The terms are in the order of the set.
// Equal terms are combined, and terms whose value is 0 are omitted.
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

// tell records in out how p's value is computed from the sum. If one sum determines the values of
// both players, the link gives player 0's utility. In this case, the formula for player 1 uses the
// range of the total minus player 0's utility.
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

// Leaf returns the value that a search uses for p if it stops at s: the result of
// [Evaluator.Evaluate], limited to the results that are still possible.
func (e *Evaluator) Leaf(s game.State, p game.Player) float64 {
	v, _, _ := game.Estimate(e.world, s, p, e.Evaluate(s, p))
	return v
}

// After explains the value of the position after move m at s, from the mover's point of view. In a
// game with slips, it uses the position after the intended move. If m ends the game, over is true,
// and only Leaf and Value are set, where Value is the mover's utility. After leaves s unchanged.
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

// A Change is the change in one term between two positions, both from the same player's point of
// view.
type Change struct {
	Name          string
	Before, After float64 // values of the feature
	Weight        float64
	Difference    float64 // difference of the products
}

// Changes compares two positions term by term and sorts the terms by the size of the difference,
// largest first. The differences add up to the difference between the two sums.
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

// Endings returns the rows of [Explanation.Ending] for two positions, as Before and After. If one
// position has fewer rows, its last value is repeated.
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

// DocsByName returns the documentation of a set's features by their full names, including phases.
// It omits tables. The map is empty if the set is not [Documented].
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

// squareName matches the name of a weight for a square: prefix, file, rank and phase.
var squareName = regexp.MustCompile(`^(.+)-([a-h])([1-8])(@\d+)?$`)

// OnSquare splits the name of a weight for a square of an 8x8 board, such as knight-f3@0. The first
// result is the name without the square (knight@0). file and rank are counted from 0. ok is false
// for other names.
func OnSquare(name string) (of string, file, rank int, ok bool) {
	m := squareName.FindStringSubmatch(name)
	if m == nil {
		return "", 0, 0, false
	}
	return m[1] + m[4], int(m[2][0] - 'a'), int(m[3][0] - '1'), true
}
