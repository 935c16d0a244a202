// Package minesweeper says what is good in minesweeper.
//
// The journey: the game itself knows how likely each cell is to hold a mine;
// terms.go makes of that how much is settled, what the next step risks and how
// much is still to be guessed; [Sets] offers the terms.
package minesweeper

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/minesweeper"
	"plyfit/models"
)

// Sets are the feature sets of minesweeper, the default first:
// minesweeper/beliefs, and minesweeper/progress, which counts cells and looks at
// no probability.
func Sets(*game.Game) []features.Set {
	all := make([]int, size)
	for i := range all {
		all[i] = i
	}
	return []features.Set{
		&Set{name: "minesweeper/beliefs", terms: all},
		&Set{name: "minesweeper/progress", terms: []int{left, leftCells, minesLeft, opening}},
	}
}

// Set is some of the terms.
type Set struct {
	name  string
	terms []int
}

var _ features.Set = (*Set)(nil)

// Name implements [features.Set].
func (s *Set) Name() string { return s.name }

// Blocks implements [features.Set].
func (s *Set) Blocks() []features.Block {
	blocks := make([]features.Block, len(s.terms))
	for i, t := range s.terms {
		blocks[i] = features.Block{Name: names[t], Len: 1}
	}
	return blocks
}

// View implements [features.Set].
func (s *Set) View(game.State) game.Player { return 0 }

// Extract implements [features.Set].
func (s *Set) Extract(st game.State, _ game.Player, x models.Vector) models.Vector {
	var v [size]float64
	measure(board.Of(st), len(s.terms) == size, &v)
	for i, t := range s.terms {
		if value := float32(v[t]); value != 0 {
			x = append(x, models.Term{Index: int32(i), Value: value})
		}
	}
	return x
}
