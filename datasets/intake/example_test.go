package intake_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"plyfit/datasets"
	"plyfit/datasets/intake"
	"plyfit/game"
	"plyfit/game/chess"
)

// This example imports labelled chess positions into a data set. It allows one unreadable line,
// which is counted and reported.
func ExampleRead() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "mine.epd")
	epd := "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - c9 \"1-0\";\nno position at all\n8/8/4k3/8/4K3/4P3/8/8 b - - c9 \"1/2-1/2\";\n"
	if err := os.WriteFile(file, []byte(epd), 0o644); err != nil {
		panic(err)
	}
	g, err := chess.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	read, err := intake.Read(context.Background(), []string{file}, intake.Options{Game: g, BadLines: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(read.Positions(), "positions of", read.Episodes(), "episodes;", len(read.Skips), "line left out")
	if _, err := read.Write(context.Background(), filepath.Join(dir, "data")); err != nil {
		panic(err)
	}
	set, err := datasets.Open(filepath.Join(dir, "data"))
	if err != nil {
		panic(err)
	}
	for r, err := range set.Records() {
		if err != nil {
			panic(err)
		}
		fmt.Println(r.Position, r.Outcome)
	}
	// Output:
	// 2 positions of 2 episodes; 1 line left out
	// 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 [1 -1]
	// 8/8/4k3/8/4K3/4P3/8/8 b - - 0 1 [0 0]
}
