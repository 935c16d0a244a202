package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Read reads a model file's JSON; name is for messages. Pattern tables stay
// unread: Load takes them in too. Everything that the format does not know,
// or knows otherwise, is a [FileError].
func Read(name string, data []byte) (*File, error) {
	r := &reader{name: name, data: data}
	if at := invalidUTF8(data); at >= 0 {
		return nil, r.fault(at, "text in UTF-8", "")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, r.syntax(err)
	}
	r.dec = json.NewDecoder(bytes.NewReader(data))
	r.dec.UseNumber()
	f := &File{Name: name, Leaves: Decision}
	if err := r.file(f); err != nil {
		return nil, err
	}
	return f, nil
}

func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		c, n := utf8.DecodeRune(data[i:])
		if c == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// reader walks the tokens of JSON that is known to be well-formed, and keeps
// the path of keys to where it is, for messages.
type reader struct {
	name string
	data []byte
	dec  *json.Decoder
	path []string
}

func (r *reader) fault(at int, want, found string) error {
	at = min(at, len(r.data))
	before := r.data[:at]
	line := bytes.Count(before, []byte("\n"))
	column := at - (bytes.LastIndexByte(before, '\n') + 1)
	return &FileError{
		File: r.name, Line: line + 1, Column: column + 1,
		Key: strings.Join(r.path, ""), Want: want, Found: found,
	}
}

// syntax says where the JSON breaks off or goes wrong.
func (r *reader) syntax(err error) error {
	var s *json.SyntaxError
	if !errors.As(err, &s) {
		return r.fault(0, "JSON", err.Error())
	}
	if len(bytes.TrimSpace(r.data)) == 0 {
		return r.fault(0, "a model in JSON", "nothing")
	}
	if strings.HasPrefix(s.Error(), "unexpected end") {
		return r.fault(len(r.data), "the rest of the JSON", "the end of the file")
	}
	at := max(int(s.Offset)-1, 0)
	if strings.Contains(s.Error(), "after top-level value") {
		return r.fault(at, "nothing after the model", shorten(string(r.data[at:])))
	}
	// The scanner stumbles over the first letter that no number has.
	for from := max(at-1, 0); from <= at; from++ {
		for _, word := range []string{"NaN", "Infinity", "-Infinity", "Inf", "-Inf", "nan", "-nan", "inf", "-inf"} {
			if bytes.HasPrefix(r.data[from:], []byte(word)) {
				return r.fault(from, "a finite number", word)
			}
		}
	}
	return r.fault(at, "JSON", strings.TrimPrefix(s.Error(), "json: "))
}

func shorten(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text, " \t\r\n"); i > 0 {
		text = text[:i]
	}
	if len(text) > 20 {
		text = strings.ToValidUTF8(text[:20], "") + "..."
	}
	return strconv.Quote(text)
}

// at is the offset of the next token.
func (r *reader) at() int {
	i := int(r.dec.InputOffset())
	for i < len(r.data) && strings.IndexByte(" \t\r\n:,", r.data[i]) >= 0 {
		i++
	}
	return i
}

func (r *reader) token() (json.Token, error) {
	t, err := r.dec.Token()
	if err != nil {
		if err == io.EOF {
			return nil, r.fault(len(r.data), "the rest of the JSON", "the end of the file")
		}
		return nil, r.syntax(err)
	}
	return t, nil
}

func describe(t json.Token) string {
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return "an object"
		}
		return "a list"
	case string:
		return strconv.Quote(t)
	case nil:
		return "null"
	}
	return fmt.Sprint(t)
}

func (r *reader) text() (string, error) {
	at := r.at()
	t, err := r.token()
	if err != nil {
		return "", err
	}
	s, ok := t.(string)
	if !ok {
		return "", r.fault(at, "text", describe(t))
	}
	if s == "" {
		return "", r.fault(at, "text", "none")
	}
	return s, nil
}

func (r *reader) choice(choices ...string) (string, error) {
	at := r.at()
	t, err := r.token()
	if err != nil {
		return "", err
	}
	if s, ok := t.(string); ok {
		for _, c := range choices {
			if s == c {
				return s, nil
			}
		}
	}
	return "", r.fault(at, `"`+strings.Join(choices, `" or "`)+`"`, describe(t))
}

// number reads a finite number of at least lo.
func (r *reader) number(lo float64, want string) (float64, error) {
	at := r.at()
	t, err := r.token()
	if err != nil {
		return 0, err
	}
	n, ok := t.(json.Number)
	if !ok {
		return 0, r.fault(at, want, describe(t))
	}
	x, err := strconv.ParseFloat(n.String(), 64)
	if err != nil || x < lo {
		return 0, r.fault(at, want, n.String())
	}
	return x, nil
}

// object reads an object whose keys are all in fields, each at most once.
func (r *reader) object(what string, fields map[string]func() error, required ...string) error {
	at := r.at()
	t, err := r.token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return r.fault(at, what, describe(t))
	}
	seen := map[string]bool{}
	for r.dec.More() {
		keyAt := r.at()
		t, err := r.token()
		if err != nil {
			return err
		}
		key := t.(string)
		read, known := fields[key]
		switch {
		case !known:
			return r.fault(keyAt, "one of the keys "+strings.Join(keysOf(fields), ", "), strconv.Quote(key))
		case seen[key]:
			return r.fault(keyAt, "each key once", strconv.Quote(key)+" twice")
		}
		seen[key] = true
		if len(r.path) > 0 {
			r.path = append(r.path, ".")
		}
		depth := len(r.path)
		r.path = append(r.path, key)
		if err := read(); err != nil {
			return err
		}
		r.path = r.path[:max(depth-1, 0)]
	}
	if _, err := r.token(); err != nil {
		return err
	}
	for _, key := range required {
		if !seen[key] {
			return r.fault(at, "the key "+strconv.Quote(key), "none")
		}
	}
	return nil
}

func keysOf(fields map[string]func() error) []string {
	var keys []string
	for k := range fields {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// list calls item for each member of a list.
func (r *reader) list(item func() error) error {
	at := r.at()
	t, err := r.token()
	if err != nil {
		return err
	}
	if t != json.Delim('[') {
		return r.fault(at, "a list", describe(t))
	}
	for i := 0; r.dec.More(); i++ {
		r.path = append(r.path, fmt.Sprintf("[%d]", i))
		if err := item(); err != nil {
			return err
		}
		r.path = r.path[:len(r.path)-1]
	}
	_, err = r.token()
	return err
}

func (r *reader) file(f *File) error {
	finite := func(dst *float64) func() error {
		return func() (err error) { *dst, err = r.number(math.Inf(-1), "a finite number"); return err }
	}
	text := func(dst *string) func() error {
		return func() (err error) { *dst, err = r.text(); return err }
	}
	scaleAt := 0
	fields := map[string]func() error{
		"format":      func() error { _, err := r.choice(Format); return err },
		"game":        text(&f.Game),
		"features":    text(&f.Features),
		"fingerprint": text(&f.Fingerprint),
		"bias":        finite(&f.Bias),
		"bias_se":     func() (err error) { f.BiasError, err = r.number(0, "a standard error, at least 0"); return err },
		"link": func() error {
			kind, err := r.choice(string(Identity), string(Logistic), string(Tanh))
			f.Link.Kind = LinkKind(kind)
			return err
		},
		"scale": func() (err error) {
			scaleAt = r.at()
			f.Link.Scale, err = r.number(math.SmallestNonzeroFloat64, "a scale above 0")
			return err
		},
		"leaves": func() error {
			leaves, err := r.choice(string(Decision), string(Afterstate))
			f.Leaves = Leaves(leaves)
			return err
		},
		"terms":      func() error { return r.terms(f) },
		"table":      func() error { return r.table(f) },
		"provenance": func() error { return r.provenance(f) },
	}
	if err := r.object("a model", fields, "format", "game", "features", "link", "terms"); err != nil {
		return err
	}
	if scaleAt > 0 && f.Link.Kind == Identity {
		r.path = []string{"scale"}
		return r.fault(scaleAt, "none with the link identity", "")
	}
	return nil
}

func (r *reader) terms(f *File) error {
	seen := map[string]bool{}
	var t NamedWeight
	nameAt := 0
	fields := map[string]func() error{
		"name":   func() (err error) { nameAt = r.at(); t.Name, err = r.text(); return err },
		"weight": func() (err error) { t.Weight, err = r.number(math.Inf(-1), "a finite number"); return err },
		"se":     func() (err error) { t.Error, err = r.number(0, "a standard error, at least 0"); return err },
	}
	return r.list(func() error {
		t = NamedWeight{Error: math.NaN()}
		if err := r.object("a term", fields, "name", "weight"); err != nil {
			return err
		}
		if seen[t.Name] {
			return r.fault(nameAt, "each term once", strconv.Quote(t.Name)+" twice")
		}
		seen[t.Name] = true
		f.Terms = append(f.Terms, t)
		return nil
	})
}

func (r *reader) table(f *File) error {
	fields := map[string]func() error{
		"file": func() (err error) {
			at := r.at()
			if f.tableFile, err = r.text(); err == nil && (strings.ContainsAny(f.tableFile, `/\`) || f.tableFile[0] == '.') {
				err = r.fault(at, "the name of a file in the model's folder", strconv.Quote(f.tableFile))
			}
			return err
		},
		"sha256": func() (err error) {
			at := r.at()
			if f.tableSum, err = r.text(); err == nil && !isDigest(f.tableSum) {
				err = r.fault(at, "64 hexadecimal digits in lower case", strconv.Quote(f.tableSum))
			}
			return err
		},
		"blocks": func() error { return r.tableBlocks(f) },
	}
	return r.object("a table", fields, "sha256", "blocks")
}

func (r *reader) tableBlocks(f *File) error {
	var b TableBlock
	nameAt := 0
	fields := map[string]func() error{
		"name": func() (err error) { nameAt = r.at(); b.Name, err = r.text(); return err },
		"len": func() error {
			at := r.at()
			n, err := r.number(1, "a whole number from 1 to 2^31-1")
			if err == nil && (n != math.Trunc(n) || n > math.MaxInt32) {
				err = r.fault(at, "a whole number from 1 to 2^31-1", fmt.Sprint(n))
			}
			b.Len = int(n)
			return err
		},
	}
	seen, total := map[string]bool{}, 0
	return r.list(func() error {
		at := r.at()
		if err := r.object("a table's block", fields, "name", "len"); err != nil {
			return err
		}
		if total += b.Len; total > math.MaxInt32 {
			return r.fault(at, "at most 2^31-1 weights in all", "")
		}
		if seen[b.Name] {
			return r.fault(nameAt, "each block once", strconv.Quote(b.Name)+" twice")
		}
		seen[b.Name] = true
		f.TableBlocks = append(f.TableBlocks, b)
		return nil
	})
}

// provenance is read for what it is worth: keys that it does not know are an
// error all the same.
func (r *reader) provenance(f *File) error {
	at := r.at()
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		return r.syntax(err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err := dec.Decode(&f.Provenance)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		if wrong.Field != "" {
			r.path = append(r.path, "."+wrong.Field)
		}
		return r.fault(at+max(int(wrong.Offset)-1, 0), wrong.Type.String(), wrong.Value)
	case err != nil:
		return r.fault(at, "a provenance", strings.TrimPrefix(err.Error(), "json: "))
	case f.Provenance == nil:
		return r.fault(at, "an object", "null")
	}
	return nil
}

func isDigest(s string) bool {
	if len(s) != 64 {
		return false
	}
	for _, c := range s {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return true
}
