package chess

import (
	"fmt"
	"math/bits"
	"strings"

	"plyfit/game"
)

// Board draws the position for a person in a terminal, white below; the last
// move's squares are marked.
func (s *State) Board() string {
	p := s.look()
	margin := [8]string{0: "black " + s.force(1), 7: "white " + s.force(0)}
	name := [2]string{"white", "black"}[s.side()]
	switch p.stage {
	case mated:
		margin[3] = "checkmate: " + [2]string{"black", "white"}[s.side()] + " wins"
	case stalemate:
		margin[3] = "stalemate: a draw"
	case repetition:
		margin[3] = "a draw: the position stands for the third time"
	case fiftyMoves:
		margin[3] = "a draw: 50 moves without a capture or a pawn's move"
	case material:
		margin[3] = "a draw: nobody can give mate"
	default:
		margin[3] = name + " to move"
		if p.checked(s.side()) {
			margin[3] += ", in check"
		}
	}
	if p.clock > 0 {
		margin[4] = fmt.Sprintf("%d quiet plies of %d", p.clock, clockLimit)
	}
	marked := uint64(0)
	if s.ply > 0 {
		marked = 1<<(p.move&63) | 1<<(p.move>>toShift&63)
	}
	var b strings.Builder
	b.WriteString("    a  b  c  d  e  f  g  h\n  ┌" + strings.Repeat("─", 24) + "┐\n")
	for row := range 8 {
		fmt.Fprintf(&b, "%d │", 8-row)
		for file := range 8 {
			sq := uint(8*(7-row) + file)
			figure := figures[0][p.at(sq)]
			switch {
			case p.at(sq) == NoPiece && light>>sq&1 == 0:
				figure = '·'
			case p.white>>sq&1 == 0:
				figure = figures[1][p.at(sq)]
			}
			if marked>>sq&1 != 0 {
				fmt.Fprintf(&b, "[%c]", figure)
			} else {
				fmt.Fprintf(&b, " %c ", figure)
			}
		}
		b.WriteString("│")
		if margin[row] != "" {
			b.WriteString("   " + margin[row])
		}
		b.WriteByte('\n')
	}
	b.WriteString("  └" + strings.Repeat("─", 24) + "┘\n")
	return b.String()
}

var figures = [2][7]rune{[7]rune([]rune(" ♗♖♕♙♘♔")), [7]rune([]rune(" ♝♜♛♟♞♚"))}

// force are p's pieces but the king, strongest first, as figures.
func (s *State) force(p game.Player) string {
	var b strings.Builder
	army := s.Army(p)
	for _, kind := range []Piece{Queen, Rook, Bishop, Knight, Pawn} {
		b.WriteString(strings.Repeat(string(figures[p&1][kind]), bits.OnesCount64(army[kind])))
	}
	return b.String()
}
