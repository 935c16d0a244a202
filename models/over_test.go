package models

import "testing"

// TestOver: weights travel by name, to other places and into tables of the same length;
// what only the new set has weighs nothing; a weight without a place is refused.
func TestOver(t *testing.T) {
	m := New("g", "g/small", []Block{{Name: "a", Len: 1}, {Name: "b", Len: 2}, {Name: "t", Len: 2, Table: true}})
	copy(m.Weights, []float64{1, 2, 3})
	copy(m.Table, []float32{4, 5})
	m.Bias, m.Link, m.Leaves = 6, Link{Kind: Tanh, Scale: 0.5}, Afterstate

	wide := []Block{{Name: "b", Len: 2}, {Name: "c", Len: 1}, {Name: "a", Len: 1}, {Name: "s", Len: 1, Table: true}, {Name: "t", Len: 2, Table: true}}
	o, ok := m.Over("g/wide", wide)
	if !ok {
		t.Fatal("refused, want a model over the wider set")
	}
	for i, want := range []float64{2, 3, 0, 1, 0, 4, 5} {
		if got := o.Weight(int32(i)); got != want {
			t.Errorf("%s weighs %v, want %v", o.Name(int32(i)), got, want)
		}
	}
	if o.Features != "g/wide" || o.Bias != 6 || o.Link != m.Link || o.Leaves != Afterstate || o.Fingerprint != New("g", "g/wide", wide).Fingerprint {
		t.Errorf("%+v, want the bias, link and leaves of the model under the set's fingerprint", o)
	}

	for name, blocks := range map[string][]Block{
		"no b":             {{Name: "a", Len: 1}, {Name: "t", Len: 2, Table: true}},
		"no table":         {{Name: "a", Len: 1}, {Name: "b", Len: 2}},
		"a longer table":   {{Name: "a", Len: 1}, {Name: "b", Len: 2}, {Name: "t", Len: 3, Table: true}},
		"a table no table": {{Name: "a", Len: 1}, {Name: "b", Len: 2}, {Name: "t", Len: 2}},
	} {
		if _, ok := m.Over("g/other", blocks); ok {
			t.Errorf("%s: taken, want it refused", name)
		}
	}
	m.Weights[1], m.Weights[2] = 0, 0
	if _, ok := m.Over("g/other", []Block{{Name: "a", Len: 1}, {Name: "t", Len: 2, Table: true}}); !ok {
		t.Error("a feature that weighs nothing needs no place, and was refused one")
	}
}
