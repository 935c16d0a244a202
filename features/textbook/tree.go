package textbook

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/tree"
)

// node is a tree in a player's view.
type node struct {
	*board.State
	player game.Player
}

// leaves is the set tree/leaves: what the leaves below give to the viewing player, what he gets
// where everyone moves at random, and whether it is his move.
var leaves = features.Terms[node]{
	Name: "tree/leaves",
	// A tree does not say who moved before its chance nodes; they are in the view
	// of player 0, whose luck they are.
	Prepare: func(n *node, s game.State, p game.Player) { *n = node{s.(*board.State), p} },
	List: []features.Term[node]{
		{Name: "leaf-mean", Doc: "the mean of what the leaves below give", Value: func(n *node) float64 { return n.Mean(n.player) }},
		{Name: "leaf-max", Other: "leaf-min", Doc: "the most that one of them gives", Value: func(n *node) float64 { _, high := n.Bounds(n.player); return high }},
		{Name: "leaf-min", Other: "leaf-max", Doc: "the least", Value: func(n *node) float64 { low, _ := n.Bounds(n.player); return low }},
		{Name: "random-play", Doc: "the expected utility if everyone moves at random, nature by its probabilities", Value: func(n *node) float64 { return n.RandomPlay(n.player) }},
		{Name: "to-move", Doc: "1 where it is the player's move, -1 where another's, 0 at chance nodes", Value: func(n *node) float64 {
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

// Tree is what is known of the game besides its rules. A search to its depth ends at the
// leaves of any tree that it could finish.
var Tree = features.Profile{
	Sets:   func(*game.Game) []features.Set { return []features.Set{leaves.Set()} },
	Depth:  1 << 10,
	Recipe: features.Recipe{Rounds: 2},
}
