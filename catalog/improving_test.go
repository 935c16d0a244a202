package catalog

import (
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// TestImprovingOver checks which feature set is used to improve an evaluation. It must be the
// recipe's late feature set if that set contains all features of the evaluation with the same
// values, and otherwise the evaluation's own feature set.
func TestImprovingOver(t *testing.T) {
	w := vectors.Must(All().World("chess"))
	own, hand, err := w.Model("handwritten")
	if err != nil {
		t.Fatal(err)
	}
	for set, want := range map[string]string{"": own.Name(), "chess/wide": "chess/wide", "chess/material": own.Name()} {
		r := w.Recipe()
		r.LateSet = set
		r, err := w.Improving(r, "handwritten")
		if err != nil || r.Set != want {
			t.Errorf("a recipe with late rounds over %q improves over %q, %v: want %q", set, r.Set, err, want)
		}
	}
	wide, over, err := w.ModelOver("handwritten", "chess/wide")
	if err != nil {
		t.Fatal(err)
	}
	s := vectors.Must(w.Parse("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8"))
	want, got := hand.Dot(own.Extract(s, 0, nil)), over.Dot(wide.Extract(s, 0, nil))
	if got != want || got == 0 || over.Link != hand.Link {
		t.Errorf("over chess/wide the position is worth %v, want %v", got, want)
	}
	if _, _, err := w.ModelOver("handwritten", "chess/material"); err == nil || !strings.Contains(err.Error(), "want chess/material") {
		t.Errorf("over fewer features: %v, want an error that says which set was expected", err)
	}
}
