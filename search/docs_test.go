package search_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// TestPages searches the trees that docs/search.md gives with a key, and checks the stated results.
func TestPages(t *testing.T) {
	text := vectors.Must(os.ReadFile("../docs/search.md"))
	var s boundedTree
	said := map[string]int{}
	for i, line := range strings.Split(string(text), "\n") {
		rest, indented := strings.CutPrefix(line, "    ")
		key, claim, ok := strings.Cut(rest, ": ")
		if !indented || !ok {
			continue
		}
		switch key {
		case "tree":
			s = plant(t, claim)
		case "bounds":
			vectors.Must(fmt.Sscan(claim, &s.lo, &s.hi))
		case "minimax", "alphabeta", "complete", "expectimax", "star1", "star2":
			said[key]++
			if got := answer(t, key, claim, s); got != claim {
				t.Errorf("line %d: %s: says %q, is %q", i+1, key, claim, got)
			}
		}
	}
	for key, least := range map[string]int{"minimax": 2, "alphabeta": 4, "complete": 1, "expectimax": 3, "star1": 2, "star2": 1} {
		if said[key] < least {
			t.Errorf("the pages say %d things of %s, want at least %d", said[key], key, least)
		}
	}
}

// answer searches s and formats the result in the same way as the text in claim.
func answer(t *testing.T, key, claim string, s game.State) string {
	t.Helper()
	seen := &leaves{}
	g := world(t, "tree")
	c := search.Options{Game: g, Eval: search.Zero(g), Depth: 9, Order: search.Natural, Table: -1, Observer: seen, Prune: search.NoPrune}
	make := search.NewExpectimax
	switch key {
	case "minimax":
		make = searchtest.MinimaxOf
	case "alphabeta":
		make, c.Prune = searchtest.AlphaBetaOf, search.PruneDefault
	case "complete":
		make, c.Prune, c.Complete = searchtest.AlphaBetaOf, search.PruneDefault, true
	case "star1":
		c.Prune = search.Star1
	case "star2":
		c.Prune = search.Star2
	}
	r := searchtest.SearchOnce(t, make, c, s)
	out := "value " + trim(r.Value)
	switch {
	case strings.HasPrefix(claim, "best"):
		out = "best"
		for _, m := range r.Best {
			out += fmt.Sprint(" ", int(m)+1)
		}
	case strings.Contains(claim, "leaves"):
		out += ", leaves " + strings.Join(seen.seen, " ")
	case strings.Contains(claim, "exact"):
		sep := ", root "
		for _, m := range r.Root {
			out += sep + trim(m.Value) + " " + m.Kind.String()
			sep = ", "
		}
	case strings.Contains(claim, "root"):
		out += ", root"
		for _, m := range r.Root {
			out += " " + trim(m.Value)
		}
	}
	return out
}
