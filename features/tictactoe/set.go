// Package tictactoe says what is good in noughts and crosses.
//
// The journey: [Sets] has one set, tictactoe/lines: lines that are still open,
// what can be played at once, and where the marks stand.
package tictactoe

import (
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/tictactoe"
	"plyfit/models"
)

const (
	tempo = iota
	winNow
	mustBlock
	fork
	twos
	ones
	centre
	corners
	edges
	oppositeCorners
	size
)

var names = [size]string{"tempo", "win-now", "must-block", "fork", "twos", "ones", "centre", "corners", "edges", "opposite-corners"}

// Sets are the feature sets of the game.
func Sets(*game.Game) []features.Set { return []features.Set{Lines{}} }

// Lines is tictactoe/lines. Each term is counted for its owner: seen by the
// other player it has the opposite sign.
type Lines struct{}

var _ features.Set = Lines{}

// Name implements [features.Set].
func (Lines) Name() string { return "tictactoe/lines" }

// Blocks implements [features.Set].
func (Lines) Blocks() []features.Block {
	blocks := make([]features.Block, size)
	for i := range blocks {
		blocks[i] = features.Block{Name: names[i], Len: 1}
	}
	return blocks
}

// View implements [features.Set].
func (Lines) View(s game.State) game.Player { return max(s.Turn(), 0) }

// Extract implements [features.Set].
func (Lines) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	s := st.(*board.State)
	v := measure(s)
	for i, value := range v {
		if p == 1 {
			value = -value
		}
		if value != 0 {
			x = append(x, models.Term{Index: int32(i), Value: value})
		}
	}
	return x
}

// measure works out all terms as X sees them.
func measure(s *board.State) (v [size]float32) {
	var marks [2]uint16
	marks[0], marks[1] = s.Cells()
	mover := s.Plies() & 1
	sign := [2]float32{1, -1}
	v[tempo] = sign[mover]
	var winning [2]uint16 // cells that complete a line
	for _, line := range board.Lines {
		for p := range marks {
			if line&marks[1-p] != 0 {
				continue
			}
			switch own := line & marks[p]; bits.OnesCount16(own) {
			case 1:
				v[ones] += sign[p]
			case 2:
				v[twos] += sign[p]
				winning[p] |= line &^ own
			}
		}
	}
	switch his := winning[1-mover]; {
	case winning[mover] != 0:
		v[winNow] = sign[mover]
	case his&(his-1) != 0:
		v[fork] = sign[1-mover]
	case his != 0:
		v[mustBlock] = sign[1-mover]
	}
	for p, m := range marks {
		v[centre] += float32(sign[p] * float32(bits.OnesCount16(m&0o020)))
		v[corners] += float32(sign[p] * float32(bits.OnesCount16(m&0o505)))
		v[edges] += float32(sign[p] * float32(bits.OnesCount16(m&0o252)))
		if m&0o401 == 0o401 || m&0o104 == 0o104 {
			v[oppositeCorners] += sign[p]
		}
	}
	return v
}
