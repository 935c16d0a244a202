package main

import (
	"context"
	"os"

	"nim/rules"

	"plyfit"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
)

// mine is nim's feature set with an additional feature.
var mine = features.With("nim/mine", nim.Sets(nil)[0],
	features.Feature{Name: "odd", Value: func(s game.State, p game.Player) float64 { return float64(s.(*rules.State).Stones % 2) }})

// To make your own feature set available to every command, add it to the sets of the catalog entry.
func Example_feature() {
	own := nim
	own.Sets = func(g *game.Game) []features.Set { return append(nim.Sets(g), mine) }

	args := []string{"eval", "nim", "--position", "7 player 0", "--model", "testdata/odd.json"}
	plyfit.Run(context.Background(), catalog.Catalog{own}, args, os.Stdin, os.Stdout, os.Stdout)
	// Output:
	// position  7 player 0
	// value     1 (the mover's)
	// ----------------------------------------
	// term                   value  weight  product
	// stones modulo 4[3]         1     0.5      0.5
	// stones              0.333333       0        0
	// odd                        1     0.5      0.5
	// bias                                        0
	// sum                                         1
	// value = sum =                               1
}
