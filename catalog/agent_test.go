package catalog_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/spec"
	"plyfit/internal/vectors"
)

// TestWithEval checks that an evaluation is added to each agent of a mixture, and that an
// evaluation with several parts is enclosed in parentheses.
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
	w := vectors.Must(catalog.All().World("tictactoe"))
	a := vectors.Must(w.Agent(catalog.WithEval("mix(0.5*(alphabeta:depth=1),0.5*(alphabeta:depth=2))", "zero"), catalog.AgentOptions{}))
	if n := strings.Count(a.Identity, "eval=zero"); n != 2 {
		t.Errorf("%s: eval=zero %d times, want twice", a.Identity, n)
	}
}

// TestWithKeyNamesOneKey checks that any value either becomes the value of its key or causes an
// error, and that it never introduces another key.
func TestWithKeyNamesOneKey(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	const odd = "(),=+:ab."
	values := []string{"handwritten),assume=(uci:cmd=(touch x)", "a,b=c", "a)", "(a", "(a)", "(a),(b)", ""}
	for range 3000 {
		value := make([]byte, rng.IntN(12))
		for i := range value {
			value[i] = odd[rng.IntN(len(odd))]
		}
		values = append(values, string(value))
	}
	kept := 0
	for _, value := range values {
		text, err := catalog.WithKey("alphabeta:depth=3,eval=zero", "eval", value)
		if err != nil {
			continue
		}
		s, err := spec.Parse(text)
		if value == "" || err != nil { // rejected by the parser
			continue
		}
		kept++
		if len(s.Keys) != 2 || s.Keys[0] != (spec.Pair{Name: "depth", Value: "3"}) || s.Keys[1] != (spec.Pair{Name: "eval", Value: value}) && s.Keys[1].Value != spec.Unwrap(value) {
			t.Errorf("%q became %s, which says %v", value, text, s)
		}
	}
	if kept < 300 {
		t.Errorf("%d values were kept, want some hundred", kept)
	}
}

// TestRollouts checks that mcts plays out its leaves if requested. The evaluation zero is 0 in
// every unfinished position, so without rollouts, all values at the start of connect four are 0.
func TestRollouts(t *testing.T) {
	w := vectors.Must(catalog.All().World("connect4"))
	for _, c := range []struct {
		spec  string
		drawn bool
	}{{"mcts:simulations=500,eval=zero", true}, {"mcts:simulations=500,eval=zero,rollouts=off", true}, {"mcts:simulations=500,eval=zero,rollouts=on", false}} {
		a := vectors.Must(w.Agent(c.spec, catalog.AgentOptions{}))
		s := vectors.Must(a.New())
		s.Begin(1)
		r := vectors.Must(s.Search(context.Background(), w.Game.New()))
		if (r.Value == 0) != c.drawn {
			t.Errorf("%s: value %v", c.spec, r.Value)
		}
	}
}
