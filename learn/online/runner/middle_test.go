package runner

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"plyfit/learn/online/internal/onlinetest"
	"plyfit/models"
)

// TestMiddle: the middle of a run has the weights of a run of half as many games, and its
// end those of a run that nobody stopped in its middle. A run that is killed while the
// middle is being kept has it once more; one that goes on from later has not.
func TestMiddle(t *testing.T) {
	const games = 175 // whose half is in the middle of nothing
	half, whole := plainRun(t, games/2), plainRun(t, games)
	for _, c := range []Options{half, whole} {
		if _, err := Run(context.Background(), c); err != nil {
			t.Fatal(err)
		}
	}
	want := half.Learner.Model()
	dir, told, killed := t.TempDir(), 0, errors.New("killed")
	for _, fails := range []error{killed, nil, nil} {
		c := plainRun(t, games)
		c.Dir = dir
		c.Middle = func(m *models.Linear) error {
			told++
			if !slices.Equal(m.Weights, want.Weights) || m.Bias != want.Bias {
				t.Errorf("the middle is not what %d games learn", games/2)
			}
			return fails
		}
		if _, err := Run(context.Background(), c); !errors.Is(err, fails) {
			t.Fatal(err)
		}
		if fails == nil && !bytes.Equal(onlinetest.Snapshot(t, c.Learner), onlinetest.Snapshot(t, whole.Learner)) {
			t.Error("other weights at the end")
		}
	}
	if told != 2 {
		t.Errorf("told the middle %d times, want twice: in the first run, and where the second goes on", told)
	}
}

// plainRun is a run in a folder of its own, without averages.
func plainRun(t *testing.T, games int) Options {
	c := linesOf(t, "tictactoe", "tictactoe/lines")
	c.Epsilon, c.Lambda = 0.1, 0.5
	return Options{Learner: newTD(t, c), Game: c.Game, Recipe: []RecipeItem{{"game", c.Game.Spec}}, Episodes: games, Dir: t.TempDir()}
}
