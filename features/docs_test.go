package features

import "testing"

func TestDocsByName(t *testing.T) {
	terms := duelTerms(true)
	terms.List = append(terms.List, Term[walked]{Name: "x-2", Doc: "some", Names: []string{"x-1", "x-2"}})
	docs := DocsByName(terms.Set())
	for _, b := range terms.Set().Blocks() {
		if docs[b.FeatureName(0)] == "" {
			t.Errorf("%s has no documentation among %v", b.FeatureName(0), docs)
		}
	}
	if docs["x-1"] != "some" || docs["x-2"] != "some" || len(docs) != terms.Len() {
		t.Errorf("%d of %d: %v", len(docs), terms.Len(), docs)
	}
}
