package models

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"plyfit/internal/elementary"
)

// A Term is a feature of a position and its value.
type Term struct {
	Index int32
	Value float32
}

// A Vector contains the nonzero features of a position in any order. Values with the same index are
// added.
type Vector []Term

// Merge sorts x by index and adds values with the same index. The result reuses the memory of x.
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

// Bias is the index of the bias term in samples for learning. Its value is 1 from player 0's point
// of view and -1 from player 1's. Feature sets do not use this index.
const Bias int32 = -1

// A Block is a sequence of related features, such as a single term, a term for each phase, or the
// table of a pattern.
type Block struct {
	Name string
	Len  int
	// Group is the name of the idea that the block shares with other blocks. "" means Name.
	Group string
	// Label returns the full name of feature i of the block, 0 <= i < Len. If Label is nil, the
	// name is Name for a block of length 1, and Name[i] otherwise. Because Label is a function, the
	// names of millions of pattern weights need not be stored.
	Label func(i int) string
	// Table marks a pattern table. Its weights are of type float32 and are stored in a binary file
	// next to the model. Tables must follow all other blocks.
	Table bool
}

// FeatureName returns the full name of feature i of the block.
func (b Block) FeatureName(i int) string {
	switch {
	case b.Label != nil:
		return b.Label(i)
	case b.Len == 1:
		return b.Name
	}
	return fmt.Sprintf("%s[%d]", b.Name, i)
}

// Leaves is the kind of positions that a model evaluates: positions in which a player is to move,
// or positions right after a move, before any chance move.
type Leaves string

const (
	Decision   Leaves = "decision"   // a player is to move
	Afterstate Leaves = "afterstate" // a player has moved, and a chance move may follow
)

// A Linear is an evaluation Eval(s) = link(bias + sum of w_i f_i(s)) with indexed weights. It may
// be read concurrently but must not be modified at the same time.
type Linear struct {
	Game        string // name of the game, without options
	Features    string // name of the feature set
	Fingerprint string // digest of the features; see Fingerprint and features.Fingerprint
	Blocks      []Block

	// Weights contains the weights of all blocks that are not tables, and Table contains those of
	// the tables. Feature i has the weight Weights[i], or Table[i-len(Weights)].
	Weights []float64
	Table   []float32
	Bias    float64 // for player 0

	Link   Link
	Leaves Leaves
	Range  *Range // range of utilities for which the model was made; nil for the game's usual range

	Softmax Softmax // zero if the model was not fitted to moves

	// Errors contains the standard errors of Weights in the same order. It is nil if none were
	// estimated. If a weight has no standard error, its value is NaN.
	Errors     []float64
	BiasError  float64     // standard error of Bias; 0 if Errors is nil
	Provenance *Provenance // nil for hand-written models

	read readTable // table as read from a file, if it was
}

// A model can be fitted to a player's moves. Softmax describes how that player draws moves. See
// package policy.
type Softmax struct {
	Temperature float64 // temperature, as a fraction of the range of utilities
	Random      float64 // fraction of moves drawn uniformly
}

// Share makes m use f's table. Neither may modify the table afterwards. [Linear.Clone] copies it.
func (m *Linear) Share(f *File) {
	m.Table, m.read = f.Table, f.read
	if m.Table == nil {
		m.Table = []float32{}
	}
}

// New returns a model with zero weights for the given blocks. It panics if a table precedes another
// kind of block.
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

// Len returns the number of features, including tables but not the bias.
func (m *Linear) Len() int { return len(m.Weights) + len(m.Table) }

// Weight returns the weight of feature i, or the bias if i is Bias.
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

// Dot returns the weighted sum of x. It includes the bias only if x contains the term Bias.
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

// Name returns the full name of feature i.
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

// A Group contains the features of blocks that share an idea.
type Group struct {
	Name     string
	Features []int32
}

// Groups returns the groups of the blocks, in the order of their first blocks.
func Groups(blocks []Block) (groups []Group) {
	next := int32(0)
	for _, b := range blocks {
		name := cmp.Or(b.Group, b.Name)
		k := slices.IndexFunc(groups, func(g Group) bool { return g.Name == name })
		if k < 0 {
			k, groups = len(groups), append(groups, Group{Name: name})
		}
		for range b.Len {
			groups[k].Features = append(groups[k].Features, next)
			next++
		}
	}
	return groups
}

// UsedGroups reports for each group, by name, whether it has a weight other than 0.
func (m *Linear) UsedGroups() map[string]bool {
	used, next := map[string]bool{}, int32(0)
	for _, b := range m.Blocks {
		name := cmp.Or(b.Group, b.Name)
		for i := int32(0); i < int32(b.Len) && !used[name]; i++ {
			used[name] = m.Weight(next+i) != 0
		}
		next += int32(b.Len)
	}
	return used
}

// Fix sets the weights of the named terms, and of all terms of the named groups, and returns their
// indices. It returns an error if a name does not exist or is in a table, or if two names share a
// term.
func (m *Linear) Fix(weights map[string]float64) (fixed []int32, err error) {
	index := map[string][]int32{}
	for _, g := range Groups(m.Blocks) {
		if n := len(g.Features); n > 0 && int(g.Features[n-1]) < len(m.Weights) { // they are in ascending order
			index[g.Name] = g.Features
		}
	}
	for i := range m.Weights {
		index[m.Name(int32(i))] = []int32{int32(i)}
	}
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		features, ok := index[name]
		if !ok {
			return nil, fmt.Errorf("frozen term %q: %s has no such term or group outside its tables", name, m.Features)
		}
		for _, i := range features {
			if slices.Contains(fixed, i) {
				return nil, fmt.Errorf("frozen term %q: %s is frozen twice", name, m.Name(i))
			}
			m.Weights[i] = weights[name]
		}
		fixed = append(fixed, features...)
	}
	return fixed, nil
}

// Clone returns a copy of m. The weights, tables and standard errors of either can be modified
// without affecting the other.
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

// LinkKind is the name of a link function.
type LinkKind string

const (
	Identity LinkKind = "identity" // z
	Logistic LinkKind = "logistic" // Min + (Max-Min)/(1+exp(-scale z))
	Tanh     LinkKind = "tanh"     // (Min+Max)/2 + (Max-Min)/2 tanh(scale z)
)

// A Link converts the weighted sum z to an expected utility in the game's units. All links are
// strictly increasing. A search that only compares values, such as minimax, may omit the link. A
// search that averages values, such as expectimax, must apply it.
type Link struct {
	Kind  LinkKind
	Scale float64 // positive, or 0 for the default of 1; not used by Identity
}

// Apply returns the utility of z in a game with utilities in [lo, hi].
func (l Link) Apply(z, lo, hi float64) float64 {
	switch l.Kind {
	case Logistic:
		return lo + (hi-lo)/(1+elementary.Exp(-l.scale()*z))
	case Tanh:
		return float64((lo+hi)/2) + float64((hi-lo)/2*elementary.Tanh(l.scale()*z))
	}
	return z
}

// Inverse returns the z that corresponds to the utility u. It is infinite at the ends of [lo, hi]
// if the link only approaches them.
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

// Slope returns the derivative of Apply at z.
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

// Bounded reports whether the link maps to a bounded range. This is true for all kinds except
// Identity and the empty kind, which means Identity. A bounded link requires a game with bounded
// utilities.
func (l Link) Bounded() bool { return l.Kind != Identity && l.Kind != "" }

// Formula returns a readable formula for the utility in a game with utilities in [lo, hi], such as
// tanh(sum/2), 0.25 + 0.5/(1+exp(-sum)) or sum.
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

// Times returns the factor by which a weight for the link l must be multiplied to get the same
// utilities with another link, the parameter on. ok is false if no finite factor exists. The links
// logistic and tanh differ only by a factor, because tanh(x) = 2/(1+exp(-2x)) - 1.
func (l Link) Times(on Link) (factor float64, ok bool) {
	from, bounded := l.TanhScale()
	to, want := on.TanhScale()
	if !bounded || !want || from == to {
		return 1, bounded == want
	}
	factor = from / to
	return factor, factor > 0 && !math.IsInf(factor, 1)
}

// OnLink returns a copy of m converted to another link. ok is false if this is not possible.
func (m *Linear) OnLink(link Link) (out *Linear, ok bool) {
	factor, ok := m.Link.Times(link)
	if !ok {
		return nil, false
	}
	out = m.times(factor)
	out.Link = link
	return out, true
}

// TanhScale returns the factor c such that tanh(c z) is the utility of z, measured from the middle
// of the bounds in units of half their range. For example, 1/(1+exp(-x)) is (1+tanh(x/2))/2. ok is
// false for unbounded links.
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
