package models

import (
	"os"
	"path/filepath"
	"reflect"
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

func TestMean(t *testing.T) {
	read := func(name, text string) *File {
		t.Helper()
		return vectors.Must(Read(name, []byte(text)))
	}
	model := func(features, rest string) string {
		return `{"format": "plyfit-model/1", "game": "g", "features": "` + features + `", "link": "tanh", "scale": 2, "bias": 1, ` + rest + `}`
	}
	a := read("a.json", model("g/x", `"terms": [{"name": "p", "weight": 3, "se": 1}, {"name": "q", "weight": -1}]`))
	b := read("b.json", model("g/x", `"terms": [{"name": "r", "weight": 6}, {"name": "p", "weight": 1}]`))
	b.Bias = 4
	m := vectors.Must(Mean(a, b))
	want := map[string]float64{"p": 2, "q": -0.5, "r": 3}
	for _, x := range m.Terms {
		if x.Weight != want[x.Name] || x.Error == x.Error {
			t.Errorf("%s weighs %v with error %v, want %v without", x.Name, x.Weight, x.Error, want[x.Name])
		}
		delete(want, x.Name)
	}
	if len(want) > 0 || m.Bias != 2.5 || m.Link != a.Link || m.Game != "g" {
		t.Errorf("mean %+v lacks %v", m, want)
	}
	if a.Terms[0].Weight != 3 {
		t.Error("the mean changed a model that it is of")
	}

	a.TableBlocks, b.TableBlocks = []TableBlock{{"t", 2}}, []TableBlock{{"t", 2}}
	a.Table, b.Table = []float32{1, 2}, []float32{3, 7}
	if m, err := Mean(a, b); err != nil || m.Table[0] != 2 || m.Table[1] != 4.5 || a.Table[0] != 1 {
		t.Errorf("mean of tables %v, %v, want [2 4.5]", m, err)
	}

	b.Link.Scale = 4 // with this scale, a weight in b corresponds to twice that weight in a
	if m, err := Mean(a, b); err != nil || m.Link != a.Link || m.Bias != 4.5 || m.Terms[0].Weight != 2.5 || m.Terms[2].Weight != 6 || m.Table[1] != 8 {
		t.Errorf("mean in the scale of the first: %+v, %v", m, err)
	}
	b.Link.Kind = Logistic
	if _, err := Mean(a, b); err == nil || !strings.Contains(err.Error(), "tanh") {
		t.Errorf("another link: %v, want an error that says which", err)
	}

	other := read("other.json", model("g/y", `"terms": []`))
	if _, err := Mean(a, other); err == nil || !strings.Contains(err.Error(), "other.json") || !strings.Contains(err.Error(), `"g/x"`) {
		t.Errorf("other features: %v, want an error with the file and what it should have", err)
	}
	if _, err := Mean(a); err == nil {
		t.Error("the mean of one model is no error")
	}
}
