package serve

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestTreesAreBounded: when the trees together are too large, the tree that was looked at longest ago
// goes; a tree that is larger than all may be is refused in one line.
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
	if code, text, _ := v.ask(at+"/tree/b/0", nil); code != http.StatusNotFound || !strings.Contains(text, "want it unfolded again") {
		t.Errorf("the tree that was looked at longest ago: %d %s", code, text)
	}
	if code, text, _ := v.ask(at+"/tree", url.Values{"agent": {"minimax:depth=4"}}); code != http.StatusBadRequest || !strings.Contains(text, "want at most 0 MB, so less depth") {
		t.Errorf("a tree that is larger than all may be: %d %s", code, text)
	}
}

// TestForgottenGame: a full server drops the game that has been unused for longest, with its trees, if
// that is long enough.
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
			t.Errorf("all games were used within the minute: %d %s", code, text)
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
		t.Error("another game than the one unused for longest is gone, or its tree is kept")
	}
}
