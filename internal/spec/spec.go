// Package spec parses the specs of games and agents: NAME[:key=value,...][+wrapper[=value]]...
// Nested specs, and values that contain a comma or a plus sign, are in parentheses. The package
// handles only the syntax; game.Options defines the keys. [Gone] handles names from earlier
// releases.
package spec

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Spec contains a name, its keys in the order in which they appear, and its wrappers from the
// innermost to the outermost.
type Spec struct {
	Name           string
	Keys, Wrappers []Pair
}

// A Pair is a key=value, +name or +name=value, without parentheses around the value.
type Pair struct{ Name, Value string }

// An Error is an error at a place in a spec.
type Error struct {
	Text string
	At   int // byte offset in Text
	Want string
}

func (e *Error) Error() string {
	return fmt.Sprintf("spec %q, column %d: want %s", e.Text, e.At+1, e.Want)
}

// Parse parses one spec.
func Parse(text string) (Spec, error) {
	parts, starts, err := split(text, '+')
	if err != nil {
		return Spec{}, err
	}
	head := parts[0]
	name, rest, hasOptions := strings.Cut(head, ":")
	if at := badName(name); at >= 0 {
		return Spec{}, &Error{text, at, "a name made up of letters, digits, - and _"}
	}
	s := Spec{Name: name}
	if hasOptions {
		items, at, err := split(rest, ',')
		if err != nil {
			err.(*Error).Text, err.(*Error).At = text, err.(*Error).At+len(name)+1
			return Spec{}, err
		}
		for i, item := range items {
			key, value, ok := strings.Cut(item, "=")
			head, rest, dotted := strings.Cut(key, ".") // in a key option.NAME, NAME is defined by another program
			if !ok || badName(head) >= 0 || dotted && rest == "" || value == "" {
				return Spec{}, &Error{text, len(name) + 1 + at[i], "key=value"}
			}
			if slices.ContainsFunc(s.Keys, func(p Pair) bool { return p.Name == key }) {
				return Spec{}, &Error{text, len(name) + 1 + at[i], fmt.Sprintf("each key once; %q is repeated", key)}
			}
			s.Keys = append(s.Keys, Pair{key, Unwrap(value)})
		}
	}
	for i, part := range parts[1:] {
		name, value, _ := strings.Cut(part, "=")
		if badName(name) >= 0 {
			return Spec{}, &Error{text, starts[i+1], "a wrapper's name after +"}
		}
		s.Wrappers = append(s.Wrappers, Pair{name, Unwrap(value)})
	}
	return s, nil
}

// List splits text at commas outside parentheses.
func List(text string) ([]string, error) {
	parts, _, err := split(text, ',')
	return parts, err
}

// Unwrap removes the parentheses around a value, if any.
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

// Wrap encloses a value in parentheses if it contains a comma, a plus sign or parentheses. It
// returns an error if the parentheses are unbalanced, because the rest would be parsed as another
// key.
func Wrap(value string) (string, error) {
	if _, _, err := split(value, ','); err != nil {
		return "", err
	}
	if strings.ContainsAny(value, ",+()") {
		return "(" + value + ")", nil
	}
	return value, nil
}

// Maximum length and nesting of a spec. Nesting is limited because each level costs time and
// memory: three thousand levels in 80 kB needed 8 GB.
const (
	maxLength  = 1 << 14
	maxNesting = 16
)

// split splits text at every sep outside parentheses. It returns the parts and their offsets.
func split(text string, sep byte) (parts []string, starts []int, err error) {
	const shown = 40 // bytes of a long text that are shown
	if len(text) > maxLength {
		return nil, nil, &Error{text[:shown] + "...", maxLength, fmt.Sprintf("at most %d bytes, found %d", maxLength, len(text))}
	}
	depth, begin := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(':
			if depth++; depth > maxNesting {
				return nil, nil, &Error{text[:min(shown, len(text))] + "...", i, fmt.Sprintf("at most %d levels of parentheses", maxNesting)}
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

// exponentSign reports whether the + at text[i] is part of a number such as 1e+9.
func exponentSign(text string, i int) bool {
	return text[i] == '+' && i >= 2 && (text[i-1] == 'e' || text[i-1] == 'E') &&
		'0' <= text[i-2] && text[i-2] <= '9' && i+1 < len(text) && '0' <= text[i+1] && text[i+1] <= '9'
}

// badName returns the offset of the first byte that is not allowed in names, or -1 if there is
// none.
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

// Number parses a finite decimal number or fraction, such as 0.25, 1e3 or -5/3.
func Number(text string) (float64, error) {
	num, den, isFraction := strings.Cut(text, "/")
	x, ok := Decimal(num)
	if ok && isFraction {
		var d float64
		d, ok = Decimal(den)
		x /= d
	}
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%q: want a number such as 0.25, 1e3 or -5/3", text)
	}
	return x, nil
}

// Decimal parses a finite decimal number. Unlike strconv.ParseFloat, it accepts no underscores and
// no hexadecimal numbers.
func Decimal(text string) (x float64, ok bool) {
	for i := range len(text) {
		switch text[i] {
		case 'x', 'X', 'p', 'P', '_', 'n', 'N':
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// Canonical returns the shortest form of a number without an exponent, so that 5, 5.0 and 5e0 have
// the same name. It returns any other text unchanged. Large integers also remain unchanged, so that
// they keep all their digits.
func Canonical(name string) string {
	x, ok := Decimal(name)
	if !ok || math.Abs(x) >= 1<<53 && !strings.ContainsAny(name, ".eE") {
		return name
	}
	return strconv.FormatFloat(x+0, 'f', -1, 64) // avoid -0
}
