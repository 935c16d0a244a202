package train_test

import (
	"context"
	"fmt"
	"os"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/learn/train"
)

// This example learns tic-tac-toe from two thousand games of self-play by temporal differences. It
// then compares the result with the hand-written evaluation, with both players searching one ply.
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
	o, err := train.Defaults(w, features.Training{Method: "td", Lambda: 0.7, Episodes: 2000})
	if err != nil {
		panic(err)
	}
	o.Seed, o.Dir = 1, dir
	o.Curve.Every = 2000
	r, err := train.Run(context.Background(), w, o)
	if err != nil {
		panic(err)
	}
	for _, p := range r.Report.Points {
		fmt.Printf("after %d games %.2f of the points\n", p.Episodes, p.Strength.Value)
	}
	// Output:
	// after 0 games 0.46 of the points
	// after 2000 games 0.50 of the points
}
