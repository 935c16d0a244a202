package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/internal/vectors"
)

// All trees together are bounded: the one goes that was looked at longest ago, and one that
// is larger than the bound is refused in one line.
func TestTreesAreBounded(t *testing.T) {
	const most = 300 << 10
	v := visit(t, Config{Limits: Limits{Trees: most}})
	s := v.serverOf()
	unfold := func(at, side string) {
		t.Helper()
		v.want(at+"/tree", url.Values{"agent": {"minimax:depth=2"}, "side": {side}})
		if s.unfolded.bytes > most || s.unfolded.bytes <= 0 {
			t.Errorf("%d bytes of trees, want at most %d", s.unfolded.bytes, most)
		}
	}
	kept := func(at, side string) bool {
		t.Helper()
		code, text, _ := v.ask(at+"/tree/"+side+"/0", nil)
		if code != http.StatusOK && (code != http.StatusNotFound || !strings.Contains(text, "want it unfolded again")) {
			t.Errorf("%d %s", code, text)
		}
		return code == http.StatusOK
	}
	first, second := v.open(url.Values{"game": {"tictactoe"}}), v.open(url.Values{"game": {"tictactoe"}})
	unfold(first, "a")
	one := s.unfolded.bytes
	unfold(first, "a") // in place of the one before
	if s.unfolded.bytes != one || most/one < 2 {
		t.Fatalf("%d bytes for one tree, and %d", one, s.unfolded.bytes)
	}
	unfold(first, "b")
	for range most/one - 2 {
		unfold(v.open(url.Values{"game": {"tictactoe"}}), "a")
	}
	if !kept(first, "b") || !kept(first, "a") { // now b was looked at before a
		t.Fatal("a tree is gone while there was room")
	}
	for range most / one { // all others go, and then b
		if kept(first, "a"); !kept(first, "a") {
			t.Fatal("the tree that was looked at last is gone")
		}
		unfold(v.open(url.Values{"game": {"tictactoe"}}), "b")
	}
	if kept(first, "b") || !kept(first, "a") {
		t.Error("another tree is gone than the one that was looked at longest ago")
	}
	if code, text, _ := v.ask(second+"/tree", url.Values{"agent": {"minimax:depth=4"}}); code != http.StatusBadRequest || !strings.Contains(text, "want at most 0 MB, so less depth") {
		t.Errorf("a tree that is larger than all may be: %d %s", code, text)
	}
}

// The trees of games that are cleared away are gone, too.
func TestTreesGoWithTheirGames(t *testing.T) {
	v := visit(t, Config{Limits: Limits{Tables: 3, Idle: 1}})
	s := v.serverOf()
	for range 10 {
		v.want(v.open(url.Values{"game": {"tictactoe"}})+"/tree", url.Values{"agent": {"minimax:depth=1"}})
	}
	if n := len(s.unfolded.all); n == 0 || n > 3 {
		t.Errorf("%d trees of 3 games", n)
	}
	var sum int64
	for name, tree := range s.unfolded.all {
		if s.games.get(name.table) == nil {
			t.Error("the tree of a game that is gone is kept")
		}
		sum += tree.bytes
	}
	if sum != s.unfolded.bytes {
		t.Errorf("%d bytes of trees, and %d are counted", sum, s.unfolded.bytes)
	}
}

// TestForgottenGame: a full server drops the game that has been unused for longest, if that is long
// enough.
func TestForgottenGame(t *testing.T) {
	games, now := openGames{all: map[string]*openGame{}}, time.Unix(1000, 0)
	l := Limits{Tables: 3, Idle: time.Minute}
	var open []*openGame
	for range 3 {
		g := &openGame{}
		vectors.Must(games.add(g, l, now))
		open = append(open, g)
	}
	for i, unused := range []time.Duration{5, 20, 10} {
		open[i].used.Store(now.Add(-unused * time.Second).UnixNano())
	}
	if gone, err := games.add(&openGame{}, l, now); err == nil || len(gone) > 0 {
		t.Errorf("%v, %v: all games were used within the minute", gone, err)
	}
	if gone, err := games.add(&openGame{}, l, now.Add(50*time.Second)); err != nil || !slices.Equal(gone, []string{open[1].id}) {
		t.Errorf("%v, %v: want %s gone", gone, err, open[1].id)
	}
}
