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

// Options are the keys and values after the name of a game or an agent, as in
// "pig:target=50,players=3". In the zero value every key has its default:
// pig.New(new(game.Options)) is the usual pig.
//
// A game's package asks for each key that it knows ([Options.Int], [Options.Float], [Options.Bool],
// [Options.String], [Options.Duration], [Options.Under]) with a default and a range, and returns
// [Options.Err]: the first bad value, or a key given that was never asked for.
type Options struct {
	of     string
	values map[string]string
	known  map[string]bool // keys that were asked for
	unlike []string        // key=value of what differs from its default, as it was asked for
	err    error
	read   func(path string) ([]byte, error)
}

// ReadFiles has [Options.ReadFile] read by another function, which knows what files may be
// read by who gave the options.
func (o *Options) ReadFiles(read func(path string) ([]byte, error)) { o.read = read }

// ReadFile is what a file holds that an option names, a regular one of at most a megabyte.
func (o *Options) ReadFile(path string) ([]byte, error) {
	if o.read != nil {
		return o.read(path)
	}
	const most = 1 << 20
	return disk.Read(path, most)
}

// All are the keys that were given, sorted, with their values.
func (o *Options) All() iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for _, key := range slices.Sorted(maps.Keys(o.values)) {
			if !yield(key, o.values[key]) {
				return
			}
		}
	}
}

// NewOptions are the options of the game or agent called name; each of pairs is one "key=value".
// Any other form, or a repeated key, makes [Options.Err] fail, and with it the game's maker:
//
//	g, err := pig.New(game.NewOptions("pig", "target=50", "players=3"))
//
// [ParseSpec] reads options from the one line in which users write them.
func NewOptions(name string, pairs ...string) *Options {
	o := &Options{of: name}
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		switch {
		case !ok || key == "" || value == "":
			o.fail(fmt.Errorf("%s: option %q: want key=value", name, pair))
		case o.Has(key):
			o.fail(fmt.Errorf("%s: key %q comes twice", name, key))
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

// know notes that a key was asked for.
func (o *Options) know(key string) {
	if o.known == nil {
		o.known = map[string]bool{}
	}
	o.known[key] = true
}

// fail keeps the first error.
func (o *Options) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// Has reports whether the key was given.
func (o *Options) Has(key string) bool { _, ok := o.values[key]; return ok }

// Spec is the game's name and what differs from the defaults, in the order in which it
// was asked for: what [Game.Spec] is to be.
func (o *Options) Spec(name string) string {
	if len(o.unlike) == 0 {
		return name
	}
	return name + ":" + strings.Join(o.unlike, ",")
}

// Drop takes the key out, as if it had not been given: someone else has dealt with it.
func (o *Options) Drop(key string) { delete(o.values, key) }

// take returns the value of key, which parse reads; def if it is not given, or if it is not what is
// wanted. write is its spelling in [Options.Spec].
func take[T comparable](o *Options, key, want string, def T, parse func(text string) (T, bool), write func(T) string) T {
	o.know(key)
	text, given := o.values[key]
	if !given {
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

// Fail makes Err say that the value of key is not what is wanted, unless Err has
// something to say already.
func (o *Options) Fail(key, want string) {
	o.fail(fmt.Errorf("%s: %s=%s: want %s", o.of, key, o.values[key], want))
}

// String is the value of key, def where it is not given. With choices, it must be one of them.
func (o *Options) String(key, def string, choices ...string) string {
	want := "one of " + strings.Join(choices, ", ") + text.Hint(o.values[key], choices)
	itself := func(v string) string { return v }
	return take(o, key, want, def, func(v string) (string, bool) { return v, len(choices) == 0 || slices.Contains(choices, v) }, itself)
}

// Under are the names that stand after prefix and a dot in the keys given, and
// their values, sorted by name.
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

// Int is the value of key, a whole number from lo to hi.
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

// Float is the value of key, a finite number from lo to hi, written as a decimal or a fraction.
func (o *Options) Float(key string, def, lo, hi float64) float64 {
	return take(o, key, fmt.Sprintf("a number from %v to %v", lo, hi), def, func(v string) (float64, bool) {
		x, err := spec.Number(v)
		return x, err == nil && x >= lo && x <= hi
	}, func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) })
}

// Bool is the value of key, on or off.
func (o *Options) Bool(key string, def bool) bool {
	return take(o, key, "on or off", def, func(v string) (on, ok bool) { return v == "on", v == "on" || v == "off" },
		func(on bool) string { return map[bool]string{true: "on", false: "off"}[on] })
}

// Duration is the value of key, a positive time such as 100ms.
func (o *Options) Duration(key string, def time.Duration) time.Duration {
	return take(o, key, "a positive time such as 100ms", def, func(v string) (time.Duration, bool) {
		d, err := time.ParseDuration(v)
		return d, err == nil && d > 0
	}, time.Duration.String)
}

// Err is the first fault: a bad value, or a key that was given and never asked
// for. It is to be called after the last key was asked for.
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
		return fmt.Errorf("%s: unknown key %q: it takes none", o.of, unknown[0])
	}
	return fmt.Errorf("%s: unknown key %q: want %s%s", o.of, unknown[0], strings.Join(known, ", "), text.Hint(unknown[0], known))
}

// Spec is how users name a game or an agent, read: a name, its options and the
// wrappers around it, from the inside out.
type Spec struct {
	Name     string
	Options  *Options
	Wrappers []SpecWrapper
}

// SpecWrapper is one +Name or +Name=Value after a game's name.
type SpecWrapper struct{ Name, Value string }

// ParseSpec reads NAME[:key=value,...][+wrapper[=value]]..., such as "2048:size=3+adversary" or
// "pig:target=50,players=3+slip=0.1". Parentheses enclose a value with a comma or a plus sign, as
// in nested specs. A name has letters, digits, - and _; text may be 16384 bytes long and 16
// parentheses deep. The error names the column at fault and what was expected there.
//
// Names and keys are not checked: a game's package does that when it asks the Options.
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

// Wrap puts the wrappers of the spec around g, the game that Name and Options
// make: +slip=P is [WithSlip], +adversary is [WithAdversary].
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
