package models

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// TestWeights checks that all formats contain the first column before the last one, and that JSON
// and CSV can be read back.
func TestWeights(t *testing.T) {
	tapered := &Weights{Tapered: true, Phase: "phase", PhaseMax: 24, Scale: 0.01, Columns: []Weight{{"pawn", 90, 110.5}, {"a, \"b\" */", 1e-7, -3}, {"king", -40, 10}}}
	plain := &Weights{Integers: true, Scale: 0.01, Columns: []Weight{{"pawn", 90, 90}, {"king", -40, -40}}}
	for _, w := range []*Weights{tapered, plain} {
		for ext := range weightsFormats {
			var b strings.Builder
			if err := w.Write(&b, "w"+ext, "mine"); err != nil {
				t.Fatalf("%s: %v", ext, err)
			}
			if a, z := strings.Index(b.String(), "pawn"), strings.LastIndex(b.String(), "king"); a < 0 || z < a {
				t.Errorf("%s: the columns are not in their order:\n%s", ext, b.String())
			}
			if ext != ".json" && ext != ".csv" {
				continue
			}
			back, err := readWeights(t, "w"+ext, b.String())
			if err != nil {
				t.Fatalf("%s: %v", ext, err)
			}
			if !reflect.DeepEqual(back.Columns, w.Columns) || back.Tapered != w.Tapered || ext == ".json" && (back.Scale != w.Scale || back.Phase != w.Phase) {
				t.Errorf("%s: %+v read back, want %+v", ext, back, w)
			}
		}
	}
	for path, name := range map[string]string{"w.xls": "eval", "w.h": "2eval", "w.c": "_eval"} {
		if CheckWeights(path, name) == nil {
			t.Errorf("%s under the name %s is taken", path, name)
		}
	}
}

func readWeights(t *testing.T, name, text string) (*Weights, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	vectors.Check(os.WriteFile(path, []byte(text), 0o600))
	return ReadWeights(path)
}

// TestBadWeights checks that errors about weights are a single line. Most of them must contain the
// file name and the line number or the invalid part.
func TestBadWeights(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "no weights",
		"name,weight,width\na,1,0\n":       `w.csv:2: column 3: want a width above 0, or nothing, found "0"`,
		"name,mg\na,1\n":                   "w.csv:1: want a header with the columns name and weight, or name, mg and eg",
		"name,weight\na,1_0\n":             `w.csv:2: column 2: want a finite number, found "1_0"`,
		"# x\n\nname,mg,eg\na,1,inf\n":     `w.csv:4: column 3: want a finite number, found "inf"`,
		"name,weight\na,1,2\n":             "w.csv:2: want 2 cells, as in the header; found 3",
		"name,weight\na,1\na,2\n":          `w.csv: "a" occurs twice`,
		`{"format": "x"}`:                  `w.csv: format "x": want plyfit-weights/1`,
		`{"format": "plyfit-weights/1"} 1`: "w.csv: line 1, column 32: want nothing after",
	} {
		if _, err := readWeights(t, "w.csv", text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestFix checks that Fix sets the weights of terms and groups, and rejects names in tables, names
// that do not exist, and terms named twice.
func TestFix(t *testing.T) {
	m := &Linear{Features: "f", Blocks: []Block{
		{Name: "none"}, {Name: "a", Len: 1, Group: "g"}, {Name: "b", Len: 1}, {Name: "c", Len: 1, Group: "g"}, {Name: "t", Len: 3, Table: true},
	}, Weights: []float64{1, 2, 3}, Table: []float32{4, 5, 6}}
	fixed, err := m.Fix(map[string]float64{"g": 0, "b": 7})
	if want := []int32{1, 0, 2}; err != nil || !slices.Equal(fixed, want) || !slices.Equal(m.Weights, []float64{0, 7, 0}) {
		t.Errorf("fixed %v, weights %v, error %v; want %v and [0 7 0]", fixed, m.Weights, err, want)
	}
	for _, bad := range []map[string]float64{{"t": 0}, {"t[0]": 0}, {"d": 0}, {"g": 0, "a": 0}} {
		if _, err := m.Fix(bad); err == nil {
			t.Errorf("Fix(%v) succeeded", bad)
		}
	}
}
