package features

import (
	"fmt"
	"sync"

	"plyfit/game"
	"plyfit/models"
)

// Terms is a feature set given as one list: a term is a name, a line of
// documentation and a value. [Terms.Set] makes the set of it; blocks, extraction,
// fingerprint and the tables in docs/games follow from the list, so that one more
// feature is one more line.
//
// T is what a position is turned into once for all terms: a table of attacks,
// counts, distances. Terms whose values come out of that anyway have no Value of
// their own; Values or Walk give them all at once, which costs less than a call
// for each.
type Terms[T any] struct {
	Name string // of the set: "othello/classic"

	// View is the set's: the player in whose view s is extracted.
	View func(s game.State) game.Player

	// Prepare works out in t what the terms need to know of s, a base state, in
	// the view of p. t holds what an earlier position left there.
	Prepare func(t *T, s game.State, p game.Player)

	// List is the terms in the order of their features.
	List []Term[T]

	// Values are the values of the terms that have no Value of their own, by their
	// place in List. nil: there are none, or Walk appends them.
	Values func(t *T) []float64

	// Walk, in place of Prepare and Values, does what Prepare does and appends the
	// terms that have no Value, by the indices of their features. t is nil where no
	// term has a Value: then Walk works on its own stack, see [Scratch], which
	// saves fetching a T from those in store. A set that is Direct may have all
	// three.
	Walk func(t *T, s game.State, p game.Player, x models.Vector) models.Vector

	// Phases, where it is above 0, is at how many points of the game each term has
	// a weight of its own ([Phased]), and Phase says where the position lies.
	Phases int
	Phase  func(t *T) Phase

	// Direct has evaluators sum Values up without a vector between them, from the
	// bias on, in the order of List. For sets without phases, all of whose terms
	// are among Values.
	Direct bool
	Whole  bool // all Values are whole numbers, which float32 holds as they are

	// Antisymmetric says of a game of two that every term has the opposite sign in
	// the other player's view. The law of feature sets holds it to that.
	Antisymmetric bool

	slots []int // of List's terms in Values; nil: as they stand
}

// Term is one line of [Terms].
type Term[T any] struct {
	Name string
	Doc  string // what the value is, in a line of Markdown; "": another of the kind of the term before

	// Value is the term's value at the position that t was prepared for. It keeps
	// nothing of t. nil: one of Values, or of what Walk appends.
	Value func(t *T) float64

	// Names, where it is not nil, makes the line a run of terms of a kind, which
	// Walk appends: Name is then that of an example, for documentation alone.
	Names []string

	Flat bool // one weight for the whole game, though the set has phases
}

// Scratch is where a Walk works: in t, emptied, or in own where t is nil. own is a
// variable of the caller's that stays on his stack.
func Scratch[T any](t, own *T) *T {
	if t == nil {
		return own
	}
	*t = *own
	return t
}

// Doc is what documentation says of a term, or of several of a kind.
type Doc struct {
	Name string
	Text string
	Kind bool // Name is one of several
}

// Documented is a Set that says what its terms are.
type Documented interface {
	Set
	Docs() []Doc
}

// Turned is a Set that may promise that it turns over with the players.
type Turned interface {
	Set
	// Antisymmetric reports whether Extract gives the opposite of every value in the
	// view of the other player of two.
	Antisymmetric() bool
}

// Pick is a set of some of the terms among Values, named in the order that they
// shall have.
func (t Terms[T]) Pick(name string, terms ...string) Terms[T] {
	picked := t
	picked.Name, picked.List, picked.slots, picked.Walk = name, nil, nil, nil
	for _, want := range terms {
		at := -1
		for i, term := range t.List {
			if term.Name == want && term.Value == nil && term.Names == nil {
				at = i
			}
		}
		if at < 0 {
			panic(fmt.Sprintf("features: %s has no term %s among its values", t.Name, want))
		}
		picked.List, picked.slots = append(picked.List, t.List[at]), append(picked.slots, at)
	}
	return picked
}

// Len is the number of features.
func (t Terms[T]) Len() int {
	n := 0
	for _, b := range t.blocks() {
		n += b.Len
	}
	return n
}

func (t Terms[T]) blocks() (blocks []Block) {
	for _, term := range t.List {
		names := term.Names
		if names == nil {
			names = []string{term.Name}
		}
		for _, name := range names {
			block := Block{Name: name, Len: 1}
			if t.Phases > 0 && !term.Flat {
				block = Phased(name, t.Phases)
			}
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// Set is the feature set of the list. It panics where the list contradicts itself.
func (t Terms[T]) Set() Set {
	s := &termSet[T]{Terms: t, blocks: t.blocks()}
	s.scratch.New = func() any { return new(T) }
	first := int32(0)
	for i, term := range t.List {
		at := i
		if t.slots != nil {
			at = t.slots[i]
		}
		phased := t.Phases > 0 && !term.Flat
		switch {
		case term.Value != nil && term.Names != nil:
			panic(fmt.Sprintf("features: %s: %s is a run of terms with one value", t.Name, term.Name))
		case term.Value != nil:
			s.functions = append(s.functions, function[T]{first, phased, term.Value})
		case t.Values != nil && term.Names == nil:
			s.values = append(s.values, slot{at: at, first: first, phased: phased})
		case t.Walk == nil:
			panic(fmt.Sprintf("features: %s: nothing gives the value of %s", t.Name, term.Name))
		}
		n := max(1, len(term.Names))
		if phased {
			n *= t.Phases
		}
		first += int32(n)
	}
	if t.Direct && (t.Phases > 0 || len(s.values) < len(t.List)) {
		panic(fmt.Sprintf("features: %s is to be summed up directly and has terms beside its values", t.Name))
	}
	if t.Walk != nil && !t.Direct && (t.Prepare != nil || t.Values != nil) {
		panic(fmt.Sprintf("features: %s has Walk and what Walk stands for", t.Name))
	}
	if t.Walk != nil && len(s.functions) == 0 {
		return &walkedTerms[T]{s}
	}
	return s
}

// termSet is the Set that [Terms] describes.
type termSet[T any] struct {
	Terms[T]
	blocks    []Block
	values    []slot
	functions []function[T]
	scratch   sync.Pool // of *T
}

// slot is a term among Values.
type slot struct {
	at     int   // its place there
	first  int32 // its first feature
	phased bool
}

// function is a term with a Value of its own.
type function[T any] struct {
	first  int32
	phased bool
	value  func(t *T) float64
}

var (
	_ Compiler   = (*termSet[int])(nil)
	_ Documented = (*termSet[int])(nil)
	_ Turned     = (*termSet[int])(nil)
	_ forker     = (*termSet[int])(nil)
)

// Name implements [Set].
func (s *termSet[T]) Name() string { return s.Terms.Name }

// Blocks implements [Set].
func (s *termSet[T]) Blocks() []Block { return s.blocks }

// View implements [Set].
func (s *termSet[T]) View(st game.State) game.Player { return s.Terms.View(st) }

// Antisymmetric implements [Turned].
func (s *termSet[T]) Antisymmetric() bool { return s.Terms.Antisymmetric }

// Docs implements [Documented].
func (s *termSet[T]) Docs() []Doc {
	var docs []Doc
	for _, term := range s.List {
		if term.Doc == "" && len(docs) > 0 {
			docs[len(docs)-1].Kind = true
			continue
		}
		docs = append(docs, Doc{term.Name, term.Doc, term.Names != nil})
	}
	return docs
}

// Extract implements [Set].
func (s *termSet[T]) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	t := s.scratch.Get().(*T)
	x = s.extract(t, st, p, x)
	s.scratch.Put(t)
	return x
}

func (s *termSet[T]) extract(t *T, st game.State, p game.Player, x models.Vector) models.Vector {
	if s.Walk != nil {
		x = s.Walk(t, st, p, x)
	} else {
		s.Prepare(t, st, p)
	}
	var phase Phase
	if s.Phases > 0 {
		phase = s.Phase(t)
	}
	if s.Values != nil {
		values := s.Values(t)
		for _, slot := range s.values {
			x = appendTerm(x, phase, slot.phased, slot.first, float32(values[slot.at]))
		}
	}
	for i := range s.functions {
		f := &s.functions[i]
		x = appendTerm(x, phase, f.phased, f.first, float32(f.value(t)))
	}
	return x
}

func appendTerm(x models.Vector, phase Phase, phased bool, first int32, value float32) models.Vector {
	if phased {
		return phase.Append(x, first, value)
	}
	return appendValue(x, first, value)
}

// walkedTerms is a termSet whose terms are all of its Walk.
type walkedTerms[T any] struct{ *termSet[T] }

// Extract implements [Set].
func (s *walkedTerms[T]) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	return s.Walk(nil, st, p, x)
}

func (s *walkedTerms[T]) fork() Set { return s }

// AppendValues appends the values that are not 0, the first being that of feature
// 0: what a set of [Terms] without phases does with its Values.
func AppendValues(x models.Vector, values []float64) models.Vector {
	for i, v := range values {
		x = appendValue(x, int32(i), float32(v))
	}
	return x
}

// appendValue appends a feature unless it is 0. As a function, which is inlined, it
// has x grow on the heap at once; where append stands in a loop itself Go 1.26
// begins on the stack, and a short loop takes a fifth longer.
func appendValue(x models.Vector, index int32, value float32) models.Vector {
	if value != 0 {
		x = append(x, models.Term{Index: index, Value: value})
	}
	return x
}

// forker is a Set of which one goroutine can have its own, which works faster.
type forker interface{ fork() Set }

// forked is set for one goroutine alone.
func forked(set Set) Set {
	if f, ok := set.(forker); ok {
		return f.fork()
	}
	return set
}

// ownTerms is a termSet with room for one position of its own.
type ownTerms[T any] struct {
	*termSet[T]
	t T
}

func (s *termSet[T]) fork() Set { return &ownTerms[T]{termSet: s} }

// Extract implements [Set].
func (s *ownTerms[T]) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	return s.extract(&s.t, st, p, x)
}

// Compile implements [Compiler]; the result is nil unless Direct is set.
func (s *termSet[T]) Compile(g *game.Game, m *models.Linear) Compiled {
	if !s.Direct {
		return nil
	}
	d := &directSum[T]{set: s, bias: m.Bias, opposed: newPerspective(g.Base(), identity).opposed}
	d.weights = append(d.weights, m.Weights...)
	if s.slots == nil {
		return d
	}
	// The weights of the values that were picked, 0 for the others.
	d.weights = make([]float64, len(s.Values(&d.t)))
	for i, slot := range s.values {
		d.weights[slot.at] = m.Weights[i]
	}
	return d
}

// directSum is a model of a set that is summed up without a vector.
type directSum[T any] struct {
	set     *termSet[T]
	weights []float64 // by the values' places
	bias    float64
	opposed bool
	t       T
}

// Sum implements [Compiled].
func (d *directSum[T]) Sum(st game.State, p game.Player) float64 {
	if d.opposed {
		p = 0
	}
	d.set.Prepare(&d.t, st, p)
	values := d.set.Values(&d.t)
	weights := d.weights[:len(values)]
	z := d.bias
	if d.set.Whole {
		for i, v := range values {
			z += float64(weights[i] * v)
		}
		return z
	}
	for i, v := range values {
		z += float64(weights[i] * float64(float32(v))) // as Extract rounds it
	}
	return z
}
