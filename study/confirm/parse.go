package confirm

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// lastOfWorlds is the last commit with the study of sources of evaluations.
const lastOfWorlds = "c881801a"

// parse reads a protocol and checks what can be checked without the games. A key
// that is unknown, or stands twice, is an error.
func parse(data []byte) (*Protocol, error) {
	if err := onceEach(data); err != nil {
		return nil, err
	}
	p := &Protocol{Digest: fmt.Sprintf("%x", sha256.Sum256(data))}
	var head struct {
		Format string          `json:"format"`
		Worlds json.RawMessage `json:"worlds"`
	}
	switch err := json.Unmarshal(data, &head); {
	case err == nil && head.Format == firstFormat:
		return nil, fmt.Errorf("key format: %s is decided by the program of commit b57a2cf, which ran it: want %s here", head.Format, format)
	case err == nil && head.Worlds != nil:
		return nil, fmt.Errorf("key worlds: protocols of worlds and sources are decided by the program of commit %s: want matches here", lastOfWorlds)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(p); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return nil, fmt.Errorf("key %s: want a value of type %v, not a %s", wrong.Field, wrong.Type, wrong.Value)
		}
		return nil, fmt.Errorf("want a protocol as JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return p, nil
}

// onceEach refuses an object in which a key stands twice, and anything after the
// first value: two readers could read such a file in two ways.
func onceEach(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	type level struct {
		keys map[string]bool // nil: a list
		key  string          // the one whose value comes next
	}
	var open []level
	for {
		t, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("want a protocol as JSON: byte %d: %w", d.InputOffset(), err)
		}
		top := len(open) - 1
		switch key, isText := t.(string); {
		case t == json.Delim('{'):
			open = append(open, level{keys: map[string]bool{}})
			continue
		case t == json.Delim('['):
			open = append(open, level{})
			continue
		case t == json.Delim('}'), t == json.Delim(']'):
			open = open[:top]
		case isText && top >= 0 && open[top].keys != nil && open[top].key == "":
			// Go matches keys whatever their case.
			if folded := strings.ToLower(key); open[top].keys[folded] || key == "" {
				return fmt.Errorf("key %q: want each key once, and none empty", key)
			} else {
				open[top].keys[folded] = true
			}
			open[top].key = key
			continue
		}
		// A value has ended.
		if n := len(open) - 1; n >= 0 {
			open[n].key = ""
		} else if _, err := d.Token(); err != io.EOF {
			return fmt.Errorf("byte %d: want nothing after the protocol", d.InputOffset())
		} else {
			return nil
		}
	}
}

// wrong is an error about a key.
func wrong(key, want string, found any) error {
	return fmt.Errorf("key %s: want %s, not %q", key, want, fmt.Sprint(found))
}
