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

// tabTo presses Tab until the given place on the board has the focus.
func (b *browser) tabTo(place string) {
	b.Helper()
	for range 200 {
		if script[string](b, `document.activeElement.dataset.place || ""`) == place {
			return
		}
		b.run(chromedp.KeyEvent(kb.Tab))
	}
	b.Fatalf("Tab does not reach %s", place)
}

// movesByKeyboard makes moves only with the keyboard. Tab and Enter or the space bar select places,
// and Escape clears the selection. If the name of a place is one character, that key selects it.
func movesByKeyboard(t *testing.T, open opener) {
	b := open(Config{})
	b.run(chromedp.Navigate(b.URL+b.open(url.Values{"game": {"chess"}})), chromedp.WaitVisible(".board[data-moves]", chromedp.ByQuery))
	targets := func() int { return script[int](b, `document.querySelectorAll(".place.target").length`) }
	b.tabTo("g1")
	b.run(chromedp.KeyEvent(kb.Enter))
	if n := targets(); n != 2 {
		t.Errorf("%d target squares from g1, want 2", n)
	}
	b.run(chromedp.KeyEvent(kb.Escape))
	if n := targets(); n != 0 {
		t.Errorf("%d target squares after Escape", n)
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

// replaysByKeys steps through a game of a match with the arrow keys, Home and End.
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
