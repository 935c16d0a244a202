package text

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
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

// JSON decodes data, which must be one JSON object, into the struct that v points to. Unlike
// [json.Unmarshal], it rejects unknown keys, repeated keys, null in place of a number or string,
// invalid UTF-8, and objects without the keys of fields tagged required:"true". Errors are of type
// *[Fault].
func JSON(data []byte, v any) error {
	d := newDecoder(data)
	if !utf8.Valid(data) {
		return d.fault(bytes.IndexByte(bytes.ToValidUTF8(data, []byte{0xff}), 0xff), "text in UTF-8", "")
	}
	if start := bytes.TrimSpace(data); !bytes.HasPrefix(start, []byte("{")) {
		return d.fault(len(data)-len(bytes.TrimLeft(data, " \t\r\n")), "a JSON object", describe(start))
	}
	var whole json.RawMessage
	err := json.NewDecoder(bytes.NewReader(data)).Decode(&whole)
	if err == nil {
		err = d.value(reflect.ValueOf(v).Elem())
	}
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return d.syntax(int(syntax.Offset)-1, err)
	case err == io.ErrUnexpectedEOF:
		return d.fault(len(data), "the rest of the JSON", "the end of the text")
	case err != nil:
		return err
	}
	if rest := bytes.TrimSpace(data[d.InputOffset():]); len(rest) > 0 {
		return d.fault(bytes.LastIndex(data, rest), "nothing after the JSON object", describe(rest))
	}
	return nil
}

// Place returns the line and column, from 1, of the value of a key such as terms[2].weight in
// well-formed JSON. Both are 1 if the key does not exist.
func Place(data []byte, key string) (line, column int) {
	d := newDecoder(data)
	at, _ := d.seek("", key)
	return d.place(at)
}

// decoder keeps the path of keys to the current value, for messages.
type decoder struct {
	*json.Decoder
	data   []byte
	path   string
	fields map[reflect.Type]map[string]reflect.StructField
}

func newDecoder(data []byte) *decoder {
	return &decoder{json.NewDecoder(bytes.NewReader(data)), data, "", map[reflect.Type]map[string]reflect.StructField{}}
}

func (d *decoder) place(at int) (line, column int) {
	before := d.data[:min(at, len(d.data))]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

func (d *decoder) fault(at int, want, found string) error {
	line, column := d.place(at)
	return &Fault{line, column, d.path, want, found}
}

var notFinite = regexp.MustCompile(`^-?([Nn]a[Nn]|[Ii]nf(inity)?)`)

// syntax returns a clearer error for err, which occurred at an offset.
func (d *decoder) syntax(at int, err error) error {
	for from := max(at-1, 0); from <= at; from++ { // also after the sign of -Infinity
		if word := notFinite.Find(d.data[from:]); word != nil {
			return d.fault(from, "a finite number", string(word))
		}
	}
	return d.fault(at, "JSON", strings.TrimPrefix(err.Error(), "json: "))
}

// at returns the offset of the next token.
func (d *decoder) at() int {
	i := int(d.InputOffset())
	for i < len(d.data) && strings.IndexByte(" \t\r\n:,", d.data[i]) >= 0 {
		i++
	}
	return i
}

// value decodes the next value. It decodes structs and lists of structs itself, and all other types
// with package json.
func (d *decoder) value(v reflect.Value) error {
	at, kind := d.at(), v.Kind()
	null := bytes.HasPrefix(d.data[at:], []byte("null"))
	switch to := v.Addr().Interface().(type) {
	case json.Unmarshaler, encoding.TextUnmarshaler:
		return d.leaf(at, to, v.Type())
	}
	switch {
	case kind == reflect.Struct:
		return d.object(at, v)
	case kind == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct && !null:
		v.Set(reflect.New(v.Type().Elem()))
		return d.value(v.Elem())
	case kind == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct && !null:
		return d.list(at, v)
	case null && kind != reflect.Pointer && kind != reflect.Slice && kind != reflect.Map && kind != reflect.Interface:
		return d.fault(at, kindOf(v.Type()), "null")
	}
	return d.leaf(at, v.Addr().Interface(), v.Type())
}

func (d *decoder) leaf(at int, to any, t reflect.Type) error {
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return err
	}
	err := json.Unmarshal(raw, to)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		found := wrong.Value // an element of the value
		if wrong.Type == t {
			found = describe(raw)
		}
		return d.fault(at, kindOf(wrong.Type), found)
	case err != nil:
		return d.fault(at, "another value", err.Error())
	}
	return nil
}

func (d *decoder) list(at int, v reflect.Value) error {
	path := d.path
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return cmp.Or(err, d.fault(at, "a list", describe(d.data[at:])))
	}
	v.SetLen(0)
	for i := 0; d.More(); i++ {
		d.path = fmt.Sprintf("%s[%d]", path, i)
		item := reflect.New(v.Type().Elem()).Elem()
		if err := d.value(item); err != nil {
			return err
		}
		v.Set(reflect.Append(v, item))
	}
	d.path = path
	_, err := d.Token()
	return err
}

func (d *decoder) object(at int, v reflect.Value) error {
	path, seen := d.path, map[string]bool{}
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return cmp.Or(err, d.fault(at, "an object", describe(d.data[at:])))
	}
	fields := d.keys(v.Type())
	for d.More() {
		keyAt := d.at()
		t, err := d.Token()
		if err != nil {
			return err
		}
		key := t.(string)
		f, known := fields[key]
		switch {
		case !known:
			return d.fault(keyAt, "one of the keys "+strings.Join(slices.Sorted(maps.Keys(fields)), ", "), strconv.Quote(key))
		case seen[key]:
			return d.fault(keyAt, "each key once", strconv.Quote(key)+" twice")
		}
		seen[key] = true
		d.path = under(path, key)
		if err := d.value(v.FieldByIndex(f.Index)); err != nil {
			return err
		}
		d.path = path
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if !seen[key] && fields[key].Tag.Get("required") != "" {
			return d.fault(at, "the key "+strconv.Quote(key), "none")
		}
	}
	_, err := d.Token()
	return err
}

// keys returns the fields of a struct by their JSON keys, including fields of embedded structs.
func (d *decoder) keys(t reflect.Type) map[string]reflect.StructField {
	fields, known := d.fields[t]
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
	d.fields[t] = fields
	return fields
}

// seek searches the next value, whose own key is path, for the value with the given key.
func (d *decoder) seek(path, key string) (at int, ok bool) {
	if path == key {
		return d.at(), true
	}
	open, err := d.Token()
	if open != json.Delim('{') && open != json.Delim('[') {
		return 0, false
	}
	for i := 0; err == nil && d.More(); i++ {
		inner := fmt.Sprintf("%s[%d]", path, i)
		if open == json.Delim('{') {
			var name json.Token
			name, err = d.Token()
			inner = under(path, fmt.Sprint(name))
		}
		if at, ok = d.seek(inner, key); ok {
			return at, true
		}
	}
	d.Token()
	return 0, false
}

func under(path, key string) string { return strings.TrimPrefix(path+"."+key, ".") }

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
	case kind == reflect.Map:
		return "an object"
	}
	return "a value of type " + t.String()
}

// describe returns the kind of a JSON value, or the beginning of a string in quotes.
func describe(data []byte) string {
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
	if json.Valid([]byte(text)) {
		return text
	}
	return strconv.Quote(text)
}
