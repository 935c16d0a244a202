package features

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unsafe"

	"plyfit/game"
	"plyfit/models"
)

// Terms is a feature set given as one list: a term is a name, a line of documentation and a value.
// [Terms.Set] makes the set; blocks, extraction, fingerprint and the tables in docs/games follow
// from the list, so one more feature is one more line.
//
// T is computed once a position for all terms: a table of attacks, counts, distances. A line's
// value is a function of it. Values that are computed with T anyway come from Append or Values all
// at once, cheaper than a call for each.
type Terms[T any] struct {
	Name string // of the set: "othello/classic"

	// View is the set's: the player in whose view s is extracted. nil: who is to move, the first
	// player where none is.
	View func(s game.State) game.Player

	// Prepare computes in t what the terms need to know of s, a base state, in
	// the view of p. t holds what an earlier position left there.
	Prepare func(t *T, s game.State, p game.Player)

	// List is the terms in the order of their features; [Fields] lists the terms of a struct of numbers.
	List []Term[T]

	// Append appends the terms that have no Value of their own, those that are not
	// 0, by the indices of their features. nil: there are none.
	Append func(t *T, x models.Vector) models.Vector

	// Values, in place of Append, are the values of all terms in the order of List, computed once a
	// position. Evaluators sum them in that order from the bias on, without a vector. For sets
	// without phases.
	Values func(t *T) []float64

	// Phases, where it is above 0, is at how many points of the game each term has
	// a weight of its own ([Phased]), and Phase says where the position lies.
	Phases int
	Phase  func(t *T) Phase

	// Compile, where it is not nil, is the set's way to sum up a model of its own
	// faster than by a vector ([Compiler]).
	Compile func(m *models.Linear) Compiled

	// Antisymmetric says of a game of two that every term has the opposite sign in
	// the other player's view. The law of feature sets holds it to that.
	Antisymmetric bool
}

// Term is one line of [Terms].
type Term[T any] struct {
	Name string
	Doc  string // what the value is, in a line of Markdown; "": another of the kind of the term before

	// Other names the term that this value belongs to in the other player's view, where the sign
	// turns: the largest becomes the smallest. "": this term.
	Other string

	// Value is the term's value at the position that t was prepared for. It keeps
	// nothing of t. nil: Append or Values has it.
	Value func(t *T) float64

	// Names, where it is not nil, makes the line a run of terms of a kind: Name is
	// then that of an example, for documentation alone.
	Names []string

	Flat bool // one weight for the whole game, though the set has phases
}

func (t *Term[T]) names() []string {
	if t.Names == nil {
		return []string{t.Name}
	}
	return t.Names
}

// Doc is what documentation says of a term, or of several of a kind.
type Doc struct {
	Name string
	Text string
	Kind bool     // Name is one of several
	Of   []string // all of them, without phases
}

// Documented is a Set that says what its terms are.
type Documented interface {
	Set
	Docs() []Doc
}

// Turned is a Set that may promise that it turns over with the players.
type Turned interface {
	Set
	// Antisymmetric reports whether the other player's view has the opposite values.
	Antisymmetric() bool
}

// Opposed is a Set some of whose terms, turned over into the other player's view, are
// others: the most that one can get is what the other can lose, his least.
type Opposed interface {
	Set
	// Others are the names of what such terms are then, by their own names.
	Others() map[string]string
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
		for _, name := range term.names() {
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
	if t.View == nil {
		t.View = mover
	}
	s := &termSet[T]{Terms: t, blocks: t.blocks()}
	s.scratch.New = func() any { return new(T) }
	if t.Values != nil {
		if t.Phases > 0 || t.Append != nil || slices.ContainsFunc(t.List, func(l Term[T]) bool { return l.Value != nil || l.Names != nil }) {
			panic(fmt.Sprintf("features: %s has Values and something else", t.Name))
		}
		s.Append = func(t *T, x models.Vector) models.Vector { return AppendValues(x, s.Values(t)) }
	}
	first := int32(0)
	for _, term := range t.List {
		phased := t.Phases > 0 && !term.Flat
		switch {
		case term.Value != nil && term.Names != nil:
			panic(fmt.Sprintf("features: %s: %s is a run of terms with one value", t.Name, term.Name))
		case term.Value != nil:
			s.functions = append(s.functions, function[T]{first, phased, term.Value})
		case t.Append == nil && t.Values == nil:
			panic(fmt.Sprintf("features: %s: nothing gives the value of %s", t.Name, term.Name))
		}
		n := max(1, len(term.Names))
		if phased {
			n *= t.Phases
		}
		first += int32(n)
	}
	return s
}

type termSet[T any] struct {
	Terms[T]
	blocks    []Block
	functions []function[T]
	scratch   sync.Pool // of *T
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
	_ Opposed    = (*termSet[int])(nil)
)

func (s *termSet[T]) Name() string { return s.Terms.Name }

func (s *termSet[T]) Blocks() []Block { return s.blocks }

func (s *termSet[T]) View(st game.State) game.Player { return s.Terms.View(st) }

func (s *termSet[T]) Antisymmetric() bool { return s.Terms.Antisymmetric }

func (s *termSet[T]) Others() map[string]string {
	out := map[string]string{}
	for _, term := range s.List {
		if term.Other != "" {
			out[term.Name] = term.Other
		}
	}
	return out
}

func (s *termSet[T]) Docs() []Doc {
	var docs []Doc
	for _, term := range s.List {
		names := term.names()
		if term.Doc == "" && len(docs) > 0 {
			last := &docs[len(docs)-1]
			last.Kind, last.Of = true, append(slices.Clone(last.Of), names...)
			continue
		}
		docs = append(docs, Doc{term.Name, term.Doc, term.Names != nil, names})
	}
	return docs
}

func (s *termSet[T]) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	t := s.scratch.Get().(*T)
	x = s.extract(t, st, p, x)
	s.scratch.Put(t)
	return x
}

func (s *termSet[T]) extract(t *T, st game.State, p game.Player, x models.Vector) models.Vector {
	s.Prepare(t, st, p)
	if s.Append != nil {
		x = s.Append(t, x)
	}
	if len(s.functions) == 0 {
		return x
	}
	var phase Phase
	if s.Phases > 0 {
		phase = s.Phase(t)
	}
	for i := range s.functions {
		f := &s.functions[i]
		if v := float32(f.value(t)); f.phased {
			x = phase.Append(x, f.first, v)
		} else {
			x = appendValue(x, f.first, v)
		}
	}
	return x
}

// AppendValues appends the values that are not 0, the first being that of feature
// 0: the Append of [Terms] without phases whose values are an array.
func AppendValues(x models.Vector, values []float64) models.Vector {
	for i, v := range values {
		x = appendValue(x, int32(i), float32(v))
	}
	return x
}

// appendValue appends a feature unless it is 0. In an inlined function x grows on the heap at once;
// with append in a loop itself Go 1.26 begins on the stack, and a short loop takes a fifth longer.
func appendValue(x models.Vector, index int32, value float32) models.Vector {
	if value != 0 {
		x = append(x, models.Term{Index: index, Value: value})
	}
	return x
}

// Own is set for one goroutine alone, which may work faster.
func Own(set Set) Set {
	if f, ok := set.(interface{ own() Set }); ok {
		return f.own()
	}
	return set
}

// ownTerms is a termSet with room for one position of its own.
type ownTerms[T any] struct {
	*termSet[T]
	t T
}

func (s *termSet[T]) own() Set { return &ownTerms[T]{termSet: s} }

func (s *ownTerms[T]) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	return s.extract(&s.t, st, p, x)
}

// Compile implements [Compiler]; nil unless the set has Values, or a way of its own.
func (s *termSet[T]) Compile(g *game.Game, m *models.Linear) Compiled {
	if s.Terms.Compile != nil {
		return s.Terms.Compile(m)
	}
	if s.Values == nil {
		return nil
	}
	return &directSum[T]{set: s, weights: slices.Clone(m.Weights), bias: m.Bias, oneValue: OneValue(g.Base())}
}

// directSum is a model of a set that is summed up without a vector.
type directSum[T any] struct {
	set      *termSet[T]
	weights  []float64
	bias     float64
	oneValue bool
	t        T
}

func (d *directSum[T]) Sum(st game.State, p game.Player) float64 {
	if d.oneValue {
		p = 0
	}
	d.set.Prepare(&d.t, st, p)
	values := d.set.Values(&d.t)
	weights := d.weights[:len(values)]
	z := d.bias
	for i, v := range values {
		z += float64(weights[i] * float64(float32(v))) // as Extract rounds it
	}
	return z
}

// Truth is 1 for what is so and 0 for what is not.
func Truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Fields returns one term for each field of values, a struct whose fields are all float64 or all int.
// The field blotsHome becomes the term blots-home, unless its tag name has another name; its tag doc
// documents it. An array becomes a run of terms numbered from 1. [Numbers] returns their values.
func Fields[T any](values any) (list []Term[T]) {
	t := reflect.TypeOf(values)
	add := func(name, doc string, kind reflect.Kind) {
		if kind != reflect.Float64 && kind != reflect.Int || kind != t.Field(0).Type.Kind() {
			panic(fmt.Sprintf("features: %s.%s is a %s", t, name, kind))
		}
		list = append(list, Term[T]{Name: name, Doc: doc})
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, doc := cmp.Or(f.Tag.Get("name"), hyphenated(f.Name)), f.Tag.Get("doc")
		if f.Type.Kind() != reflect.Array {
			add(name, doc, f.Type.Kind())
			continue
		}
		for k := range f.Type.Len() {
			add(fmt.Sprintf("%s-%d", name, k+1), doc, f.Type.Elem().Kind())
			doc = ""
		}
	}
	return list
}

// hyphenated returns a Go name in small letters, with hyphens before its capitals and numbers.
func hyphenated(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && (unicode.IsUpper(r) || unicode.IsDigit(r) && !unicode.IsDigit(rune(name[i-1]))) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Numbers returns the fields of v, a struct for [Fields], in order. The slice shares v's memory.
func Numbers[N float64 | int, V any](v *V) []N {
	return unsafe.Slice((*N)(unsafe.Pointer(v)), unsafe.Sizeof(*v)/unsafe.Sizeof(N(0)))
}

// Only returns a set of the terms of t with the given names, in the order of t. The field t.Values
// must be set.
func (t Terms[T]) Only(set string, names ...string) Terms[T] {
	all, places := t, []int{}
	t.Name, t.List = set, nil
	for i, term := range all.List {
		if slices.Contains(names, term.Name) {
			places, t.List = append(places, i), append(t.List, term)
		}
	}
	t.Values = func(v *T) []float64 {
		values := all.Values(v)
		for to, from := range places {
			values[to] = values[from]
		}
		return values[:len(places)]
	}
	return t
}
