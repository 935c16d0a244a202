package selfplay_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/game/tictactoe"
	"plyfit/search"
	"plyfit/selfplay"
)

// This example records fifty games of a searching agent against itself, starting from openings with
// up to two random decisions. The same seed always produces the same records, so the expected
// output includes their digest.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	g, err := tictactoe.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	made, err := selfplay.Run(context.Background(), selfplay.Config{
		Game: g,
		Agents: []search.Factory{{Identity: "alphabeta:depth=2,ties=random", New: func() (search.Agent, error) {
			return search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 2, Ties: search.Random})
		}}},
		Episodes: 50, Openings: 2, Seed: 1, Dir: filepath.Join(dir, "data"),
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(made.Episodes, "games,", made.Distinct, "of them distinct, digest", made.Digest[:12])
	set, err := datasets.Open(filepath.Join(dir, "data"))
	if err != nil {
		panic(err)
	}
	for r, err := range set.Records() {
		if err != nil {
			panic(err)
		}
		fmt.Println(r.Position, r.Move, r.Outcome)
		break
	}
	// Output:
	// 50 games, 50 of them distinct, digest 440ca909cf2d
	// O..X..... X 7 [1 -1]
}
