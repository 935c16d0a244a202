package disk

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestSeal checks that a sealed line is JSON with the same fields, and that flipping any bit of its
// content is detected.
func TestSeal(t *testing.T) {
	const line = `{"pair":3,"moves":["a1","\"}"]}` + "\n"
	sealed := Seal([]byte(line))
	var object map[string]any
	if err := json.Unmarshal(sealed, &object); err != nil || object["pair"] != 3.0 || len(object) != 3 {
		t.Fatalf("%s reads as %v, %v", sealed, object, err)
	}
	if !Intact(sealed) || !Intact([]byte(line)) || !Intact([]byte("{}\n")) || !Intact(nil) {
		t.Error("lines as they were written count as damaged")
	}
	content := len(line) - len("}\n")
	for i := range content * 8 {
		broken := bytes.Clone(sealed)
		broken[i/8] ^= 1 << (i % 8)
		if Intact(broken) {
			t.Errorf("%q counts as intact", broken)
		}
	}
}
