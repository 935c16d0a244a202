package fit_test

import (
	"context"
	"fmt"
	"os"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/learn/fit"
	"plyfit/search"
	"plyfit/selfplay"
)

// This example plays three hundred games of tic-tac-toe between agents that search two plies, and
// uses least squares to fit the values found by the searches.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		panic(err)
	}
	player, err := w.Agent("alphabeta:depth=2,ties=random", catalog.AgentOptions{})
	if err != nil {
		panic(err)
	}
	if _, err := selfplay.Run(ctx, selfplay.Config{Game: w.Game, Agents: []search.Factory{player.Factory}, Episodes: 300, Openings: 3, Seed: 1, Dir: dir + "/data"}); err != nil {
		panic(err)
	}
	data, err := datasets.Open(dir + "/data")
	if err != nil {
		panic(err)
	}
	f, err := fit.Run(ctx, w, data, fit.Options{Method: fit.Ridge, Label: fit.SearchLabel(), Penalty: 1e-4, Seed: 1})
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Printf("%d weights, held-out R² %.2f\n", len(f.Report.Weights), f.Report.HeldOutR2)
	// Output: 11 weights, held-out R² 0.54
}
