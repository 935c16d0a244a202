package models

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"plyfit/internal/elementary"
)

// Term is one feature of a position: which, and how much of it.
type Term struct {
	Index int32
	Value float32
}

// Vector is sparse features of a position, in any order; values of equal indices add up.
type Vector []Term

// Merge is x by index, equal ones added up in their order; it uses x's own room.
func (x Vector) Merge() Vector {
	slices.SortStableFunc(x, func(a, b Term) int { return int(a.Index) - int(b.Index) })
	out := x[:0]
	for _, t := range x {
		if n := len(out); n > 0 && out[n-1].Index == t.Index {
			out[n-1].Value += t.Value
		} else {
			out = append(out, t)
		}
	}
	return out
}

// Bias is the index of the bias column in samples for learning: +1 in the view of player 0, -1 in
// that of the other of two players. No feature set uses it.
const Bias int32 = -1

// Block is a run of related features: one term, a term a phase, a pattern's table.
type Block struct {
	Name string
	Len  int
	// Label is the full name of feature i of the block, 0 <= i < Len; nil: the block's name where
	// Len is 1, else name[i]. Names of millions of pattern weights are made only on demand.
	Label func(i int) string
	// Table marks a pattern table: its weights are float32 and stand in a
	// binary file beside the model. Tables come after all other blocks.
	Table bool
}

// FeatureName is the full name of feature i of the block.
func (b Block) FeatureName(i int) string {
	switch {
	case b.Label != nil:
		return b.Label(i)
	case b.Len == 1:
		return b.Name
	}
	return fmt.Sprintf("%s[%d]", b.Name, i)
}

// Leaves says which positions a model evaluates: those in which a player is to
// decide, or those right after a move, before nature answers it.
type Leaves string

const (
	Decision   Leaves = "decision"   // a player is to decide
	Afterstate Leaves = "afterstate" // a player has moved, nature has not yet answered
)

// Linear is an evaluation Eval(s) = link(bias + sum of w_i f_i(s)) whose weights
// have indices. Readers may share it; writers must not.
type Linear struct {
	Game        string // the game's name, without options
	Features    string // the feature set's name
	Fingerprint string // of all features, in order, by Fingerprint and features.Fingerprint
	Blocks      []Block

	// Weights are those of the blocks that are no tables, Table those of the
	// tables: feature i is Weights[i], or Table[i-len(Weights)].
	Weights []float64
	Table   []float32
	Bias    float64 // player 0's

	Link   Link
	Leaves Leaves
	Range  *Range // of utility that it was made for, where that is not the game's usual one; nil else

	Softmax Softmax // zeros: it was not fitted to moves

	// Errors are standard errors of Weights, in the same order; nil where
	// no one estimated them, NaN for single weights without one.
	Errors     []float64
	BiasError  float64     // 0 where Errors is nil
	Provenance *Provenance // nil for hand-written models

	read readTable // what Table was read as, if it was
}

// Softmax is how a player whose moves a model was fitted to draws them, as package policy has it.
type Softmax struct {
	Temperature float64 // in parts of the range of utilities
	Random      float64 // the share of moves drawn uniformly
}

// Share gives m the table of f, read-only for both from then on; [Linear.Clone] copies it.
func (m *Linear) Share(f *File) {
	m.Table, m.read = f.Table, f.read
	if m.Table == nil {
		m.Table = []float32{}
	}
}

// New is a model of zeros over the blocks. It panics if a table precedes another block.
func New(game, features string, blocks []Block) *Linear {
	m := &Linear{Game: game, Features: features, Blocks: blocks, Link: Link{Kind: Identity}, Leaves: Decision}
	dense, table := 0, 0
	for _, b := range blocks {
		switch {
		case b.Table:
			table += b.Len
		case table > 0:
			panic("models: block " + b.Name + " stands after a table")
		default:
			dense += b.Len
		}
	}
	m.Weights, m.Table = make([]float64, dense), make([]float32, table)
	m.Fingerprint = Fingerprint(blocks)
	return m
}

// Len is the number of features, tables included, the bias not.
func (m *Linear) Len() int { return len(m.Weights) + len(m.Table) }

// Weight is the weight of feature i, the bias for i == Bias.
func (m *Linear) Weight(i int32) float64 {
	switch n := int32(len(m.Weights)); {
	case i == Bias:
		return m.Bias
	case i < n:
		return m.Weights[i]
	default:
		return float64(m.Table[i-n])
	}
}

// Dot is the weighted sum over x, without the bias unless x carries its column.
func (m *Linear) Dot(x Vector) float64 {
	sum := 0.0
	w, table := m.Weights, m.Table
	for _, t := range x {
		i := int(t.Index)
		if j := i - len(w); uint(i) < uint(len(w)) {
			sum += float64(w[i] * float64(t.Value))
		} else if uint(j) < uint(len(table)) {
			sum += float64(float64(table[j]) * float64(t.Value))
		} else {
			sum += float64(m.Weight(t.Index) * float64(t.Value))
		}
	}
	return sum
}

// Name is the full name of feature i.
func (m *Linear) Name(i int32) string {
	if i == Bias {
		return "bias"
	}
	k := int(i)
	for _, b := range m.Blocks {
		if k < b.Len {
			return b.FeatureName(k)
		}
		k -= b.Len
	}
	panic(fmt.Sprintf("models: feature %d of %d", i, m.Len()))
}

// Fix sets the weights of the named terms and returns their indices, in the order of their names.
// Terms of tables cannot be fixed.
func (m *Linear) Fix(weights map[string]float64) ([]int32, error) {
	index := map[string]int32{}
	for i := range m.Weights {
		index[m.Name(int32(i))] = int32(i)
	}
	var out []int32
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		i, ok := index[name]
		if !ok {
			return nil, fmt.Errorf("frozen term %q: %s has none of that name outside of tables", name, m.Features)
		}
		m.Weights[i] = weights[name]
		out = append(out, i)
	}
	return out, nil
}

// Clone is a copy that shares nothing but the blocks' labels.
func (m *Linear) Clone() *Linear {
	c := *m
	c.Blocks = append([]Block(nil), m.Blocks...)
	c.Weights = append([]float64(nil), m.Weights...)
	c.Table, c.read = append([]float32(nil), m.Table...), readTable{}
	if m.Errors != nil {
		c.Errors = append([]float64(nil), m.Errors...)
	}
	if m.Provenance != nil {
		p := *m.Provenance
		c.Provenance = &p
	}
	return &c
}

// LinkKind names a link function.
type LinkKind string

const (
	Identity LinkKind = "identity" // z
	Logistic LinkKind = "logistic" // Min + (Max-Min)/(1+exp(-scale z))
	Tanh     LinkKind = "tanh"     // (Min+Max)/2 + (Max-Min)/2 tanh(scale z)
)

// Link turns the weighted sum z into an expected utility in the game's units. All links are
// strictly increasing, so a search that only compares (minimax) may omit it; one that averages
// (expectimax) may not.
type Link struct {
	Kind  LinkKind
	Scale float64 // positive; 1 where it is not given; not used by Identity
}

// Apply is the utility of z in a game with utilities in [lo, hi].
func (l Link) Apply(z, lo, hi float64) float64 {
	switch l.Kind {
	case Logistic:
		return lo + (hi-lo)/(1+elementary.Exp(-l.scale()*z))
	case Tanh:
		return float64((lo+hi)/2) + float64((hi-lo)/2*elementary.Tanh(l.scale()*z))
	}
	return z
}

// Inverse is the z of utility u; infinite at the ends of [lo, hi] if only approached.
func (l Link) Inverse(u, lo, hi float64) float64 {
	switch l.Kind {
	case Logistic:
		q := (u - lo) / (hi - lo)
		return elementary.Log(q/(1-q)) / l.scale()
	case Tanh:
		return elementary.Atanh((float64(2*u)-lo-hi)/(hi-lo)) / l.scale()
	}
	return u
}

// Slope is the derivative of Apply at z.
func (l Link) Slope(z, lo, hi float64) float64 {
	switch l.Kind {
	case Logistic:
		q := 1 / (1 + elementary.Exp(-l.scale()*z))
		return (hi - lo) * l.scale() * q * (1 - q)
	case Tanh:
		t := elementary.Tanh(l.scale() * z)
		return (hi - lo) / 2 * l.scale() * (1 - float64(t*t))
	}
	return 1
}

// Bounded reports whether the link keeps utilities inside the game's bounds: all but the identity,
// which an empty Kind means, too. Such a link needs a game with bounds.
func (l Link) Bounded() bool { return l.Kind != Identity && l.Kind != "" }

// Formula is the utility of a sum in a game whose utilities lie in [lo, hi],
// as people write it: tanh(sum/2), 0.25 + 0.5/(1+exp(-sum)) or sum.
func (l Link) Formula(sum string, lo, hi float64) string {
	c, bounded := l.TanhScale()
	if !bounded {
		return sum
	}
	times := func(c float64) string {
		switch n := math.Round(1 / c); {
		case c == 1:
			return sum
		case n > 1 && c == 1/n:
			return fmt.Sprintf("%s/%.0f", sum, n)
		}
		return fmt.Sprintf("%.6g*%s", c, sum)
	}
	switch {
	case lo == -1 && hi == 1:
		return fmt.Sprintf("tanh(%s)", times(c))
	case lo == -hi:
		return fmt.Sprintf("%.6g*tanh(%s)", hi, times(c))
	case lo == 0:
		return fmt.Sprintf("%.6g/(1+exp(-%s))", hi, times(2*c))
	}
	return fmt.Sprintf("%.6g + %.6g/(1+exp(-%s))", lo, hi-lo, times(2*c))
}

// Times is the factor by which a weight on l is multiplied on another link for the same utility; ok
// is false where no finite number does. tanh(x) is 2/(1+exp(-2x)) - 1, so logistic and tanh differ
// by a factor.
func (l Link) Times(on Link) (factor float64, ok bool) {
	from, bounded := l.TanhScale()
	to, want := on.TanhScale()
	if !bounded || !want || from == to {
		return 1, bounded == want
	}
	factor = from / to
	return factor, factor > 0 && !math.IsInf(factor, 1)
}

// OnLink is m with weights in another link's unit; ok is false if there is none.
func (m *Linear) OnLink(link Link) (out *Linear, ok bool) {
	factor, ok := m.Link.Times(link)
	if !ok {
		return nil, false
	}
	out = m.times(factor)
	out.Link = link
	return out, true
}

// TanhScale is the c for which tanh(c z) is z's utility, in half ranges from the middle of the
// bounds: 1/(1+exp(-x)) is (1+tanh(x/2))/2. ok is false for unbounded links.
func (l Link) TanhScale() (c float64, ok bool) {
	switch l.Kind {
	case Logistic:
		return l.scale() / 2, true
	case Tanh:
		return l.scale(), true
	}
	return 0, false
}

func (l Link) scale() float64 { return cmp.Or(l.Scale, 1) }
