//go:build browser

package serve

import (
	"math/rand/v2"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"

	"plyfit/catalog"
	"plyfit/internal/vectors"
)

// contrastOfBoards checks that the text in pictures of games has a contrast of at least 4.5 to 1,
// in both colour schemes. Most positions are in the middle of random games and have a marked last
// move. If PLYFIT_LONG is set, there are also positions at the start and near the end.
func contrastOfBoards(t *testing.T, open opener) {
	b := open(Config{})
	games := []int{13}
	if vectors.Long() {
		games = []int{0, 13, 60}
	}
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
		"2048", "connect4", "connect4:dice=on", "othello", "checkers", "chess", "pig:players=3", "backgammon", "pacman", "minesweeper", "tictactoe", "tree", "kuhn", "leduc", "doudizhu",
	} {
		w := vectors.Must(catalog.All().World(spec))
		for _, plies := range games {
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
	for _, p := range []struct{ spec, position string }{ // positions that random games rarely reach
		{"2048", "1234/5678/9abc/def0 player 0"}, {"chess", "7k/8/8/8/8/5p2/6q1/7K w - - 0 1"}, {"chess", "7k/8/8/8/8/2p5/1q6/K7 w - - 0 1"},
		{"minesweeper:rows=3,columns=3,mines=8", ""}, {"pig:target=10", ""},
	} {
		measure(p.spec, p.position)
	}
	if t.Logf("%d points of texts measured", measured); measured < 700*len(games) {
		t.Errorf("%d points of text measured; want at least 700 per game", measured)
	}
}
