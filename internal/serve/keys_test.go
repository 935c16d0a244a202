//go:build browser

package serve

import (
	"fmt"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"plyfit/arena"
)

// tabTo presses Tab until a place of the board has the focus.
func (b *browser) tabTo(place string) {
	b.Helper()
	for range 200 {
		if script[string](b, `document.activeElement.dataset.place || ""`) == place {
			return
		}
		b.run(chromedp.KeyEvent(kb.Tab))
	}
	b.Fatalf("Tab does not come to %s", place)
}

// Moves are made by the keyboard alone: Tab and Enter or the space bar choose places,
// Escape forgets one, and a place whose name is one character is its key.
func movesByKeyboard(t *testing.T, open opener) {
	b := open(Config{})
	b.run(chromedp.Navigate(b.URL+b.open(url.Values{"game": {"chess"}})), chromedp.WaitVisible(".board[data-moves]", chromedp.ByQuery))
	targets := func() int { return script[int](b, `document.querySelectorAll(".place.target").length`) }
	b.tabTo("g1")
	b.run(chromedp.KeyEvent(kb.Enter))
	if n := targets(); n != 2 {
		t.Errorf("%d squares to go to from g1, want 2", n)
	}
	b.run(chromedp.KeyEvent(kb.Escape))
	if n := targets(); n != 0 {
		t.Errorf("%d squares to go to after Escape", n)
	}
	b.tabTo("e2")
	b.run(chromedp.KeyEvent(kb.Enter))
	b.tabTo("e4")
	b.run(chromedp.KeyEvent(" "))
	b.until(`document.querySelector(".history li") && document.querySelector(".history li").textContent.includes("e4")`)

	b.run(chromedp.Navigate(b.URL+b.open(url.Values{"game": {"connect4"}})), chromedp.WaitVisible(".board[data-moves]", chromedp.ByQuery))
	b.run(chromedp.KeyEvent("4"))
	b.until(`document.querySelector("[data-copy]").value.startsWith("4")`)
	b.quiet()
}

// A game of a match is gone through by the arrows, Home and End.
func replaysByKeys(t *testing.T, open opener) {
	folder := t.TempDir()
	playMatch(t, filepath.Join(folder, "m.jsonl"), "tictactoe", "alphabeta:depth=2", "random", func(c *arena.Config) { c.Pairs = 1 })
	b := open(Config{Runs: folder})
	b.run(chromedp.Navigate(b.URL+"/replay?name=m.jsonl"), chromedp.WaitVisible("#replayed .board", chromedp.ByQuery))
	var ply, plies int
	if _, err := fmt.Sscanf(script[string](b, `document.querySelector("#replayed .status").innerText`), "Ply %d of %d", &ply, &plies); err != nil || plies < 5 {
		t.Fatalf("ply %d of %d, %v", ply, plies, err)
	}
	for _, step := range []struct {
		key  string
		want int
	}{
		{kb.Home, 0}, {kb.ArrowRight, 1}, {kb.ArrowRight, 2}, {kb.ArrowLeft, 1}, {kb.End, plies}, {kb.ArrowRight, plies}, {kb.ArrowLeft, plies - 1}, {kb.Home, 0}, {kb.ArrowLeft, 0},
	} {
		b.run(chromedp.KeyEvent(step.key))
		b.until(fmt.Sprintf(`document.querySelector("#replayed .status").innerText.startsWith("Ply %d of ")`, step.want))
	}
	b.quiet()
}
