package features

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unsafe"
)

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
