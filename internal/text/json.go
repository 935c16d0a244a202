package text

import (
	"bytes"
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// A Fault is an error in a JSON text.
type Fault struct {
	Line, Column int    // starting from 1
	Key          string // for example terms[2].weight; "" means the whole text
	Want, Found  string // Found is "" if it would not help
}

func (f *Fault) Error() string {
	text := fmt.Sprintf("line %d, column %d: ", f.Line, f.Column)
	if f.Key != "" {
		text += "key " + f.Key + ": "
	}
	text += "want " + f.Want
	if f.Found != "" {
		text += ", found " + f.Found
	}
	return text
}

// JSON decodes data, which must be one JSON object, into the struct that v points to. It rejects
// unknown keys, repeated keys, null in place of a number or string, invalid UTF-8, and objects
// without the keys of fields tagged required:"true". Errors are of type *[Fault].
func JSON(data []byte, v any) error {
	s := &strict{data: data, fields: map[reflect.Type]map[string]reflect.StructField{}}
	if !utf8.Valid(data) {
		return s.fault(bytes.IndexByte(bytes.ToValidUTF8(data, []byte{0xff}), 0xff), "", "text in UTF-8", "")
	}
	if start := bytes.TrimSpace(data); !bytes.HasPrefix(start, []byte("{")) {
		return s.fault(len(data)-len(bytes.TrimLeft(data, " \t\r\n")), "", "a JSON object", describe(start))
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(data))
	if err := json.UnmarshalDecode(d, v, json.RejectUnknownMembers(true), jsonv1.FormatDurationAsNano(true), json.WithUnmarshalers(json.UnmarshalFromFunc(s.value))); err != nil {
		return s.explain(err)
	}
	if rest := bytes.TrimSpace(data[d.InputOffset():]); len(rest) > 0 {
		return s.fault(bytes.LastIndex(data, rest), "", "nothing after the JSON object", describe(rest))
	}
	return nil
}

// Place returns the line and column, from 1, of the value of a key such as terms[2].weight in
// well-formed JSON. Both are 1 if the key does not exist.
func Place(data []byte, key string) (line, column int) {
	s, d := strict{data: data}, jsontext.NewDecoder(bytes.NewBuffer(data))
	for {
		at := s.next(d)
		if _, err := d.ReadToken(); err != nil {
			return s.place(0)
		}
		if keyOf(d.StackPointer()) == key {
			if kind, read := d.StackIndex(d.StackDepth()); kind == '{' && read%2 == 1 {
				at = s.next(d) // the token was the key itself
			}
			return s.place(at)
		}
	}
}

// strict adds the checks that package json does not make.
type strict struct {
	data    []byte
	fields  map[reflect.Type]map[string]reflect.StructField
	entered any            // struct that value decodes, for which it must not be called again
	missing map[any]string // required keys of the surrounding struct that have no value so far, by the field's address
}

func (s *strict) place(at int) (line, column int) {
	before := s.data[:min(at, len(s.data))]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

func (s *strict) fault(at int, key jsontext.Pointer, want, found string) error {
	line, column := s.place(at)
	return &Fault{line, column, keyOf(key), want, found}
}

// next returns the offset of the next token.
func (s *strict) next(d *jsontext.Decoder) int {
	rest := s.data[d.InputOffset():]
	return len(s.data) - len(bytes.TrimLeft(rest, " \t\r\n:,"))
}

// value is called before a value is decoded into v. It rejects null in place of a number or string,
// and objects without a required key. Package json does the rest.
func (s *strict) value(d *jsontext.Decoder, v any) error {
	if v == s.entered {
		s.entered = nil
		return json.SkipFunc
	}
	delete(s.missing, v)
	to := reflect.ValueOf(v).Elem()
	kind := to.Kind()
	at := s.next(d)
	if bytes.HasPrefix(s.data[at:], []byte("null")) && kind != reflect.Pointer && kind != reflect.Slice && kind != reflect.Map && kind != reflect.Interface {
		switch v.(type) {
		case json.Unmarshaler, encoding.TextUnmarshaler: // decides itself
		default:
			return &json.SemanticError{GoType: to.Type()}
		}
	}
	if kind != reflect.Struct {
		return json.SkipFunc
	}
	missing, outer := map[any]string{}, s.missing
	for key, f := range s.keys(to.Type()) {
		if f.Tag.Get("required") != "" {
			missing[to.FieldByIndex(f.Index).Addr().Interface()] = key
		}
	}
	if len(missing) == 0 {
		return json.SkipFunc
	}
	s.entered, s.missing = v, missing
	if err := json.UnmarshalDecode(d, v); err != nil {
		return err
	}
	s.missing = outer
	if len(missing) > 0 {
		return s.fault(at, d.StackPointer(), "the key "+strconv.Quote(slices.Min(slices.Collect(maps.Values(missing)))), "none")
	}
	return nil
}

var notFinite = regexp.MustCompile(`^-?([Nn]a[Nn]|[Ii]nf(inity)?)`)

// explain returns the Fault for an error of package json.
func (s *strict) explain(err error) error {
	var fault *Fault
	var wrong *json.SemanticError
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &fault):
		return fault
	case errors.As(err, &wrong):
		at, t := int(wrong.ByteOffset), wrong.GoType
		switch reflect.New(t).Interface().(type) {
		case json.Unmarshaler, encoding.TextUnmarshaler:
			return s.fault(at, wrong.JSONPointer, "another value", wrong.Err.Error())
		}
		if wrong.Err == json.ErrUnknownName {
			return s.fault(at, wrong.JSONPointer.Parent(), "one of the keys "+strings.Join(slices.Sorted(maps.Keys(s.keys(t))), ", "), strconv.Quote(wrong.JSONPointer.LastToken()))
		}
		return s.fault(at, wrong.JSONPointer, kindOf(t), describe(s.data[at:]))
	case !errors.As(err, &syntax):
		return err
	}
	at, key := int(syntax.ByteOffset), syntax.JSONPointer
	switch syntax.Err {
	case jsontext.ErrDuplicateName:
		return s.fault(at, key.Parent(), "each key once", strconv.Quote(key.LastToken())+" twice")
	case io.ErrUnexpectedEOF:
		return s.fault(len(s.data), "", "the rest of the JSON", "the end of the text")
	}
	for from := max(at-1, 0); from <= at; from++ { // also after the sign of -Infinity
		if word := notFinite.Find(s.data[from:]); word != nil {
			return s.fault(from, key, "a finite number", string(word))
		}
	}
	return s.fault(at, key, "JSON", syntax.Err.Error())
}

// keys returns the fields of a struct by their JSON keys, including fields of embedded structs.
func (s *strict) keys(t reflect.Type) map[string]reflect.StructField {
	fields, known := s.fields[t]
	if known {
		return fields
	}
	fields = map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "-" && f.IsExported() && !(f.Anonymous && name == "") {
			fields[cmp.Or(name, f.Name)] = f
		}
	}
	s.fields[t] = fields
	return fields
}

// keyOf returns a pointer such as /terms/2/weight as terms[2].weight.
func keyOf(p jsontext.Pointer) string {
	key := ""
	for token := range p.Tokens() {
		if strings.Trim(token, "0123456789") == "" {
			key += "[" + token + "]"
		} else {
			key = strings.TrimPrefix(key+"."+token, ".")
		}
	}
	return key
}

// kindOf describes the values of a type.
func kindOf(t reflect.Type) string {
	switch kind := t.Kind(); {
	case kind == reflect.String:
		return "text"
	case kind == reflect.Bool:
		return "true or false"
	case kind >= reflect.Int && kind <= reflect.Int64:
		return "a whole number"
	case kind >= reflect.Uint && kind <= reflect.Uint64:
		return "a whole number of at least 0"
	case kind == reflect.Float64:
		return "a finite number"
	case kind == reflect.Slice:
		return "a list"
	case kind == reflect.Map || kind == reflect.Struct:
		return "an object"
	}
	return "a value of type " + t.String()
}

// describe returns the kind of a JSON value, or the beginning of a string in quotes.
func describe(data []byte) string {
	if value, err := jsontext.NewDecoder(bytes.NewBuffer(data)).ReadValue(); err == nil {
		data = value
	}
	text := string(bytes.TrimSpace(data))
	switch {
	case text == "":
		return "nothing"
	case text[0] == '{':
		return "an object"
	case text[0] == '[':
		return "a list"
	}
	if text[0] != '"' {
		text = strings.TrimRight(strings.Fields(text)[0], ",]}")
	}
	if len(text) > 24 {
		text = strings.ToValidUTF8(text[:24], "") + "..."
	}
	if jsontext.Value(text).IsValid() {
		return text
	}
	return strconv.Quote(text)
}
