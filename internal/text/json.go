package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// JSON decodes data, one JSON object, into v. Unlike [json.Unmarshal] it refuses fields that v lacks.
// Errors name the key and, in a text of several lines, the line.
func JSON(data []byte, v any) error {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return errors.New("no JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	at := 0
	switch {
	case err == nil:
		rest := bytes.TrimSpace(data[d.InputOffset():])
		if len(rest) == 0 {
			return nil
		}
		at = bytes.LastIndex(data, rest) + 1
		err = errors.New("want nothing after the JSON object")
	case errors.As(err, &syntax):
		at = int(syntax.Offset)
	case errors.As(err, &kind):
		at = int(kind.Offset)
		key := kind.Field[strings.LastIndexByte(kind.Field, '.')+1:] // the path names embedded structs, too
		err = fmt.Errorf("key %s: want a value of type %v, not %s", key, kind.Type, kind.Value)
	}
	line := ""
	if at > 0 && bytes.IndexByte(bytes.TrimSpace(data), '\n') >= 0 {
		line = fmt.Sprintf("line %d: ", 1+bytes.Count(data[:min(at, len(data))-1], []byte("\n")))
	}
	return errors.New(line + strings.TrimPrefix(err.Error(), "json: "))
}

// KeysOnce refuses the next value of d, well-formed JSON, if a key stands twice in an object, whatever
// its case. Package json takes the last one.
func KeysOnce(d *json.Decoder) error {
	open, err := d.Token()
	if open != json.Delim('{') && open != json.Delim('[') {
		return err
	}
	keys := map[string]bool{}
	for d.More() && err == nil {
		if open == json.Delim('{') {
			t, _ := d.Token()
			key := strings.ToLower(t.(string))
			if keys[key] {
				return fmt.Errorf("key %q: want each key once", t)
			}
			keys[key] = true
		}
		err = KeysOnce(d)
	}
	if err == nil {
		_, err = d.Token()
	}
	return err
}
