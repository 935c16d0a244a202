package chess

import (
	"fmt"
	"math/bits"
	"strings"

	"plyfit/game"
	"plyfit/internal/ink"
)

// Draw implements [game.Drawer]: white below, both sides' figures filled where
// colour tells them apart.
func (s *State) Draw(colour bool) string {
	p := s.analysed()
	margin := [8]string{0: "black " + s.force(1, colour), 7: "white " + s.force(0, colour)}
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
	const files = "    a  b  c  d  e  f  g  h\n"
	b.WriteString(files)
	b.WriteString("  ┌" + strings.Repeat("─", 24) + "┐\n")
	for row := range 8 {
		fmt.Fprintf(&b, "%d │", 8-row)
		for file := range 8 {
			sq := uint(8*(7-row) + file)
			b.WriteString(p.square(sq, marked>>sq&1 != 0, colour))
		}
		b.WriteString("│")
		if margin[row] != "" {
			b.WriteString("   " + margin[row])
		}
		b.WriteByte('\n')
	}
	b.WriteString("  └" + strings.Repeat("─", 24) + "┘\n" + files)
	return b.String()
}

// square is one square in three columns.
func (p *position) square(sq uint, marked, colour bool) string {
	player := game.Player(1 - p.white>>sq&1)
	figure, empty := figures[player][p.at(sq)], p.at(sq) == NoPiece
	if !colour {
		switch {
		case empty && light>>sq&1 == 0:
			figure = '·'
		case empty:
			figure = ' '
		}
		if marked {
			return fmt.Sprintf("[%c]", figure)
		}
		return fmt.Sprintf(" %c ", figure)
	}
	if empty {
		figure = ' '
	} else {
		figure = figures[1][p.at(sq)]
	}
	ground := [2][2]ink.Style{{ink.Bg(94), ink.Bg(137)}, {ink.Bg(100), ink.Bg(143)}}
	man := [2]ink.Style{ink.Fg(231), ink.Fg(16)}
	return ink.Paint(true, fmt.Sprintf(" %c ", figure), ground[truth(marked)][light>>sq&1], man[player], ink.Bold)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

var figures = [2][7]rune{[7]rune([]rune(" ♗♖♕♙♘♔")), [7]rune([]rune(" ♝♜♛♟♞♚"))}

// force are p's pieces but the king, strongest first, as figures.
func (s *State) force(p game.Player, colour bool) string {
	set := figures[p&1]
	if colour {
		set = figures[1]
	}
	var b strings.Builder
	army := s.Army(p)
	for _, kind := range []Piece{Queen, Rook, Bishop, Knight, Pawn} {
		b.WriteString(strings.Repeat(string(set[kind]), bits.OnesCount64(army[kind])))
	}
	return ink.Paint(colour, b.String(), [2]ink.Style{ink.Fg(231), ink.Fg(242)}[p&1])
}
