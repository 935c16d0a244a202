// Package gogame says what is good in go, as two feature sets: what players count and local shapes.
//
// Both take a player's view of the position: his stones and the other's.
package gogame

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/gogame"
)

// sets are the feature sets of the game, the default first.
func sets(g *game.Game) []features.Set {
	return []features.Set{newClassic(), newShapes(board.Of(game.Base(g.New())).Size())}
}

// points is more than a board has.
const points = 19 * 19

// beside appends the numbers of the points beside one of a board of edge n.
func beside(at, n int, dst []int) []int {
	if at >= n {
		dst = append(dst, at-n)
	}
	if at%n > 0 {
		dst = append(dst, at-1)
	}
	if at%n < n-1 {
		dst = append(dst, at+1)
	}
	if at < n*(n-1) {
		dst = append(dst, at+n)
	}
	return dst
}

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   sets,
	Depth:  1,
	Levels: features.Levels{Depth: 2},
	Recipe: features.Recipe{
		Why:      "local shapes see what counting cannot, and want more games than a fit could hold",
		Training: []features.Training{{Set: "go/shapes", Episodes: 12000, Alpha: 1, Lambda: 0.7, TC: true, Epsilon: 0.05, Openings: 4}},
		Minimax:  "alphabeta:depth=1,assume=base", Expectimax: "expectimax:depth=1", Planners: []string{"alphabeta:depth=1"}, TwinPlanners: []string{"expectimax:depth=1"}, Pairs: 200, TwinPairs: 50,
	},
}
