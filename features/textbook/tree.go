package textbook

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/tree"
)

// A node is a tree from a player's point of view.
type node struct {
	*board.State
	player game.Player
}

// leaves is the set tree/leaves. It contains the player's utilities at the leaves, the expected
// utility if all players move at random, and whether the player is to move.
var leaves = features.Terms[node]{
	Name: "tree/leaves",
	// A tree does not show who moved last, so its chance nodes are described from the point of view
	// of player 0, to whom they belong.
	Prepare: func(n *node, s game.State, p game.Player) { *n = node{s.(*board.State), p} },
	List: []features.Term[node]{
		{Name: "leaf-mean", Doc: "mean utility of the leaves below", Value: func(n *node) float64 { return n.Mean(n.player) }},
		{Name: "leaf-max", Other: "leaf-min", Doc: "highest utility of these leaves", Value: func(n *node) float64 { _, high := n.Bounds(n.player); return high }},
		{Name: "leaf-min", Other: "leaf-max", Doc: "lowest utility of these leaves", Value: func(n *node) float64 { low, _ := n.Bounds(n.player); return low }},
		{Name: "random-play", Doc: "expected utility if all players move at random and chance follows its probabilities", Value: func(n *node) float64 { return n.RandomPlay(n.player) }},
		{Name: "to-move", Doc: "1 if the player is to move, -1 if another player is to move, 0 at chance nodes", Value: func(n *node) float64 {
			switch n.Turn() {
			case n.player:
				return 1
			case game.Chance:
				return 0
			}
			return -1
		}},
	},
}

// Tree describes the game to the catalog. The depth exceeds the height of every tree.
var Tree = features.Profile{
	Sets:   func(*game.Game) []features.Set { return []features.Set{leaves.Set()} },
	Depth:  1 << 10,
	Recipe: features.Recipe{Rounds: 2},
}
