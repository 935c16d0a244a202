// Package spec reads the small language in which users name games and agents:
// NAME[:key=value,...][+wrapper[=value]]..., where a value that holds a comma
// or a plus sign stands in parentheses, and nested specs do too.
//
// Parse splits the text; the one who knows the keys asks [Options] for each
// of them and then for [Options.Err], which names the first key that had a bad
// value or that nobody asked for.
package spec

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Spec is a name, its options and what is wrapped around it, from the inside
// out.
type Spec struct {
	Name     string
	Options  *Options
	Wrappers []Wrapper
}

// Wrapper is one +name or +name=value.
type Wrapper struct{ Name, Value string }

// Error is a fault at a place in a spec.
type Error struct {
	Text string
	At   int // byte offset in Text
	Want string
}

func (e *Error) Error() string {
	return fmt.Sprintf("spec %q, column %d: want %s", e.Text, e.At+1, e.Want)
}

// Parse reads one spec.
func Parse(text string) (Spec, error) {
	parts, starts, err := split(text, '+')
	if err != nil {
		return Spec{}, err
	}
	head := parts[0]
	name, rest, hasOptions := strings.Cut(head, ":")
	if at := badName(name); at >= 0 {
		return Spec{}, &Error{text, at, "a name of letters, digits, - and _"}
	}
	s := Spec{Name: name, Options: NewOptions(name)}
	if hasOptions {
		items, at, err := split(rest, ',')
		if err != nil {
			err.(*Error).Text, err.(*Error).At = text, err.(*Error).At+len(name)+1
			return Spec{}, err
		}
		for i, item := range items {
			key, value, ok := strings.Cut(item, "=")
			head, rest, dotted := strings.Cut(key, ".") // of a key option.NAME, the name is another's
			if !ok || badName(head) >= 0 || dotted && rest == "" || value == "" {
				return Spec{}, &Error{text, len(name) + 1 + at[i], "key=value"}
			}
			if !s.Options.set(key, Unwrap(value)) {
				return Spec{}, &Error{text, len(name) + 1 + at[i], fmt.Sprintf("each key once; %q comes twice", key)}
			}
		}
	}
	for i, part := range parts[1:] {
		name, value, _ := strings.Cut(part, "=")
		if badName(name) >= 0 {
			return Spec{}, &Error{text, starts[i+1], "a wrapper's name after +"}
		}
		s.Wrappers = append(s.Wrappers, Wrapper{name, Unwrap(value)})
	}
	return s, nil
}

// List splits text at the commas that stand outside of parentheses.
func List(text string) ([]string, error) {
	parts, _, err := split(text, ',')
	return parts, err
}

// Unwrap takes off the parentheses around the whole of a value, if it has any.
func Unwrap(value string) string {
	if len(value) < 2 || value[0] != '(' || value[len(value)-1] != ')' {
		return value
	}
	depth := 0
	for i, c := range value {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && i != len(value)-1 {
				return value
			}
		}
	}
	return value[1 : len(value)-1]
}

// The longest spec, and the deepest nesting in one, that are read. An agent
// within an agent costs time and memory at each level: three thousand of them in
// 80 kB asked for 8 GB before anything was searched.
const (
	maxLength  = 1 << 14
	maxNesting = 16
)

// split cuts text at every sep outside of parentheses, and tells where the
// parts begin.
func split(text string, sep byte) (parts []string, starts []int, err error) {
	const shown = 40 // bytes of a text that is too long to be told whole
	if len(text) > maxLength {
		return nil, nil, &Error{text[:shown] + "...", maxLength, fmt.Sprintf("at most %d bytes, and there are %d", maxLength, len(text))}
	}
	depth, begin := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(':
			if depth++; depth > maxNesting {
				return nil, nil, &Error{text[:min(shown, len(text))] + "...", i, fmt.Sprintf("at most %d parentheses within each other", maxNesting)}
			}
		case c == ')':
			if depth--; depth < 0 {
				return nil, nil, &Error{text, i, "an opening parenthesis first"}
			}
		case c == sep && depth == 0 && !exponentSign(text, i):
			parts, starts, begin = append(parts, text[begin:i]), append(starts, begin), i+1
		}
	}
	if depth > 0 {
		return nil, nil, &Error{text, len(text), "a closing parenthesis"}
	}
	return append(parts, text[begin:]), append(starts, begin), nil
}

// exponentSign tells whether the + at text[i] belongs to a number like 1e+9.
func exponentSign(text string, i int) bool {
	return text[i] == '+' && i >= 2 && (text[i-1] == 'e' || text[i-1] == 'E') &&
		'0' <= text[i-2] && text[i-2] <= '9' && i+1 < len(text) && '0' <= text[i+1] && text[i+1] <= '9'
}

// badName is the offset of the first byte that no name may hold, -1 if none.
func badName(name string) int {
	for i, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return i
		}
	}
	if name == "" {
		return 0
	}
	return -1
}

// Options are the keys and values of one spec. Asking for a key makes it
// known; Err complains of the rest.
type Options struct {
	of     string
	values map[string]string
	known  map[string]string // key to what it takes, for the message
	err    error
}

// NewOptions is the empty set of options of what is named of.
func NewOptions(of string) *Options {
	return &Options{of: of, values: map[string]string{}, known: map[string]string{}}
}

func (o *Options) set(key, value string) bool {
	if _, twice := o.values[key]; twice {
		return false
	}
	o.values[key] = value
	return true
}

// Has tells whether the user gave the key.
func (o *Options) Has(key string) bool { _, ok := o.values[key]; return ok }

// Drop forgets that the user gave the key: someone else has dealt with it.
func (o *Options) Drop(key string) { delete(o.values, key) }

func (o *Options) ask(key, want string) (string, bool) {
	o.known[key] = want
	v, ok := o.values[key]
	return v, ok
}

// Fail makes a complaint about the value of a key the result of Err, unless
// there is one already.
func (o *Options) Fail(key, want string) {
	if o.err == nil {
		o.err = fmt.Errorf("%s: %s=%s: want %s", o.of, key, o.values[key], want)
	}
}

// String is the value of key, def where it is not given. With choices, it must
// be one of them.
func (o *Options) String(key, def string, choices ...string) string {
	want := "text"
	if len(choices) > 0 {
		want = strings.Join(choices, ", ")
	}
	v, ok := o.ask(key, want)
	if !ok {
		return def
	}
	for _, c := range choices {
		if v == c {
			return v
		}
	}
	if len(choices) > 0 {
		o.Fail(key, "one of "+want)
		return def
	}
	return v
}

// Under are the names that stand after prefix and a dot in the keys given, and
// their values, sorted by name.
func (o *Options) Under(prefix string) (names, values []string) {
	for key := range o.values {
		if name, ok := strings.CutPrefix(key, prefix+"."); ok {
			names = append(names, name)
			o.known[key] = "text"
		}
	}
	sort.Strings(names)
	for _, name := range names {
		values = append(values, o.values[prefix+"."+name])
	}
	o.known[prefix+".NAME"] = "text"
	return names, values
}

// Int is the value of key, a whole number from lo to hi.
func (o *Options) Int(key string, def, lo, hi int) int {
	want := fmt.Sprintf("a whole number from %d to %d", lo, hi)
	if hi == math.MaxInt {
		want = fmt.Sprintf("a whole number of at least %d", lo)
	}
	v, ok := o.ask(key, want)
	if !ok {
		return def
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < lo || n > hi {
		o.Fail(key, want)
		return def
	}
	return n
}

// Float is the value of key, a finite number from lo to hi, written as a
// decimal or a fraction.
func (o *Options) Float(key string, def, lo, hi float64) float64 {
	want := fmt.Sprintf("a number from %v to %v", lo, hi)
	v, ok := o.ask(key, want)
	if !ok {
		return def
	}
	x, err := Number(v)
	if err != nil || !(x >= lo && x <= hi) {
		o.Fail(key, want)
		return def
	}
	return x
}

// Bool is the value of key, on or off.
func (o *Options) Bool(key string, def bool) bool {
	v, ok := o.ask(key, "on or off")
	if !ok {
		return def
	}
	switch v {
	case "on":
		return true
	case "off":
		return false
	}
	o.Fail(key, "on or off")
	return def
}

// Duration is the value of key, a positive time such as 100ms.
func (o *Options) Duration(key string, def time.Duration) time.Duration {
	v, ok := o.ask(key, "a positive time such as 100ms")
	if !ok {
		return def
	}
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 {
		o.Fail(key, "a positive time such as 100ms")
		return def
	}
	return d
}

// Err is the first complaint: a bad value, or a key that nobody asked for.
func (o *Options) Err() error {
	if o.err != nil {
		return o.err
	}
	var unknown, known []string
	for k := range o.values {
		if _, ok := o.known[k]; !ok {
			unknown = append(unknown, k)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	sort.Strings(unknown)
	for k := range o.known {
		known = append(known, k)
	}
	sort.Strings(known)
	if len(known) == 0 {
		return fmt.Errorf("%s: unknown key %q: it takes none", o.of, unknown[0])
	}
	return fmt.Errorf("%s: unknown key %q: want %s", o.of, unknown[0], strings.Join(known, ", "))
}

// Number reads a finite decimal or fraction: 0.25, 1e3, -5/3.
func Number(text string) (float64, error) {
	num, den, isFraction := strings.Cut(text, "/")
	x, err := decimal(num)
	if err == nil && isFraction {
		var d float64
		if d, err = decimal(den); err == nil {
			x /= d
		}
	}
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%q: want a number such as 0.25, 1e3 or -5/3", text)
	}
	return x, nil
}

func decimal(text string) (float64, error) {
	if strings.ContainsAny(text, "xXpP_nN") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}
