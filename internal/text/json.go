package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// JSON decodes data, one JSON value, into v. Unlike [json.Unmarshal] it refuses fields that v lacks.
// Errors name the line if data has several, and the key.
func JSON(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	at := int64(0)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		if at = d.InputOffset(); len(bytes.TrimSpace(data[at:])) == 0 {
			return nil
		}
		err = errors.New("want nothing after the JSON value")
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
		key := kind.Field[strings.LastIndexByte(kind.Field, '.')+1:] // the path names embedded structs, too
		if err = fmt.Errorf("want a JSON object, not %s", kind.Value); key != "" {
			err = fmt.Errorf("key %s: want a value of type %v, not %s", key, kind.Type, kind.Value)
		}
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		at = int64(len(data))
	}
	said := strings.TrimPrefix(err.Error(), "json: ")
	if before := data[:min(at, int64(len(data)))]; at > 0 && bytes.Contains(bytes.TrimSpace(data), []byte("\n")) {
		return fmt.Errorf("line %d: %s", 1+bytes.Count(bytes.TrimRight(before, "\n"), []byte("\n")), said)
	}
	return errors.New(said)
}
