package serve

import (
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
)

// axe-core finds nothing serious on any kind of page, in both colour schemes.
func TestBrowserAccessible(t *testing.T) {
	folder := t.TempDir()
	playMatch(t, filepath.Join(folder, "m.jsonl"), "connect4", "alphabeta:depth=2", "random", func(c *arena.Config) { c.SPRT = &stats.SPRT{High: 50} })
	if err := os.Mkdir(filepath.Join(folder, "pig"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "pig", logName), []byte(runLog), 0o644); err != nil {
		t.Fatal(err)
	}
	b := browse(t, Config{Runs: folder})
	chess := b.open(url.Values{"game": {"chess"}, "seat1": {"alphabeta:depth=2"}})
	for _, p := range []struct{ path, ready string }{
		{"/", ".card"}, {chess, "#why tbody tr"}, {b.open(url.Values{"game": {"kuhn"}}), ".board"}, {b.open(url.Values{"game": {"go:size=5"}}), "#why tbody tr"}, {chess + "/tree", "form"},
		{"/at?game=othello", ".board"}, {"/lesson/3", "figure"}, {"/lesson/5", "#warp"}, {"/models", "tbody"},
		{"/model?game=chess&name=learned", "figure"}, {"/model?game=othello&name=learned&beside=handwritten", "figure"},
		{"/runs", "tbody"}, {"/run?name=pig", "figure"}, {"/run?name=m.jsonl", "figure"}, {"/replay?name=m.jsonl", "#values tbody tr"},
	} {
		b.run(chromedp.Navigate(b.URL+p.path), chromedp.WaitVisible(p.ready, chromedp.ByQuery))
		for _, scheme := range []string{"light", "dark"} {
			b.tab.Screen(1280, scheme)
			for _, f := range b.tab.Axe() {
				t.Errorf("%s, %s: %s", p.path, scheme, f)
			}
		}
	}
}

// In pictures of every game, at the start, in the middle and near the end of games
// played at random and with their last move marked, no text is fainter than 4.5 to 1, in
// both colour schemes.
func TestBrowserBoards(t *testing.T) {
	b := browse(t, Config{})
	rng := rand.New(rand.NewPCG(5, 6))
	measured := 0
	measure := func(spec, position string) {
		at := b.open(url.Values{"game": {spec}, "seed": {"7"}, "position": {position}})
		if moves := movesOf(t, b.want(at, nil)); len(moves) > 0 {
			b.want(at+"/move", url.Values{"move": {moves[rng.IntN(len(moves))].Move}})
		}
		b.run(chromedp.Navigate(b.URL+at), chromedp.WaitVisible(".board", chromedp.ByQuery))
		for _, scheme := range []string{"light", "dark"} {
			b.tab.Screen(1280, scheme)
			faint, points := b.tab.FaintInPictures()
			for _, text := range append(faint, b.tab.Faint()...) {
				t.Errorf("%s %s, %s: too faint: %s", spec, position, scheme, text)
			}
			measured += points
		}
	}
	for _, spec := range []string{
		"2048", "connect4", "connect4:dice=on", "othello", "checkers", "chess", "pig:players=3", "backgammon", "pacman", "minesweeper", "tictactoe", "tree", "go:size=9", "kuhn", "leduc", "doudizhu",
	} {
		w, err := catalog.All().World(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, plies := range []int{0, 13, 60} {
			s := w.New()
			for range plies {
				moves := s.Moves(nil)
				if len(moves) == 0 {
					break
				}
				s.Play(moves[rng.IntN(len(moves))])
			}
			measure(spec, s.String())
		}
	}
	for _, p := range []struct{ spec, position string }{ // what games at random seldom come to
		{"2048", "1234/5678/9abc/def0 player 0"}, {"chess", "7k/8/8/8/8/5p2/6q1/7K w - - 0 1"}, {"chess", "7k/8/8/8/8/2p5/1q6/K7 w - - 0 1"},
		{"minesweeper:rows=3,columns=3,mines=8", ""}, {"pig:target=10", ""},
	} {
		measure(p.spec, p.position)
	}
	if t.Logf("%d points of texts measured", measured); measured < 2000 {
		t.Errorf("%d points of texts are measured: the boards have more", measured)
	}
}
