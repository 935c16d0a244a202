package serve

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestUnfold opens a tree node by node down to a leaf. A tree that is too large must be rejected.
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
	if code != http.StatusBadRequest || !strings.Contains(body, "does not report its nodes") {
		t.Errorf("mcts: %d %s", code, body)
	}
	small := visit(t, Config{Limits: Limits{Nodes: 50}})
	at = small.open(url.Values{"game": {"connect4"}})
	code, body, _ = small.ask(at+"/tree", url.Values{"agent": {"minimax:depth=4"}})
	if code != http.StatusBadRequest || !strings.Contains(body, "more than 50 nodes") {
		t.Errorf("a large tree: %d %s", code, body)
	}
}
