package datasets_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"plyfit/datasets"
)

// This example writes a tic-tac-toe data set by hand and reads it back. The data set has a single
// shard with two episodes.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	plan := datasets.Plan{Game: "tictactoe", Agents: []string{"me"}, Episodes: 2, EpisodesPerShard: 2}
	draw, win := []float64{0, 0}, []float64{1, -1}
	_, err = datasets.Fill(context.Background(), dir, plan, func(_ context.Context, missing *datasets.Missing) error {
		for _, shard := range missing.Shards {
			err := datasets.WriteShard(filepath.Join(dir, datasets.ShardName(shard)), []datasets.Record{
				{Episode: 0, Ply: 8, Position: "XOXXOOOX. X", Move: "9", Made: "9", Outcome: draw},
				{Episode: 1, Ply: 4, Position: "XX.OO.... X", Move: "3", Made: "3", Outcome: win},
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	set, err := datasets.Open(dir)
	if err != nil {
		panic(err)
	}
	for r, err := range set.Records() {
		if err != nil {
			panic(err)
		}
		fmt.Println(r.Episode, r.Position, r.Move, r.Outcome)
	}
	// Output:
	// 0 XOXXOOOX. X 9 [0 0]
	// 1 XX.OO.... X 3 [1 -1]
}
