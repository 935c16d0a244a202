// Package pacman says what is good in Pacman.
//
// The journey: [Sets] are the feature sets; the terms of the first, by what they
// look at, stand in terms.go (food, capsules, the maze) and ghosts.go. All
// distances are steps through the maze. The score is a term of its own, which
// weighs 1, so that what is learned is what is still to come.
package pacman

import (
	maze "plyfit/game/pacman"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// Sets are the feature sets of pacman, the default first: pacman/classic, and
// pacman/simple, the terms of Berkeley's SimpleExtractor as they stand after a
// move.
func Sets(*game.Game) []features.Set {
	return []features.Set{
		&set{"pacman/classic", classicNames[:], classic},
		&set{"pacman/simple", simpleNames[:], simple},
	}
}

// set is a list of terms, each its own block.
type set struct {
	name  string
	names []string
	terms func(s *maze.State, x []models.Term)
}

var _ features.Set = (*set)(nil)

// Name implements [features.Set].
func (s *set) Name() string { return s.name }

// Blocks implements [features.Set].
func (s *set) Blocks() []features.Block {
	blocks := make([]features.Block, len(s.names))
	for i, name := range s.names {
		blocks[i] = features.Block{Name: name, Len: 1}
	}
	return blocks
}

// View implements [features.Set]: there is only one player.
func (s *set) View(game.State) game.Player { return 0 }

// Extract implements [features.Set].
func (s *set) Extract(st game.State, _ game.Player, x models.Vector) models.Vector {
	from := len(x)
	for i := range s.names {
		x = append(x, models.Term{Index: int32(i)})
	}
	s.terms(st.(*maze.State), x[from:])
	kept := x[:from]
	for _, t := range x[from:] {
		if t.Value != 0 {
			kept = append(kept, t)
		}
	}
	return kept
}
