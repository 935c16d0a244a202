package serve

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestTreesAreBounded checks that the least recently used tree is dropped if all trees together are
// too large. A tree that exceeds the limit by itself must be rejected with a one-line error.
func TestTreesAreBounded(t *testing.T) {
	v := visit(t, Config{Limits: Limits{Trees: 300 << 10}})
	at := v.open(url.Values{"game": {"tictactoe"}})
	unfold := func(at, side string) {
		t.Helper()
		v.want(at+"/tree", url.Values{"agent": {"minimax:depth=2"}, "side": {side}})
	}
	unfold(at, "a")
	unfold(at, "b")
	for range 20 {
		v.want(at+"/tree/a/0", nil)
		unfold(v.open(url.Values{"game": {"tictactoe"}}), "a")
	}
	v.want(at+"/tree/a/0", nil)
	if code, text, _ := v.ask(at+"/tree/b/0", nil); code != http.StatusNotFound || !strings.Contains(text, "search again") {
		t.Errorf("the least recently used tree: %d %s", code, text)
	}
	if code, text, _ := v.ask(at+"/tree", url.Values{"agent": {"minimax:depth=4"}}); code != http.StatusBadRequest || !strings.Contains(text, "but the limit is 0 MB; reduce the depth") {
		t.Errorf("a tree larger than the limit: %d %s", code, text)
	}
}

// TestForgottenGame checks that a full server drops the least recently used game with its trees,
// but only if the game has been idle long enough.
func TestForgottenGame(t *testing.T) {
	v := visit(t, Config{Limits: Limits{Tables: 3, Idle: time.Minute}})
	pig := url.Values{"game": {"pig"}}
	var all []string
	for range 3 {
		all = append(all, v.open(pig))
		v.want(all[len(all)-1]+"/tree", url.Values{"agent": {"minimax:depth=1"}})
	}
	for range 2 {
		if code, text, _ := v.ask("/tables", pig); code != http.StatusServiceUnavailable || !strings.Contains(text, "too many games") {
			t.Errorf("all games were used within the last minute: %d %s", code, text)
		}
		v.want(all[0], nil)
		for _, at := range all[1:] {
			v.table(at).used.Store(time.Now().Add(-59 * time.Second).UnixNano())
		}
	}
	for _, at := range all {
		v.table(at).used.Store(time.Now().Add(-2 * time.Minute).UnixNano())
	}
	unused := v.table(all[2]).id
	v.want(all[1], nil)
	v.want(all[0], nil)
	v.open(pig)
	if v.table(all[2]) != nil || v.table(all[0]) == nil || v.serverOf().unfolded.Get(treeName{unused, "a"}) != nil {
		t.Error("the wrong game was dropped, or the tree of the dropped game is still kept")
	}
}
