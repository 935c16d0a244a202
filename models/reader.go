package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Read reads a model file's JSON; name is for messages. Pattern tables stay unread: Load reads them
// too. It also reads what [Export.JSON] writes, except tables. Unknown or malformed content is a
// [FileError], and so is a digest that does not match the rest ([File.Digest]); a file written by
// hand has none.
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
	read := r.file
	if isExport(data) {
		read = r.exported
	}
	if err := read(f); err != nil {
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

// reader walks the tokens of well-formed JSON, and keeps the path of keys for messages.
type reader struct {
	name string
	data []byte
	dec  *json.Decoder
	path []string

	scaleAt  int    // where the key scale was, 0: nowhere
	digest   string // that the file gives, "": none
	digestAt int    // where
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
	if start := bytes.TrimSpace(r.data); start[0] != '{' {
		return r.fault(bytes.IndexByte(r.data, start[0]), "a model in JSON, such as plyfit fit DATA -o FILE.json makes", shorten(string(start)))
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
	if s, ok := t.(string); ok && slices.Contains(choices, s) {
		return s, nil
	}
	return "", r.fault(at, `"`+strings.Join(choices, `" or "`)+`"`, describe(t))
}

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

// into reads a text into dst, and finite a finite number.
func (r *reader) into(dst *string) func() error {
	return func() (err error) { *dst, err = r.text(); return err }
}

func (r *reader) finite(dst *float64) func() error {
	return func() (err error) { *dst, err = r.number(math.Inf(-1), "a finite number"); return err }
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
			return r.fault(keyAt, "one of the keys "+strings.Join(slices.Sorted(maps.Keys(fields)), ", "), strconv.Quote(key))
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
