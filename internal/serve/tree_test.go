package serve

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/vectors"
)

// Every node of a whole search is kept once, below the node that it was searched from;
// and a node's value is what its children make of it.
func TestSearchTree(t *testing.T) {
	s := vectors.Must(New(Config{Catalog: catalog.All()}))
	for _, c := range []struct{ game, agent string }{
		{"tree", "minimax:depth=3"}, {"connect4", "minimax:depth=3"}, {"pig:target=20", "expectimax:depth=2,prune=none,order=natural,table=off"},
		{"2048:size=2", "expectimax:depth=2,prune=none,order=natural,table=off"}, {"tictactoe", "minimax:depth=3"},
	} {
		w := vectors.Must(catalog.All().World(c.game))
		state := w.New()
		for state.Turn() == game.Chance {
			state.Play(state.Moves(nil)[0])
		}
		tree := vectors.Must(s.watchTree(t.Context(), w, c.agent, state))
		orphans := len(tree.Nodes)
		for _, n := range tree.Nodes {
			orphans -= len(n.Children)
		}
		if orphans != 1 || tree.Root != len(tree.Nodes)-1 {
			t.Errorf("%s: %d nodes without a parent, want the root alone", c.game, orphans)
		}
		for _, n := range tree.Nodes {
			if len(n.Children) == 0 {
				continue
			}
			want := tree.Nodes[n.Children[0]].Value
			mean := 0.0
			for _, child := range n.Children {
				v := tree.Nodes[child].Value
				mean += tree.Nodes[child].Prob * v
				if n.Turn == 0 {
					want = max(want, v)
				} else {
					want = min(want, v)
				}
			}
			if n.Turn == game.Chance {
				want = mean
			}
			if d := n.Value - want; d > 1e-9 || d < -1e-9 {
				t.Fatalf("%s: %s has the value %v, its children make it %v", c.game, n.Text, n.Value, want)
			}
		}
	}
}

// A tree is unfolded click by click down to a leaf; one that is too large is refused.
func TestUnfold(t *testing.T) {
	v := visit(t, Config{})
	at := v.open(url.Values{"game": {"tictactoe"}, "position": {"XO.XO.... X"}})
	if !strings.Contains(v.want(at+"/tree", nil), "Unfold") && !strings.Contains(v.want(at+"/tree", nil), "tree-b") {
		t.Error("no page of two trees")
	}
	body := v.want(at+"/tree", url.Values{"side": {"b"}, "agent": {"alphabeta:depth=3,order=natural,table=off"}})
	if !strings.Contains(body, "cut:") {
		t.Errorf("nothing was cut: %s", body)
	}
	address := regexp.MustCompile(`hx-get="([^"]*)"`)
	depth := 0
	for m := address.FindStringSubmatch(body); m != nil && depth < 9; m = address.FindStringSubmatch(body) {
		body = v.want(m[1], nil)
		depth++
	}
	if depth != 2 || !strings.Contains(body, "leafline") {
		t.Errorf("unfolded %d deep, want 2 and leaves: %s", depth, body)
	}
	code, body, _ := v.ask(at+"/tree", url.Values{"agent": {"mcts:simulations=10"}})
	if code != http.StatusBadRequest || !strings.Contains(body, "reports no nodes") {
		t.Errorf("mcts: %d %s", code, body)
	}
	small := visit(t, Config{Limits: Limits{Nodes: 50}})
	at = small.open(url.Values{"game": {"connect4"}})
	code, body, _ = small.ask(at+"/tree", url.Values{"agent": {"minimax:depth=4"}})
	if code != http.StatusBadRequest || !strings.Contains(body, "more than 50 nodes") {
		t.Errorf("a large tree: %d %s", code, body)
	}
}
