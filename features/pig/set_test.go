package pig

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
	"plyfit/game/gametest"
	board "plyfit/game/pig"
	"plyfit/internal/vectors"
	"plyfit/models"
)

func TestLaw(t *testing.T) {
	featuretest.Laws(t, board.New, sets, "pig", "pig:target=20", "pig:target=40,players=4")
}

// TestHandWrittenIsNearTheTruth checks that the hand-written evaluation is close to the exact win
// probabilities, which the game's own tests verify. The root mean square error must be at most
// 0.04.
func TestHandWrittenIsNearTheTruth(t *testing.T) {
	g := gametest.New(t, board.New, "pig")
	set := sets(g)[0]
	e := features.NewEvaluator(g, set, featuretest.Shipped(t, g, set, "handwritten/pig.json"))
	n, squares := 0, 0.0
	for _, line := range vectors.Lines(t, "../../game/pig/testdata/pig100_turnstart.txt") {
		n++
		var mine, theirs, hold int
		var p float64
		vectors.Must(fmt.Sscan(line, &mine, &theirs, &p, &hold))
		s := vectors.Must(g.Parse(fmt.Sprintf("%d %d turn 0 player 0", mine, theirs)))
		d := (1+e.Evaluate(s, 0))/2 - p
		squares += d * d
	}
	rms := math.Sqrt(squares / float64(n))
	t.Logf("root mean square error %.4f in win probability over %d positions", rms, n)
	if n != 10000 || rms > 0.04 {
		t.Errorf("root mean square error %.4f over %d positions", rms, n)
	}
}

// TestTilesByName checks that the names of the active weights describe the position from the
// roller's point of view. The other player has the same weights with the opposite sign. With three
// players, there are no tiles.
func TestTilesByName(t *testing.T) {
	g := gametest.New(t, board.New, "pig")
	set := sets(g)[2]
	m := models.New(g.Name, set.Name(), set.Blocks())
	s := vectors.Must(g.Parse("34 57 turn 12 player 0"))
	active := func(p game.Player) (names []string, values []float32) {
		for _, x := range set.Extract(s, p, nil) {
			if int(x.Index) >= len(m.Weights) {
				names, values = append(names, m.Name(x.Index)), append(values, x.Value)
			}
		}
		return names, values
	}
	names, values := active(0)
	if want := []string{"tiles-10[30+10:50,at-rest]", "tiles-25[32+12:56,at-rest]", "tiles-50[34+12:56,at-rest]"}; !slices.Equal(names, want) {
		t.Errorf("active: %v, want %v", names, want)
	}
	if want := []float32{1, 1, 1}; !slices.Equal(values, want) {
		t.Errorf("the roller sees %v, want %v", values, want)
	}
	if _, values = active(1); !slices.Equal(values, []float32{-1, -1, -1}) {
		t.Errorf("the other sees %v, want -1 each", values)
	}
	s.Play(s.Moves(nil)[0])
	if s.Turn() != game.Chance {
		t.Fatalf("%s: want the die in the air", s)
	}
	if names, _ = active(0); names[0] != "tiles-10[30+10:50,in-the-air]" {
		t.Errorf("in the air: %v", names)
	}
	if n := len(sets(gametest.New(t, board.New, "pig:players=3"))); n != 2 {
		t.Errorf("%d sets of three players, want 2", n)
	}
}

// TestTilesDiffer checks that each tile of each grid has its own name, and that in extreme
// positions the index lies within each grid's range of weights.
func TestTilesDiffer(t *testing.T) {
	g := gametest.New(t, board.New, "pig:target=20")
	set := newTiles()
	for k, b := range set.Columns[len(set.Columns)-len(grids):] {
		seen := map[string]bool{}
		for i := range b.Len {
			seen[b.FeatureName(i)] = true
		}
		if len(seen) != b.Len {
			t.Errorf("grid %d: %d names of %d tiles", k, len(seen), b.Len)
		}
	}
	for _, text := range []string{"19 19 turn 20 player 1", "0 0 turn 40 player 0", "19 0 turn 0 player 0"} {
		s, err := g.Parse(text)
		if err != nil {
			continue // the position is impossible
		}
		x := set.Extract(s, s.Turn(), nil)
		for k, term := range x[len(x)-len(grids):] {
			if at := int(term.Index - set.first[k]); at < 0 || at >= set.Columns[len(set.Columns)-len(grids)+k].Len {
				t.Errorf("%s: tile %d of grid %d", text, at, k)
			}
		}
	}
}
