package models_test

import (
	"bytes"
	"strings"
	"testing"

	"plyfit/internal/vectors"
	"plyfit/models"
)

// TestRangeKey reads and writes the range of utilities, and checks that invalid ones are rejected.
func TestRangeKey(t *testing.T) {
	const head = `{"format": "plyfit-model/1", "game": "g", "features": "f", "link": "identity", "terms": []`
	f := vectors.Must(models.Read("m.json", []byte(head+`, "range": [-18, 18.5]}`)))
	if f.Range == nil || f.Range.Min != -18 || f.Range.Max != 18.5 {
		t.Fatalf("range %v", f.Range)
	}
	data, err := f.Bytes()
	if err != nil || !bytes.Contains(data, []byte(`"range": [-18, 18.5]`)) {
		t.Errorf("%s, %v", data, err)
	}
	for _, bad := range []string{"[1]", "[1, 2, 3]", "[2, 1]", "[1, 1]", "3", `["a", 1]`, "[-1e308, 1e308]"} {
		if _, err := models.Read("m.json", []byte(head+`, "range": `+bad+`}`)); err == nil || !strings.Contains(err.Error(), "range") || strings.Contains(err.Error(), "\n") {
			t.Errorf("range %s: %v", bad, err)
		}
	}
}
