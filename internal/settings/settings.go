// Package settings declares settings as tagged struct fields, each in one place:
//
//	Decay float64 `flag:"decay" of:"td" in:"of at least 0" help:"what it is"`
//
// The tags determine the flags and their help, the values that are rejected, the defaults, the
// recipes, and the command that repeats a run:
//
//   - flag: name in commands and messages
//   - help: description
//   - of: methods that read the setting, separated by blanks; without it, all methods do
//   - but: methods that do not read the setting, if all others do
//   - for: kind of data that the setting is for; without it, any kind
//   - default: value that is used unless the method, the game or the user sets another one; without
//     it, the zero value leaves the choice to the method or the game
//   - in: range of a number, such as above 0, of at least 0, from 0 to 1, above 0 and at most 1
//   - among: words that a string may be, separated by blanks
//   - recipe: key in recipes if it differs from the name; "-" means none
//
// A field may be a bool, a number, a string, a duration, a list of strings, a map from terms to
// weights, or of a type with its own methods Set and String.
package settings

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"plyfit/internal/spec"
	"plyfit/internal/text"
)

// A Setting is a tagged field of a struct. It implements the value of a flag.
type Setting struct {
	Name  string
	tag   reflect.StructTag
	value reflect.Value
}

// Of returns the settings of the struct that its argument points to, including those of exported
// struct fields.
func Of(at any) (all []Setting) {
	v := reflect.ValueOf(at).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if name := f.Tag.Get("flag"); name != "" {
			all = append(all, Setting{name, f.Tag, v.Field(i)})
		} else if f.IsExported() && f.Type.Kind() == reflect.Struct {
			all = append(all, Of(v.Field(i).Addr().Interface())...)
		}
	}
	return all
}

// Readers returns the methods that read the setting. An empty list means all methods.
func (s Setting) Readers() []string { return strings.Fields(s.tag.Get("of")) }

// ReadBy reports whether a method reads the setting. The method "" reads all settings.
func (s Setting) ReadBy(method string) bool {
	readers := s.Readers()
	return method == "" || (len(readers) == 0 || slices.Contains(readers, method)) && !slices.Contains(s.Others(), method)
}

// Others returns the methods that do not read the setting, if the tag "but" lists them.
func (s Setting) Others() []string { return strings.Fields(s.tag.Get("but")) }

// For returns the kind of data that the setting is for. "" means any kind.
func (s Setting) For() string { return s.tag.Get("for") }

// Unread returns the error for a method that does not read the setting.
func (s Setting) Unread(method string) error {
	if len(s.Others()) > 0 {
		return fmt.Errorf("%s: does not apply to method %s", s.Name, method)
	}
	return fmt.Errorf("%s: applies only to method %s, not to %s", s.Name, strings.Join(s.Readers(), ", "), method)
}

// Help returns the description, preceded by the methods and allowed words.
func (s Setting) Help() string {
	var parts []string
	if readers := s.Readers(); len(readers) > 0 {
		parts = append(parts, "["+strings.Join(readers, ", ")+"]")
	} else if others := s.Others(); len(others) > 0 {
		parts = append(parts, "[not "+strings.Join(others, ", ")+"]")
	}
	help := s.tag.Get("help")
	if words := s.among(); len(words) > 0 {
		help = strings.TrimSuffix(text.Or(words)+"; "+help, "; ")
	}
	return strings.Join(append(parts, help), " ")
}

// Is reports whether the setting has the given kind.
func (s Setting) Is(k reflect.Kind) bool { return s.value.Kind() == k }

// Copy assigns the value of another setting.
func (s Setting) Copy(from Setting) { s.value.Set(from.value) }

// Key returns the key of the setting in recipes of a method, or "" if the recipe does not include
// it.
func (s Setting) Key(method string) string {
	key := s.tag.Get("recipe")
	switch {
	case key == "-" || !s.ReadBy(method) || s.tag.Get("default") == "" && s.zero():
		return ""
	case key == "":
		return strings.ReplaceAll(s.Name, "-", " ")
	}
	return key
}

// Type returns the type of the flag's value.
func (s Setting) Type() string {
	switch {
	case s.own() != nil:
		return "string"
	case s.time() != nil:
		return "duration"
	case s.Repeats():
		return "stringArray"
	}
	return s.value.Kind().String()
}

// written is implemented by types that parse and format themselves.
type written interface {
	Set(text string) error
	String() string
}

func (s Setting) own() written {
	own, _ := s.value.Addr().Interface().(written)
	return own
}

func (s Setting) time() *time.Duration {
	t, _ := s.value.Addr().Interface().(*time.Duration)
	return t
}

// String returns the value in the syntax of the command line.
func (s Setting) String() string {
	if !s.value.IsValid() {
		return ""
	}
	if own := s.own(); own != nil {
		return own.String()
	}
	switch v := s.value.Interface().(type) {
	case time.Duration:
		if v == 0 {
			return "0"
		}
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case map[string]float64, []string:
		return strings.Join(s.Items(), ", ")
	default:
		return fmt.Sprint(v)
	}
}

// Repeats reports whether the setting is a list or a map, to which each Set adds an item.
func (s Setting) Repeats() bool { return s.Is(reflect.Map) || s.Is(reflect.Slice) }

// Items returns the values in the syntax of the command line, one for each item of a list or map.
func (s Setting) Items() (items []string) {
	if list, ok := s.value.Interface().([]string); ok {
		return list
	}
	terms, ok := s.value.Interface().(map[string]float64)
	if !ok {
		return []string{s.String()}
	}
	for _, name := range slices.Sorted(maps.Keys(terms)) {
		items = append(items, fmt.Sprintf("%s=%v", name, terms[name]))
	}
	return items
}

// Set parses the value. For a list or map, it adds an item.
func (s Setting) Set(text string) (err error) {
	if own := s.own(); own != nil {
		return own.Set(text)
	}
	v := s.value
	switch t := s.time(); {
	case t != nil:
		*t, err = time.ParseDuration(text)
	case s.Is(reflect.Bool):
		var on bool
		on, err = strconv.ParseBool(text)
		v.SetBool(on)
	case s.Is(reflect.Int):
		var n int
		n, err = strconv.Atoi(text)
		v.SetInt(int64(n))
	case s.Is(reflect.Float64):
		var x float64
		x, err = strconv.ParseFloat(text, 64)
		v.SetFloat(x)
	case s.Is(reflect.String):
		v.SetString(text)
	case s.Is(reflect.Slice):
		v.Set(reflect.Append(v, reflect.ValueOf(text)))
	case s.Is(reflect.Map):
		return s.add(text)
	default:
		panic("settings: " + s.Name + " of type " + v.Type().String())
	}
	if err != nil || !s.possible() {
		return errors.New("want " + s.want())
	}
	return nil
}

func (s Setting) add(text string) error {
	i := strings.LastIndexByte(text, '=')
	if i < 0 {
		return errors.New("want TERM=WEIGHT")
	}
	x, err := spec.Number(text[i+1:])
	if err != nil {
		return err
	}
	if s.value.IsNil() {
		s.value.Set(reflect.ValueOf(map[string]float64{}))
	}
	s.value.SetMapIndex(reflect.ValueOf(text[:i]), reflect.ValueOf(x))
	return nil
}

// zero reports whether the setting is not set.
func (s Setting) zero() bool {
	return s.value.IsZero() || s.Is(reflect.Map) && s.value.Len() == 0
}

func (s Setting) among() []string { return strings.Fields(s.tag.Get("among")) }

// possible reports whether the tags allow the value.
func (s Setting) possible() bool {
	switch t := s.time(); {
	case t != nil:
		return *t >= 0
	case s.Is(reflect.String):
		return s.tag.Get("among") == "" || slices.Contains(s.among(), s.value.String())
	case s.Is(reflect.Int):
		return within(float64(s.value.Int()), s.tag.Get("in"))
	case s.Is(reflect.Float64):
		return within(s.value.Float(), s.tag.Get("in"))
	}
	return true
}

// within reports whether x is finite and in a range that is described in words.
func within(x float64, in string) bool {
	word, ok := "", x-x == 0
	for _, next := range strings.Fields(in) {
		if bound, err := strconv.ParseFloat(next, 64); err == nil {
			switch word {
			case "from", "least":
				ok = ok && x >= bound
			case "above":
				ok = ok && x > bound
			case "to", "most":
				ok = ok && x <= bound
			}
		}
		word = next
	}
	return ok
}

// want describes the allowed values.
func (s Setting) want() string {
	switch {
	case s.time() != nil:
		return "a time such as 500ms or 2m"
	case s.Is(reflect.Bool):
		return "true or false"
	case s.Is(reflect.String):
		return text.Or(s.among())
	case s.Is(reflect.Int):
		return strings.TrimSpace("a whole number " + s.tag.Get("in"))
	}
	return strings.TrimSpace("a number " + s.tag.Get("in"))
}

// Check returns an error if a setting that the method ignores is set, or if a value is not allowed.
func Check(at any, method string) error {
	for _, s := range Of(at) {
		zero := s.zero()
		switch {
		case zero && (s.tag.Get("default") == "" || !s.ReadBy(method)):
		case !s.ReadBy(method):
			return s.Unread(method)
		case !s.possible():
			return fmt.Errorf("%s=%s: want %s", s.Name, s, s.want())
		}
	}
	return nil
}

// Fill replaces the zero values of the settings that a method reads with the defaults.
func Fill(at any, method string) {
	for _, s := range Of(at) {
		if s.ReadBy(method) {
			s.Fill()
		}
	}
}

// Fill sets the setting to its default if it is zero.
func (s Setting) Fill() {
	text := s.tag.Get("default")
	if text == "" || !s.zero() {
		return
	}
	if err := s.Set(text); err != nil {
		panic(fmt.Sprintf("settings: default of %s: %v", s.Name, err))
	}
}

// Keep clears the settings that a method does not read.
func Keep(at any, method string) {
	for _, s := range Of(at) {
		if !s.ReadBy(method) {
			s.value.SetZero()
		}
	}
}

// Under replaces each zero field of the first struct with the corresponding field of the second.
func Under[T any](to *T, from T) {
	v, w := reflect.ValueOf(to).Elem(), reflect.ValueOf(from)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			v.Field(i).Set(w.Field(i))
		}
	}
}
