// Package textbook provides feature sets for textbook games: noughts and crosses, and explicit
// trees. With these sets, a search can stop before it reaches the leaves.
package textbook

import (
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/tictactoe"
)

// lines is the set tictactoe/lines. It is antisymmetric: from the opponent's point of view, every
// term has the opposite sign.
var lines = features.Terms[position]{
	Name:          "tictactoe/lines",
	Antisymmetric: true,
	Prepare:       (*position).prepare,
	List: []features.Term[position]{
		{Name: "tempo", Doc: "1 if the player is to move", Value: func(b *position) float64 { return b.turn }},
		{Name: "win-now", Doc: "1 for the mover if the mover can complete a line", Value: func(b *position) float64 { return b.turn * features.Truth(b.mover != 0) }},
		{Name: "must-block", Doc: "-1 if the mover cannot complete a line and the other player threatens to", Value: func(b *position) float64 {
			return -b.turn * features.Truth(b.mover == 0 && b.other != 0 && b.other&(b.other-1) == 0)
		}},
		{Name: "fork", Doc: "1 for the other player if the mover cannot complete a line and the other player threatens to complete at least two", Value: func(b *position) float64 {
			return -b.turn * features.Truth(b.mover == 0 && b.other&(b.other-1) != 0)
		}},
		{Name: "twos", Doc: "lines with two of the player's marks and none of the opponent's", Value: func(b *position) float64 { return b.twos }},
		{Name: "ones", Doc: "lines with one of the player's marks and none of the opponent's", Value: func(b *position) float64 { return b.ones }},
		{Name: "centre", Doc: "1 for the player with the mark in the centre", Value: func(b *position) float64 { return b.more(0o020) }},
		{Name: "corners", Doc: "marks in corners", Value: func(b *position) float64 { return b.more(0o505) }},
		{Name: "edges", Doc: "marks between corners", Value: func(b *position) float64 { return b.more(0o252) }},
		{Name: "opposite-corners", Doc: "1 for marks in two opposite corners", Value: func(b *position) float64 {
			return features.Truth(faced(b.marks[0])) - features.Truth(faced(b.marks[1]))
		}},
	},
}

// A position is a board from a player's point of view, with the player's own marks first.
type position struct {
	marks        [2]uint16
	turn         float64 // 1 if the player is to move, and -1 otherwise
	mover, other uint16  // cells that complete a line for the player to move, and those that do for the opponent
	ones, twos   float64 // open lines with one mark and with two marks, minus the opponent's
}

func (b *position) prepare(st game.State, p game.Player) {
	s := st.(*board.State)
	*b = position{turn: 1}
	b.marks[0], b.marks[1] = s.Marks()
	if p == 1 {
		b.marks[0], b.marks[1] = b.marks[1], b.marks[0]
	}
	var winning [2]uint16 // cells that complete a line
	for _, line := range board.Lines {
		for side, sign := range [2]float64{1, -1} {
			if line&b.marks[1-side] != 0 {
				continue
			}
			switch own := line & b.marks[side]; bits.OnesCount16(own) {
			case 1:
				b.ones += sign
			case 2:
				b.twos += sign
				winning[side] |= line &^ own
			}
		}
	}
	b.mover, b.other = winning[0], winning[1]
	if game.Player(s.Plies()&1) != p {
		b.turn, b.mover, b.other = -1, b.other, b.mover
	}
}

// more returns the difference between the numbers of the player's and the opponent's marks in
// cells.
func (b *position) more(cells uint16) float64 {
	return float64(bits.OnesCount16(b.marks[0]&cells) - bits.OnesCount16(b.marks[1]&cells))
}

// faced reports whether two opposite corners are both in the set marks.
func faced(marks uint16) bool { return marks&0o401 == 0o401 || marks&0o104 == 0o104 }

// TicTacToe describes the game to the catalog.
var TicTacToe = features.Profile{
	Sets:   func(*game.Game) []features.Set { return []features.Set{lines.Set()} },
	Depth:  9,
	Recipe: features.Recipe{Rounds: 2, Openings: 2},
}
