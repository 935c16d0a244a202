package pig

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	"plyfit/game/gametest"
	board "plyfit/game/pig"
)

func newGame(t testing.TB, text string) *game.Game {
	t.Helper()
	return gametest.New(t, board.New, text)
}

func TestLaw(t *testing.T) {
	for _, text := range []string{"pig", "pig:target=20", "pig:target=40,players=4"} {
		g := newGame(t, text)
		for _, set := range Sets(g) {
			featuretest.Law(t, g, set)
			if g.Players == 2 {
				featuretest.Opposed(t, g, set)
			}
		}
	}
}

// The hand-written evaluation is to be near the exact win probabilities that
// the game's own tests verify: within 0.04 in the root mean square.
func TestHandWrittenIsNearTheTruth(t *testing.T) {
	g := newGame(t, "pig")
	set := Sets(g)[0]
	e := features.NewEvaluator(g, set, featuretest.Shipped(t, g, set, "handwritten/pig.json"))
	f, err := os.Open(filepath.Join("..", "..", "game", "pig", "testdata", "pig100_turnstart.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n, squares := 0, 0.0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var mine, his, hold int
		var p float64
		if _, err := fmt.Sscan(lines.Text(), &mine, &his, &p, &hold); err != nil {
			t.Fatal(err)
		}
		s, err := g.Parse(fmt.Sprintf("%d %d turn 0 player 0", mine, his))
		if err != nil {
			t.Fatal(err)
		}
		d := (1+e.Evaluate(s, 0))/2 - p
		squares += d * d
	}
	rms := math.Sqrt(squares / float64(n))
	t.Logf("root mean square error %.4f in win probability over %d positions", rms, n)
	if n != 10000 || rms > 0.04 {
		t.Errorf("root mean square error %.4f over %d positions", rms, n)
	}
}
