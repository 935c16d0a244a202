// Command nim is a game of your own: rules and features, a package each, and one line
// for the catalog. Every plyfit command works on it, too: go run . learn nim
package main

import (
	"nim/features"
	"nim/rules"

	"plyfit"
	"plyfit/catalog"
)

// nim is all that the catalog has to know of the game.
var nim = catalog.Entry{Name: "nim", New: rules.New, Profile: features.Profile}

func main() { plyfit.Main(catalog.All().With(nim)) }
