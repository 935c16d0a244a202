package serve

import (
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
)

// TestStepping checks that the value of each node, computed from the steps, equals the value that
// the search returned. Each searched node must be entered, and every other node must be cut.
func TestStepping(t *testing.T) {
	s := vectors.Must(New(Config{Catalog: catalog.All()}))
	for _, c := range []struct{ tree, by, worth string }{
		{textbookTree, "minimax", "3, and Max plays branch 1. 13 of 13 nodes"},
		{textbookTree, "alphabeta", "3, and Max plays branch 1. 11 of 13 nodes"},
		{textbookTree, "expectimax", "3, and Max plays branch 1. 13 of 13 nodes"},
		{textbookTree, "random", "7.6667, and Max plays branch 1. 13 of 13 nodes"},
		{opponentTree, "alphabeta", "10, and Max plays branch 1. 6 of 7 nodes"},
		{opponentTree, "random", "54.5, and Max plays branch 2. 7 of 7 nodes"},
		{opponentTree, "mixed", "18.1, and Max plays branch 2. 7 of 7 nodes"},
		{"(chance 1/2 8 1/3 24 1/6 -12)", "expectimax", "10. 4 of 4 nodes"},
		{chanceTree, "minimax", "10, and Max plays branch 1. 7 of 7 nodes"},
		{chanceTree, "alphabeta", "10, and Max plays branch 1. 6 of 7 nodes"},
		{chanceTree, "maxn", "54.5, and Max plays branch 2. 7 of 7 nodes"},
		{"(min (max (chance 1/4 (min 8 9) 3/4 -1) 7) (max 1 2))", "alphabeta", "2, and Min plays branch 2."},
		{"(min (max (chance 1/4 (min 8 9) 3/4 -1) 7) (max 1 2))", "expectimax", "2, and Min plays branch 2."},
		{"(p0 (p1 <1,2,-3> <0,0,0>) (p2 <4,1,1> <2,2,2>))", "maxn", "<2, 2, 2>, and Player 0 plays branch 2. 7 of 7 nodes"},
		{lectureTrees[len(lectureTrees)-1].Tree, "maxn", "<1, 2, 6>, and Player 0 plays branch 1. 15 of 15 nodes"},
	} {
		p, err := s.step(t.Context(), c.tree, c.by)
		if err != nil {
			t.Fatalf("%s by %s: %v", c.tree, c.by, err)
		}
		entered := map[*stepNode]int{}
		for _, m := range p.moments {
			p.play(m)
			if p.describe(m) == "" {
				t.Errorf("%s by %s: no text for %v", c.tree, c.by, m)
			}
			if m.at != nil && m.child == nil && !m.cut {
				if entered[m.at]++; m.alpha != m.at.traced.Alpha || m.beta != m.at.traced.Beta {
					t.Errorf("%s by %s: the page enters node %s with (%v, %v), the search with (%v, %v)", c.tree, c.by, m.at.path, m.alpha, m.beta, m.at.traced.Alpha, m.at.traced.Beta)
				}
			}
		}
		if said := p.describe(moment{}); !strings.Contains(said, "worth "+c.worth) {
			t.Errorf("%s by %s: %s, want %s", c.tree, c.by, said, c.worth)
		}
		var check func(n *stepNode, cut bool)
		check = func(n *stepNode, cut bool) {
			cut = cut || n.cut
			switch {
			case cut != (entered[n] == 0) || cut == n.visited:
				t.Errorf("%s by %s: node %s was entered %d times, cut %v", c.tree, c.by, n.path, entered[n], cut)
			case !cut && !(math.Abs(n.value[0]-n.traced.Value) < 1e-12):
				t.Errorf("%s by %s: node %s has value %v by its steps, %v by the search", c.tree, c.by, n.path, n.value[0], n.traced.Value)
			case !cut && !n.done:
				t.Errorf("%s by %s: node %s never gets a final value", c.tree, c.by, n.path)
			}
			for _, below := range n.below {
				check(below, cut)
			}
		}
		check(p.root, false)
	}
}

// TestSteppingSimulations checks that the number of visits to a node is the sum of the visits to
// its children plus the number of simulations that ended at the node. The root's mean must equal
// the mean result of the simulations.
func TestSteppingSimulations(t *testing.T) {
	s := vectors.Must(New(Config{Catalog: catalog.All()}))
	for _, e := range lectureTrees {
		p, err := s.step(t.Context(), e.Tree, "mcts")
		if err != nil {
			t.Fatalf("%s: %v", e.Tree, err)
		}
		ended, sum := map[*stepNode]int{}, 0.0
		for _, m := range p.moments {
			p.play(m)
			if p.describe(m); m.line != nil {
				ended[m.at]++
				sum += m.result[0]
			}
		}
		if mean := sum / float64(p.root.visits); len(p.moments) < 5 || math.Abs(p.root.value[0]-mean) > 1e-9 {
			t.Errorf("%s: after %d simulations the root's mean is %v, want %v", e.Tree, len(p.moments)-2, p.root.value[0], mean)
		}
		var check func(n *stepNode) int
		check = func(n *stepNode) int {
			below := ended[n]
			for _, c := range n.below {
				below += check(c)
			}
			if below != n.visits {
				t.Errorf("%s: %d visits of node %s, want %d", e.Tree, n.visits, n.path, below)
			}
			return n.visits
		}
		check(p.root)
	}
}

// TestSteppingPage checks what the page shows for a tree, an algorithm, a step and a guess in the
// URL, and that it shows the error if one of them is invalid.
func TestSteppingPage(t *testing.T) {
	v := visit(t, Config{})
	for _, c := range []struct{ t, by, more, want string }{
		{"", "", "", "Step 0 of"},
		{textbookTree, "alphabeta", "step=1", "with alpha -∞ and beta ∞."},
		{textbookTree, "alphabeta", "step=12", "Cut: alpha 3 is at least beta 2, so good play cannot reach this node. The search skips leaf 4, leaf 6."},
		{textbookTree, "alphabeta", "step=999", "The tree is worth 3, and Max plays branch 1. 11 of 13 nodes"},
		{textbookTree, "alphabeta", "guess=2.3", "Right, branch 2.3 is cut at step 12."},
		{textbookTree, "alphabeta", "guess=1.3", "No, branch 1.3 is not cut next."},
		{textbookTree, "alphabeta", "step=13&guess=3.3", "No, the search cuts no more branches."},
		{"(max (min 3 12", "", "", "want a closing parenthesis"},
		{"7", "", "", "want a tree with a choice"},
		{textbookTree, "dfs", "", "by=dfs: want minimax, alphabeta"},
		{textbookTree, "", "step=-1", "step=-1: want a whole number from 0"},
		{"(p0 <1,2,3> <3,2,1>)", "minimax", "", "has 3 players; want at most 2 (maxn supports more)"},
		{"(max" + strings.Repeat(" 1", mostStepped) + ")", "", "", "want at most 150 nodes"},
		{strings.Repeat("(max ", 13) + "1" + strings.Repeat(")", 13), "", "", "13 moves deep; want at most 150 nodes and 12 moves"},
		{`"><script>`, "", "", "column 1: want a tree"},
	} {
		address := fmt.Sprintf("/tree?%s&%s", url.Values{"t": {c.t}, "by": {c.by}}.Encode(), c.more)
		code, body, _ := v.ask(address, nil)
		if code != 200 || !strings.Contains(body, c.want) || strings.Contains(body, "<script>") {
			t.Errorf("%s: %d, want %q in\n%s", address, code, c.want, body)
		}
	}
}
