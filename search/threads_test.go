package search_test

import (
	"context"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
	"slices"
	"testing"
)

// Whatever the threads do to each other's order, the answer is that of one.
func TestThreadsAgree(t *testing.T) {
	g := world(t, "connect4")
	for _, text := range []string{"44", "4432", "445343"} {
		s := parse(t, g, text)
		var results [3]search.Result
		for i := range results {
			a, err := searchtest.AlphaBetaOf(search.Options{Game: g, Eval: search.Zero(g), Depth: 14, Threads: i + 1, Complete: true})
			if err != nil {
				t.Fatal(err)
			}
			if results[i], err = a.Search(context.Background(), s); err != nil {
				t.Fatal(err)
			}
		}
		for i, r := range results[1:] {
			one := results[0]
			if r.Value != one.Value || r.Move != one.Move || !slices.Equal(r.Best, one.Best) {
				t.Errorf("%s, %d threads: %v %v of %v, one thread %v %v of %v", text, i+2, r.Move, r.Value, r.Best, one.Move, one.Value, one.Best)
			}
		}
	}
}
