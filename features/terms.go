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

// Terms defines a feature set by a list of terms. A term has a name, a line of documentation and a
// value. [Terms.Set] creates the set. The blocks, the extraction, the fingerprint and the tables in
// the README files are derived from the list, so a new feature needs only one more line.
//
// T contains the data that is computed once per position for all terms, such as attack tables,
// counts or distances. The value of a term is a function of this data. If computing T already gives
// the values, Append or Values can return them all together, which is faster than a call per term.
type Terms[T any] struct {
	Name string // name of the set, such as "othello/classic"

	// View returns the player from whose point of view s is described. If nil, this is the player
	// to move, or player 0 if no player moves.
	View func(s game.State) game.Player

	// Prepare computes the data for the terms of s, a base state, from p's point of view, and
	// stores it in t. Before the call, t contains the data of an earlier position.
	Prepare func(t *T, s game.State, p game.Player)

	// List contains the terms in the order of their features. [Fields] creates a list from a struct
	// of numbers.
	List []Term[T]

	// Append appends the nonzero values of the terms without a Value function, with the indices of
	// their features. It is nil if there are no such terms.
	Append func(t *T, x models.Vector) models.Vector

	// Values is an alternative to Append. It returns the values of all terms in the order of List,
	// computed once per position. Evaluators add the weighted values to the bias in this order,
	// without creating a vector. The set must not have phases.
	Values func(t *T) []float64

	// Phases is the number of weights that each term has for different phases of the game
	// ([Phased]), or 0 if there are no phases. Phase returns the phase of the position.
	Phases int
	Phase  func(t *T) Phase

	// Compile, if not nil, evaluates a model of the set faster than with a vector ([Compiler]).
	Compile func(m *models.Linear) Compiled

	// Use, if not nil, is called once for the data of an evaluator. Prepare may leave out the terms
	// of groups that are not in used, because they have no weight.
	Use func(t *T, used map[string]bool)

	// Antisymmetric declares that every term of a two-player game has the opposite sign from the
	// other player's point of view. Package featuretest checks this.
	Antisymmetric bool
}

// A Term is an element of [Terms.List].
type Term[T any] struct {
	Name string
	Doc  string // description of the value as a line of Markdown; "" means that the term is of the same kind as the previous one

	// Other is the name of the term that has the value from the other player's point of view. For
	// example, a maximum becomes a minimum when its sign changes. "" means this term.
	Other string

	// Value returns the value of the term at the position for which t was prepared. It must not
	// keep references to t. If Value is nil, Append or Values returns the value.
	Value func(t *T) float64

	// Names, if not nil, makes this a sequence of terms of the same kind. In that case, Name is the
	// name of an example, used only in the documentation.
	Names []string

	// Group is the name of the idea that the term shares with other terms. "" means that the term
	// shares it with the terms of the same kind.
	Group string

	Flat bool // whether the term has a single weight even if the set has phases
}

func (t *Term[T]) names() []string {
	if t.Names == nil {
		return []string{t.Name}
	}
	return t.Names
}

// A Doc is the documentation of a term, or of several terms of the same kind.
type Doc struct {
	Name string
	Text string
	Kind bool     // whether Name is one of several terms
	Of   []string // names of all the terms, without phases
}

// Documented is implemented by a Set that documents its terms.
type Documented interface {
	Set
	Docs() []Doc
}

// Turned is implemented by a Set that may be antisymmetric.
type Turned interface {
	Set
	// Antisymmetric reports whether the values have the opposite sign from the other player's point
	// of view.
	Antisymmetric() bool
}

// Opposed is implemented by a Set with terms that become other terms from the other player's point
// of view. For example, one player's maximum gain is the other player's maximum loss.
type Opposed interface {
	Set
	// Others returns the names that these terms have from the other player's point of view, indexed
	// by their own names.
	Others() map[string]string
}

// Len returns the number of features.
func (t Terms[T]) Len() int {
	n := 0
	for _, b := range t.blocks() {
		n += b.Len
	}
	return n
}

func (t Terms[T]) blocks() (blocks []Block) {
	group := ""
	for _, term := range t.List {
		if term.Group != "" || term.Doc != "" {
			group = cmp.Or(term.Group, term.Name)
		}
		for _, name := range term.names() {
			block := Block{Name: name, Len: 1}
			if t.Phases > 0 && !term.Flat {
				block = Phased(name, t.Phases)
			}
			block.Group = group
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// Set returns the feature set of the list. It panics if the list is inconsistent.
func (t Terms[T]) Set() Set {
	if t.View == nil {
		t.View = mover
	}
	s := &termSet[T]{Terms: t, blocks: t.blocks()}
	s.scratch.New = func() any { return new(T) }
	if t.Values != nil {
		if t.Phases > 0 || t.Append != nil || slices.ContainsFunc(t.List, func(l Term[T]) bool { return l.Value != nil || l.Names != nil }) {
			panic(fmt.Sprintf("features: %s has both Values and other functions", t.Name))
		}
		s.Append = func(t *T, x models.Vector) models.Vector { return AppendValues(x, s.Values(t)) }
	}
	first, block := int32(0), 0
	for _, term := range t.List {
		phased := t.Phases > 0 && !term.Flat
		switch {
		case term.Value != nil && term.Names != nil:
			panic(fmt.Sprintf("features: %s: %s is a sequence of terms but has only one Value", t.Name, term.Name))
		case term.Value != nil:
			s.functions = append(s.functions, function[T]{first, s.blocks[block].Group, phased, term.Value})
		case t.Append == nil && t.Values == nil:
			panic(fmt.Sprintf("features: %s: no function returns the value of %s", t.Name, term.Name))
		}
		n := max(1, len(term.Names))
		block += n
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

// function is a term with a Value function.
type function[T any] struct {
	first  int32
	group  string
	phased bool
	value  func(t *T) float64
}

var (
	_ Compiler   = (*termSet[int])(nil)
	_ Pruner     = (*termSet[int])(nil)
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
	x = s.extract(t, s.functions, st, p, x)
	s.scratch.Put(t)
	return x
}

func (s *termSet[T]) extract(t *T, functions []function[T], st game.State, p game.Player, x models.Vector) models.Vector {
	s.Prepare(t, st, p)
	if s.Append != nil {
		x = s.Append(t, x)
	}
	if len(functions) == 0 {
		return x
	}
	var phase Phase
	if s.Phases > 0 {
		phase = s.Phase(t)
	}
	for i := range functions {
		f := &functions[i]
		if v := float32(f.value(t)); f.phased {
			x = phase.Append(x, f.first, v)
		} else {
			x = appendValue(x, f.first, v)
		}
	}
	return x
}

// AppendValues appends the nonzero elements of values. The first element belongs to feature 0.
// AppendValues can serve as Append in a [Terms] without phases whose values are an array.
func AppendValues(x models.Vector, values []float64) models.Vector {
	for i, v := range values {
		x = appendValue(x, int32(i), float32(v))
	}
	return x
}

// appendValue appends a feature unless its value is 0. Because it is a separate, inlined function,
// x grows on the heap from the beginning. If append is called directly in the loop, Go 1.26 starts
// on the stack, and a short loop takes a fifth longer.
func appendValue(x models.Vector, index int32, value float32) models.Vector {
	if value != 0 {
		x = append(x, models.Term{Index: index, Value: value})
	}
	return x
}

// Own returns a version of set that may be faster but must be used by a single goroutine.
func Own(set Set) Set {
	if f, ok := set.(interface{ own() Set }); ok {
		return f.own()
	}
	return set
}

// ownTerms is a termSet with its own T for one goroutine.
type ownTerms[T any] struct {
	*termSet[T]
	functions []function[T]
	t         T
}

func (s *termSet[T]) own() Set { return &ownTerms[T]{termSet: s, functions: s.functions} }

// Pruned implements [Pruner].
func (s *termSet[T]) Pruned(used map[string]bool) Set {
	out := &ownTerms[T]{termSet: s, functions: slices.DeleteFunc(slices.Clone(s.functions), func(f function[T]) bool { return !used[f.group] })}
	if s.Use != nil {
		s.Use(&out.t, used)
	}
	return out
}

func (s *ownTerms[T]) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	return s.extract(&s.t, s.functions, st, p, x)
}

// Compile implements [Compiler]. It returns nil unless the set has Values or its own Compile
// function.
func (s *termSet[T]) Compile(g *game.Game, m *models.Linear) Compiled {
	if s.Terms.Compile != nil {
		return s.Terms.Compile(m)
	}
	if s.Values == nil {
		return nil
	}
	d := &directSum[T]{set: s, weights: slices.Clone(m.Weights), bias: m.Bias, oneValue: OneValue(g.Base())}
	if s.Use != nil {
		s.Use(&d.t, m.UsedGroups())
	}
	return d
}

// directSum is a model of a set that is evaluated without a vector.
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
		z += float64(weights[i] * float64(float32(v))) // rounded as in Extract
	}
	return z
}

// Truth returns 1 if b is true and 0 otherwise.
func Truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Fields returns one term for each field of values, a struct whose fields are all float64 or all
// int. The field blotsHome becomes the term blots-home, unless its tag name specifies a different
// name. The tags doc and group contain the documentation and the group. An array becomes a sequence of numbered terms,
// beginning with 1. [Numbers] returns the values of the terms.
func Fields[T any](values any) (list []Term[T]) {
	t := reflect.TypeOf(values)
	group := ""
	add := func(name, doc string, kind reflect.Kind) {
		if kind != reflect.Float64 && kind != reflect.Int || kind != t.Field(0).Type.Kind() {
			panic(fmt.Sprintf("features: %s.%s is a %s", t, name, kind))
		}
		list = append(list, Term[T]{Name: name, Doc: doc, Group: group})
	}
	for i := range t.NumField() {
		f := t.Field(i)
		group = f.Tag.Get("group")
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

// hyphenated returns a Go name in lower-case letters, with hyphens before its capitals and numbers.
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

// Numbers returns the fields of v, a struct for [Fields], in order. The result shares the memory of
// v.
func Numbers[N float64 | int, V any](v *V) []N {
	return unsafe.Slice((*N)(unsafe.Pointer(v)), unsafe.Sizeof(*v)/unsafe.Sizeof(N(0)))
}

// Only returns a set that consists of the terms of t with the given names, in the order of t. The
// field t.Values must be set.
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
