// Command nim adds a game of your own to plyfit: rules, features and one line for the catalog.
// Every plyfit command works with the game. For example, run: go run . learn nim
package main

import (
	"nim/features"
	"nim/rules"

	"plyfit"
	"plyfit/catalog"
)

// nim is the catalog entry of the game.
var nim = catalog.Entry{Name: "nim", New: rules.New, Profile: features.Profile}

func main() { plyfit.Main(catalog.All().With(nim)) }
