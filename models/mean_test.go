package models

import (
	"strings"
	"testing"
)

func TestMean(t *testing.T) {
	read := func(name, text string) *File {
		t.Helper()
		f, err := Read(name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	model := func(features, rest string) string {
		return `{"format": "plyfit-model/1", "game": "g", "features": "` + features + `", "link": "tanh", "scale": 2, "bias": 1, ` + rest + `}`
	}
	a := read("a.json", model("g/x", `"terms": [{"name": "p", "weight": 3, "se": 1}, {"name": "q", "weight": -1}]`))
	b := read("b.json", model("g/x", `"terms": [{"name": "r", "weight": 6}, {"name": "p", "weight": 1}]`))
	b.Bias = 4
	m, err := Mean(a, b)
	if err != nil {
		t.Fatal(err)
	}
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
	if m, err = Mean(a, b); err != nil || m.Table[0] != 2 || m.Table[1] != 4.5 || a.Table[0] != 1 {
		t.Errorf("mean of tables %v, %v, want [2 4.5]", m, err)
	}

	b.Link.Scale = 4 // a weight of b is worth two of a
	if m, err = Mean(a, b); err != nil || m.Link != a.Link || m.Bias != 4.5 || m.Terms[0].Weight != 2.5 || m.Terms[2].Weight != 6 || m.Table[1] != 8 {
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
