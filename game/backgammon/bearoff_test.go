package backgammon_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"plyfit/game/backgammon"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// TestBearOff bears off one or two checkers per side with a full expectimax search. It compares the
// result with the exact winning probabilities, which agree with GNU Backgammon's database.
func TestBearOff(t *testing.T) {
	g := gametest.New(t, backgammon.New, "backgammon")
	a := vectors.Must(search.NewExpectimax(search.Options{Game: g, Eval: search.Zero(g), Depth: 20}))
	n, worst := 0, 0.0
	a.Begin(1)
	for _, line := range vectors.Lines(t, "testdata/bearoff_exact_2checkers.txt") {
		n++
		var mine, theirs string
		var want float64
		vectors.Must(fmt.Sscan(line, &mine, &theirs, &want))
		places := []byte("--------------------------")
		for i := range 6 {
			if c := mine[i] - '0'; c > 0 {
				places[1+i] = 'A' - 1 + c
			}
			if c := theirs[i] - '0'; c > 0 {
				places[24-i] = 'a' - 1 + c
			}
		}
		s := vectors.Must(g.Parse(fmt.Sprintf("XGID=%s:0:0:1:00:0:0:0:0:10", places)))
		r := vectors.Must(a.Search(context.Background(), s))
		p := (1 + r.Values[0]) / 2
		worst = math.Max(worst, math.Abs(p-want))
		if math.Abs(p-want) > 1e-9 || !r.Exact {
			t.Errorf("%s %s: %.10f (exact: %v), want %.10f", mine, theirs, p, r.Exact, want)
		}
	}
	if n != 729 {
		t.Errorf("%d positions, want 729", n)
	}
	t.Logf("at most %.1e away", worst)
}
