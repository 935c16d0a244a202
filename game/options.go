package game

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"plyfit/internal/disk"
	"plyfit/internal/spec"
	"plyfit/internal/text"
)

// Options contains the keys and values after the name of a game or agent, as in
// "pig:target=50,players=3". In the zero value, every key has its default. For example,
// pig.New(new(game.Options)) returns the standard game of pig.
//
// A game's package reads each key that it supports with [Options.Int], [Options.Float],
// [Options.Bool], [Options.String], [Options.Duration] or [Options.Under], and passes the default
// and the range. After reading all keys, it returns [Options.Err], which reports the first invalid
// value or a key that was given but never read.
type Options struct {
	of     string
	values map[string]string
	known  map[string]bool // keys that have been read
	unlike []string        // key=value pairs that differ from the defaults, in the order in which they were read
	err    error
	read   func(path string) ([]byte, error)
}

// ReadFiles sets the function that [Options.ReadFile] calls. read must reject files that the author
// of the options may not access.
func (o *Options) ReadFiles(read func(path string) ([]byte, error)) { o.read = read }

// ReadFile returns the content of a file named by an option. By default, the file must be a regular
// file of at most one megabyte.
func (o *Options) ReadFile(path string) ([]byte, error) {
	if o.read != nil {
		return o.read(path)
	}
	const most = 1 << 20
	return disk.Read(path, most)
}

// All iterates over the given keys and their values, sorted by key.
func (o *Options) All() iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for _, key := range slices.Sorted(maps.Keys(o.values)) {
			if !yield(key, o.values[key]) {
				return
			}
		}
	}
}

// NewOptions returns the options of the game or agent called name. Each pair has the form
// "key=value". If a pair has another form or a key is repeated, [Options.Err] returns an error, and
// so does the function that creates the game:
//
//	g, err := pig.New(game.NewOptions("pig", "target=50", "players=3"))
//
// [ParseSpec] reads options from a spec, the form in which users write them.
func NewOptions(name string, pairs ...string) *Options {
	o := &Options{of: name}
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		switch {
		case !ok || key == "" || value == "":
			o.fail(fmt.Errorf("%s: option %q: want key=value", name, pair))
		case o.Has(key):
			o.fail(fmt.Errorf("%s: key %q is given twice", name, key))
		default:
			o.set(key, value)
		}
	}
	return o
}

func (o *Options) set(key, value string) {
	if o.values == nil {
		o.values = map[string]string{}
	}
	o.values[key] = value
}

// know records that a key has been read.
func (o *Options) know(key string) {
	if o.known == nil {
		o.known = map[string]bool{}
	}
	o.known[key] = true
}

// fail records err unless an earlier error has been recorded.
func (o *Options) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// Has reports whether the key was given.
func (o *Options) Has(key string) bool { _, ok := o.values[key]; return ok }

// Spec returns the name of the game followed by the options that differ from the defaults, in the
// order in which they were read. The game's package assigns the result to [Game.Spec].
func (o *Options) Spec(name string) string {
	if len(o.unlike) == 0 {
		return name
	}
	return name + ":" + strings.Join(o.unlike, ",")
}

// Drop removes a key as if it had not been given. It is used for keys that are handled elsewhere.
func (o *Options) Drop(key string) { delete(o.values, key) }

// take returns the value of key, as read by parse. If the key is missing or its value is invalid,
// take returns def. want describes the valid values, and write formats a value for [Options.Spec].
func take[T comparable](o *Options, key, want string, def T, parse func(text string) (T, bool), write func(T) string) T {
	o.know(key)
	text, isSet := o.values[key]
	if !isSet {
		return def
	}
	v, ok := parse(text)
	if !ok {
		o.Fail(key, want)
		return def
	}
	if v != def {
		o.unlike = append(o.unlike, key+"="+write(v))
	}
	return v
}

// Fail records an error for the value of key. want describes a valid value. Fail has no effect
// after an earlier error.
func (o *Options) Fail(key, want string) {
	o.fail(fmt.Errorf("%s: %s=%s: want %s", o.of, key, o.values[key], want))
}

// String returns the value of key, or def if it is missing. If choices are given, the value must be
// one of them.
func (o *Options) String(key, def string, choices ...string) string {
	want := "one of " + strings.Join(choices, ", ") + text.Hint(o.values[key], choices)
	itself := func(v string) string { return v }
	return take(o, key, want, def, func(v string) (string, bool) { return v, len(choices) == 0 || slices.Contains(choices, v) }, itself)
}

// Under returns the names and values of all given keys that begin with "prefix.", sorted by name.
// The names do not include the prefix.
func (o *Options) Under(prefix string) (names, values []string) {
	for key := range o.values {
		if name, ok := strings.CutPrefix(key, prefix+"."); ok {
			names = append(names, name)
			o.know(key)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		values = append(values, o.values[prefix+"."+name])
	}
	o.know(prefix + ".NAME")
	return names, values
}

// Int returns the value of key, a whole number from lo to hi, or def if it is missing.
func (o *Options) Int(key string, def, lo, hi int) int {
	want := fmt.Sprintf("a whole number from %d to %d", lo, hi)
	if hi == math.MaxInt {
		want = fmt.Sprintf("a whole number of at least %d", lo)
	}
	return take(o, key, want, def, func(v string) (int, bool) {
		n, err := strconv.Atoi(v)
		return n, err == nil && n >= lo && n <= hi
	}, strconv.Itoa)
}

// Float returns the value of key, a finite number from lo to hi, or def if it is missing. The
// number may be written as a decimal or a fraction.
func (o *Options) Float(key string, def, lo, hi float64) float64 {
	return take(o, key, fmt.Sprintf("a number from %v to %v", lo, hi), def, func(v string) (float64, bool) {
		x, err := spec.Number(v)
		return x, err == nil && x >= lo && x <= hi
	}, func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) })
}

// Bool returns the value of key, which is on or off, or def if it is missing.
func (o *Options) Bool(key string, def bool) bool {
	return take(o, key, "on or off", def, func(v string) (on, ok bool) { return v == "on", v == "on" || v == "off" },
		func(on bool) string { return map[bool]string{true: "on", false: "off"}[on] })
}

// Duration returns the value of key, a positive time such as 100ms, or def if it is missing.
func (o *Options) Duration(key string, def time.Duration) time.Duration {
	return take(o, key, "a positive time such as 100ms", def, func(v string) (time.Duration, bool) {
		d, err := time.ParseDuration(v)
		return d, err == nil && d > 0
	}, time.Duration.String)
}

// Err returns the first error: an invalid value, or a key that was given but never read. It must be
// called after all keys have been read.
func (o *Options) Err() error {
	if o.err != nil {
		return o.err
	}
	var unknown []string
	for k := range o.values {
		if _, ok := o.known[k]; !ok {
			unknown = append(unknown, k)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	sort.Strings(unknown)
	if err := spec.Gone("agent", o.of+":"+unknown[0]); err != nil {
		return err
	}
	known := slices.Sorted(maps.Keys(o.known))
	if len(known) == 0 {
		return fmt.Errorf("%s: unknown key %q; want no keys", o.of, unknown[0])
	}
	return fmt.Errorf("%s: unknown key %q: want %s%s", o.of, unknown[0], strings.Join(known, ", "), text.Hint(unknown[0], known))
}

// A Spec is the parsed form of the text with which a user names a game or an agent. It contains the
// name, the options and the wrappers, innermost first.
type Spec struct {
	Name     string
	Options  *Options
	Wrappers []SpecWrapper
}

// A SpecWrapper is a wrapper after the name of a game, written +Name or +Name=Value.
type SpecWrapper struct{ Name, Value string }

// ParseSpec reads NAME[:key=value,...][+wrapper[=value]]..., such as "2048:size=3+adversary" or
// "pig:target=50,players=3+slip=0.1". A value that contains a comma or a plus sign, such as a
// nested spec, is enclosed in parentheses. A name consists of letters, digits, - and _. The text
// may have up to 16384 bytes, with parentheses nested up to 16 levels deep. An error states the
// column and what was expected there.
//
// ParseSpec does not check names and keys. The game's package checks the keys when it reads the
// Options.
func ParseSpec(text string) (Spec, error) {
	parsed, err := spec.Parse(text)
	if err != nil {
		return Spec{}, err
	}
	s := Spec{Name: parsed.Name, Options: NewOptions(parsed.Name)}
	for _, k := range parsed.Keys {
		s.Options.set(k.Name, k.Value)
	}
	for _, w := range parsed.Wrappers {
		s.Wrappers = append(s.Wrappers, SpecWrapper(w))
	}
	return s, nil
}

// Wrap applies the wrappers of the spec to g, the game created from Name and Options: +slip=P is
// [WithSlip], and +adversary is [WithAdversary].
func (s Spec) Wrap(g *Game) (*Game, error) {
	for _, w := range s.Wrappers {
		var err error
		switch w.Name {
		case "slip":
			p, bad := spec.Number(w.Value)
			if bad != nil {
				return nil, fmt.Errorf("%s+slip=%s: want a probability above 0 and at most 1", s.Name, w.Value)
			}
			if g, err = WithSlip(g, p); err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
		case "adversary":
			if w.Value != "" {
				return nil, fmt.Errorf("%s+adversary=%s: +adversary takes no value", s.Name, w.Value)
			}
			if g, err = WithAdversary(g); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("%s: unknown wrapper +%s: want +slip=P or +adversary%s", s.Name, w.Name, text.Hint(w.Name, []string{"slip", "adversary"}))
		}
	}
	return g, nil
}
