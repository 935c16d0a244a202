package loop_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"plyfit/catalog"
	"plyfit/learn/loop"
)

// This example runs the complete process on a small scale: three hundred games of tic-tac-toe, a
// fit, and contests between the learned, the hand-written and the zero evaluation. The run
// directory contains the data, the model and the report.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		panic(err)
	}
	recipe := w.Recipe()
	recipe.Rounds, recipe.Episodes = 1, 300
	recipe.Pairs, recipe.TwinPairs = 20, 10
	recipe.Planner, recipe.Planners = "alphabeta:depth=1", []string{"alphabeta:depth=1"}
	found, err := loop.Run(context.Background(), loop.Options{
		Catalog: catalog.All(), World: w, Recipe: recipe, Seed: 1, Workers: 2,
		Dir: filepath.Join(dir, "run"), Log: io.Discard, Quiet: true,
	})
	if err != nil {
		panic(err)
	}
	for _, c := range found.Contests[:3] {
		fmt.Println(c.Result.Sentence)
	}
	// Output:
	// Not decided: learned against handwritten: 60.0% ± 9.2% of the points, Elo 70.4 ± 67.7 in 40 games (20 pairs) from 19 openings; p 0.036 alone, 0.14 as one of 4 comparisons (Holm).
	// handwritten is better than zero: 95.0% (88.7% to 100.0%) of the points in 40 games (20 pairs) from 19 openings.
	// learned is better than zero: 93.7% ± 6.5% of the points in 40 games (20 pairs) from 19 openings.
}
