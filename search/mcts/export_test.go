package mcts

import (
	"plyfit/game"
	"plyfit/search"
)

// Size is how many nodes the tree of the last search has.
func Size(a search.Agent) int { return len(a.(*mcts).tree.store) }

// Visit calls visit for each node of the tree of the last search, with the moves
// that lead there from the root and what is proven of it.
func Visit(a search.Agent, visit func(line []game.Move, proof int8)) {
	store := a.(*mcts).tree.store
	var walk func(line []game.Move, at int32)
	walk = func(line []game.Move, at int32) {
		n := store[at]
		visit(line, n.proof)
		for c := n.first; c < n.first+n.count; c++ {
			walk(append(line, store[c].move), c)
		}
	}
	walk(nil, 0)
}
