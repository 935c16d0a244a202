// Package tree gives explicit trees terms to evaluate, so that a search that
// stops before the leaves has something to go by.
package tree

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/tree"
	"plyfit/models"
)

var names = [...]string{"leaf-mean", "leaf-max", "leaf-min", "random-play", "to-move"}

// Sets are the feature sets of the game.
func Sets(*game.Game) []features.Set { return []features.Set{Leaves{}} }

// Leaves is tree/leaves: the mean, the greatest and the least of what the leaves
// below give to the one who looks, what he gets where everyone moves at random,
// and whether it is his move.
type Leaves struct{}

var _ features.Set = Leaves{}

// Name implements [features.Set].
func (Leaves) Name() string { return "tree/leaves" }

// Blocks implements [features.Set].
func (Leaves) Blocks() []features.Block {
	blocks := make([]features.Block, len(names))
	for i, n := range names {
		blocks[i] = features.Block{Name: n, Len: 1}
	}
	return blocks
}

// View implements [features.Set]. A tree does not tell who moved before its
// chance nodes; they are seen by player 0, whose luck they are.
func (Leaves) View(s game.State) game.Player { return max(s.Turn(), 0) }

// Extract implements [features.Set].
func (Leaves) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	s := st.(*board.State)
	low, high := s.Bounds(p)
	for i, v := range [...]float64{s.Mean(p), high, low, s.RandomPlay(p)} {
		x = append(x, models.Term{Index: int32(i), Value: float32(v)})
	}
	switch s.Turn() {
	case p:
		x = append(x, models.Term{Index: 4, Value: 1})
	case game.Chance:
	default:
		x = append(x, models.Term{Index: 4, Value: -1})
	}
	return x
}
