package catalog_test

import (
	"strings"
	"testing"

	"plyfit/catalog"
)

// TestWithEval: an evaluation reaches every agent of a mix, and one that names several
// things keeps them together.
func TestWithEval(t *testing.T) {
	for _, c := range []struct{ agent, eval, want string }{
		{"greedy", "handwritten", "greedy:eval=handwritten"},
		{"alphabeta:depth=2", "(handwritten,fork=2)", "alphabeta:depth=2,eval=((handwritten,fork=2))"},
		{"mix(0.5*(alphabeta:depth=1),0.5*greedy)", "handwritten", "mix(0.5*(alphabeta:depth=1,eval=handwritten),0.5*(greedy:eval=handwritten))"},
		{"mix(0.5*greedy, 0.5*(mix(1*greedy)))", "x", "mix(0.5*(greedy:eval=x),0.5*(mix(1*(greedy:eval=x))))"},
	} {
		if got := catalog.WithEval(c.agent, c.eval); got != c.want {
			t.Errorf("%s with %s: %s, want %s", c.agent, c.eval, got, c.want)
		}
	}
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	a, err := w.Agent(catalog.WithEval("mix(0.5*(alphabeta:depth=1),0.5*(alphabeta:depth=2))", "zero"), catalog.AgentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(a.Identity, "eval=zero"); n != 2 {
		t.Errorf("%s: eval=zero %d times, want twice", a.Identity, n)
	}
}
