// Package textbook says what is good in the games of textbooks: noughts and crosses, and
// explicit trees, so that a search that stops before the leaves has something to go by.
package textbook

import (
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/tictactoe"
)

// lines is the set tictactoe/lines. What one player has is as bad for the other:
// in the other's view every term has the opposite sign.
var lines = features.Terms[position]{
	Name:          "tictactoe/lines",
	Antisymmetric: true,
	Prepare:       (*position).prepare,
	List: []features.Term[position]{
		{Name: "tempo", Doc: "1 where it is the player's move", Value: func(b *position) float64 { return b.turn }},
		{Name: "win-now", Doc: "the mover can complete a line", Value: func(b *position) float64 { return b.turn * features.Truth(b.mover != 0) }},
		{Name: "must-block", Doc: "-1 where the mover cannot complete a line and the other player threatens to", Value: func(b *position) float64 {
			return -b.turn * features.Truth(b.mover == 0 && b.other != 0 && b.other&(b.other-1) == 0)
		}},
		{Name: "fork", Doc: "where the mover cannot complete a line: 1 for the other player, who threatens to complete two or more", Value: func(b *position) float64 {
			return -b.turn * features.Truth(b.mover == 0 && b.other&(b.other-1) != 0)
		}},
		{Name: "twos", Doc: "lines with two own marks and none of the other's", Value: func(b *position) float64 { return b.twos }},
		{Name: "ones", Doc: "lines with one", Value: func(b *position) float64 { return b.ones }},
		{Name: "centre", Doc: "the mark in the middle", Value: func(b *position) float64 { return b.more(0o020) }},
		{Name: "corners", Doc: "marks in corners", Value: func(b *position) float64 { return b.more(0o505) }},
		{Name: "edges", Doc: "marks between corners", Value: func(b *position) float64 { return b.more(0o252) }},
		{Name: "opposite-corners", Doc: "1 for marks in two corners that face each other", Value: func(b *position) float64 {
			return features.Truth(faced(b.marks[0])) - features.Truth(faced(b.marks[1]))
		}},
	},
}

// position is a board in a player's view: his marks are the first.
type position struct {
	marks        [2]uint16
	turn         float64 // 1 where it is his move, else -1
	mover, other uint16  // cells that complete a line of who is to move, of who is not
	ones, twos   float64 // open lines with so many marks, his less the other's
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

// more is how many more marks the player has than the other among cells.
func (b *position) more(cells uint16) float64 {
	return float64(bits.OnesCount16(b.marks[0]&cells) - bits.OnesCount16(b.marks[1]&cells))
}

// faced reports whether marks hold two corners that face each other.
func faced(marks uint16) bool { return marks&0o401 == 0o401 || marks&0o104 == 0o104 }

// TicTacToe is what is known of the game besides its rules.
var TicTacToe = features.Profile{
	Sets:   func(*game.Game) []features.Set { return []features.Set{lines.Set()} },
	Depth:  9,
	Recipe: features.Recipe{Rounds: 2, Openings: 2},
}
