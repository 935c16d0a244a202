package mcts

import (
	"plyfit/game"
	"plyfit/search"
)

// Size returns the number of nodes in the tree of the last search.
func Size(a search.Agent) int { return len(a.(*mcts).tree.store) }

// Visit calls visit for each node in the tree of the last search, passing the path of moves from
// the root and the node's proof.
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
