package chess

import (
	"fmt"
	"math/bits"
	"strings"

	"plyfit/game"
	"plyfit/game/grid"
	"plyfit/internal/text"
)

var (
	files = strings.Split("abcdefgh", "")
	ranks = strings.Split("87654321", "")
)

var layout = grid.Layout{
	Width: 3, Left: "%s ", Side: "│", Top: "┌──┐", Bottom: "└──┘", Again: true,
	Size: 60, Edge: 22, Back: "#4a3324", Names: "#f3e6d0",
}

// Figures of the squares, dark squares first. The overlays mark the squares of the last move and a
// king in check.
var (
	grounds  = [2]grid.Figure{{Text: "·", Solid: " ", Ground: 94, Art: overlay("#8f6347", "1")}, {Text: " ", Ground: 137, Art: overlay("#ecdcc0", "1")}}
	touched  = [2]grid.Figure{{Ground: 100, Mark: true, Art: overlay("#f2c832", ".55")}, {Ground: 143, Mark: true, Art: overlay("#f2c832", ".55")}}
	attacked = grid.Figure{Art: overlay("#d8402f", ".75")}
	men      = [2][King + 1]grid.Figure{army(0), army(1)}
	figures  = [2][7]rune{[7]rune([]rune(" ♗♖♕♙♘♔")), [7]rune([]rune(" ♝♜♛♟♞♚"))}
)

func overlay(fill, opacity string) string {
	return `<rect x="-30" y="-30" width="60" height="60" fill="` + fill + `" fill-opacity="` + opacity + `"/>`
}

func army(side int) (men [King + 1]grid.Figure) {
	body, rim, line := "#fdfbf6", "#33291f", "#33291f"
	if side == 1 {
		body, rim, line = "#2a2522", "#120f0d", "#efe6d8"
	}
	for kind := Bishop; kind <= King; kind++ {
		men[kind] = grid.Figure{Text: string(figures[side][kind]), Solid: string(figures[1][kind]), Ink: [2]int{231, 16}[side],
			Art: fmt.Sprintf(`<g transform="translate(-30-30) scale(1.333)" fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="%s" fill="%s" stroke="%s" stroke-width="1.4"/><path d="%s" stroke="%s" stroke-width="1.3"/></g>`,
				outlines[kind][0], body, rim, outlines[kind][1], line)}
	}
	return men
}

// outlines contains the outline of each kind of piece, in a square of 45 units: the body, and the
// lines drawn on it.
var outlines = [King + 1][2]string{
	Pawn: {"M22.5 9a5.5 5.5 0 0 1 3.6 9.7c3.6 1.6 4.4 6 4.6 10.3l3.3 3.4V37h-23v-4.6l3.3-3.4c.2-4.3 1-8.7 4.6-10.3A5.5 5.5 0 0 1 22.500 9z", "M14.300 29h16.400"},
	Rook: {"M12 9h5v3h3V9h5v3h3V9h5v7l-3.500 3v9.500l3 3.500v1h2v4h-24v-4h2v-1l3-3.500V19L12 16z",
		"M15.500 19h14M15.500 28.500h14M12.500 33h20"},
	Knight: {"M14 37c0-7.500 6.500-9 7-16l-6.500 4.500c-1.600 1-4.300-1.200-3.500-3.200l5.200-10.300.3-4.500 4 2.800C29 10.500 34 18 33.500 37z",
		"M17.500 14.800l1.600-.9M13.300 23l1.300-.8M27 15c3 4.500 3.700 11 3.300 19"},
	Bishop: {"M22.500 6.500a2.600 2.600 0 0 1 1.700 4.600c5.300 3.400 8 8.900 5.300 13.400l-2.500 3 2.500 5h4.500V37H11v-4.500h4.500l2.500-5-2.500-3c-2.700-4.500 0-10 5.300-13.400a2.600 2.600 0 0 1 1.700-4.600z",
		"M18 27.500h9M22.500 15.500v7M19.500 18.500h6"},
	Queen: {"M9 14a2.500 2.500 0 1 1 2.300 1.500L15.500 24l2-11.700a2.600 2.600 0 1 1 2.200 0l2.800 10.200 2.800-10.200a2.600 2.600 0 1 1 2.200 0l2 11.700 4.200-8.500A2.500 2.500 0 1 1 36 14l-4.500 19h1.500v4H12v-4h1.500z",
		"M14 30.500h17"},
	King: {"M21 4.500h3v3h3v3h-3v3.700c5-4.200 13.500-1 12 6.300l-4.500 9v3.500H33v4H12v-4h1.500v-3.500l-4.500-9c-1.500-7.300 7-10.500 12-6.300v-3.700h-3v-3h3z",
		"M13.500 29.500h18M22.500 16v11"},
}

// grid returns the board with white at the bottom.
func (s *State) grid(colour bool) *grid.Board {
	p := s.analysed()
	status := p.status(s)
	g := layout.New(8, 8, "chess: "+s.FEN()+", "+status)
	g.ColumnNames, g.RowNames = files, ranks
	g.Notes = map[int]string{0: "black " + s.force(1, colour), 3: status, 7: "white " + s.force(0, colour)}
	if p.clock > 0 {
		g.Notes[4] = fmt.Sprintf("%d quiet plies of %d", p.clock, clockLimit)
	}
	moved, check := uint64(0), uint64(0)
	if s.ply > 0 {
		moved = 1<<(p.move&63) | 1<<(p.move>>toShift&63)
	}
	if p.stage == mated || p.stage == playing && p.checked(s.side()) {
		check = 1 << p.king(s.side())
	}
	for i := range g.Cells {
		c, sq := &g.Cells[i], uint(i^56)
		shade := light >> sq & 1
		c.Place = string(appendSquare(nil, int(sq)))
		c.Add(grounds[shade])
		if moved>>sq&1 != 0 {
			c.Add(touched[shade])
		}
		if check>>sq&1 != 0 {
			c.Add(attacked)
		}
		if kind := p.at(sq); kind != NoPiece {
			c.Add(men[1-p.white>>sq&1][kind])
		}
	}
	return g
}

func (p *position) status(s *State) string {
	switch p.stage {
	case mated:
		return "checkmate: " + [2]string{"black", "white"}[s.side()] + " wins"
	case stalemate:
		return "stalemate: a draw"
	case repetition:
		return "a draw: the position has occurred three times"
	case fiftyMoves:
		return "a draw: 50 moves without a capture or a pawn move"
	case material:
		return "a draw: insufficient material"
	}
	text := [2]string{"white", "black"}[s.side()] + " to move"
	if p.checked(s.side()) {
		text += ", in check"
	}
	return text
}

// force returns the figures of p's pieces other than the king, strongest first.
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
	return text.Paint(colour, b.String(), [2]text.Style{text.Fg(231), text.Fg(242)}[p&1])
}

// Draw implements [game.Drawer]. White is at the bottom.
func (s *State) Draw(colour bool) string { return s.grid(colour).Text(colour) }

func (s *State) SVG(below game.Player) string { return s.grid(false).SVG(below == 1) }

// Clicks implements [game.Illustrator]. The places are the squares where the move begins and ends,
// which for castling are the king's. Promotions to different pieces have the same places.
func (s *State) Clicks(m game.Move) [][]string {
	name := s.MoveString(m)
	return [][]string{{name[:2], name[2:4]}}
}
