package chess

import (
	"plyfit/game"
	"plyfit/internal/svg"
)

var _ game.Illustrator = (*State)(nil)

// SVG implements [game.Illustrator].
func (s *State) SVG(below game.Player) string {
	const cell = 60.0
	board := s.analysed()
	p := svg.New(8*cell, 8*cell, "chess: "+board.label(s))
	marked := uint64(0)
	if s.ply > 0 {
		marked = 1<<(board.move&63) | 1<<(board.move>>toShift&63)
	}
	check := uint64(0)
	if board.stage == mated || board.stage == playing && board.checked(s.side()) {
		check = 1 << board.king(s.side())
	}
	for i := range 64 {
		row, column := i/8, i%8
		sq := uint(8*(7-row) + column)
		if below == 1 {
			sq = uint(8*row + 7 - column)
		}
		x, y := float64(column)*cell, float64(row)*cell
		ground, ink := "#8f6347", "#ffffff"
		if light>>sq&1 != 0 {
			ground, ink = "#ecdcc0", "#5a3d2b"
		}
		p.Rect(x, y, cell, cell, 0, ground)
		switch {
		case check>>sq&1 != 0:
			p.Rect(x, y, cell, cell, 0, "#d8402f", "fill-opacity", "0.75")
			if light>>sq&1 != 0 {
				ink = "#1f130b"
			}
		case marked>>sq&1 != 0:
			p.Rect(x, y, cell, cell, 0, "#f2c832", "fill-opacity", "0.55")
			ink = "#1f130b"
		}
		name := string(appendSquare(nil, int(sq)))
		if row == 7 {
			p.Text(x+cell-7, y+cell-5, 12, ink, name[:1])
		}
		if column == 0 {
			p.Text(x+7, y+14, 12, ink, name[1:])
		}
		if kind := board.at(sq); kind != NoPiece {
			drawPiece(p, x, y, cell, kind, int(1-board.white>>sq&1))
		}
		p.Place(name, x, y, cell, cell)
	}
	return p.String()
}

// label is the position as it is read aloud.
func (p *position) label(s *State) string {
	text := s.FEN()
	switch p.stage {
	case mated:
		return text + ", checkmate"
	case stalemate, repetition, fiftyMoves, material:
		return text + ", a draw"
	}
	if p.checked(s.side()) {
		return text + ", check"
	}
	return text
}

// outlines are the pieces' shapes in a square of 45, by kind: the body, and the
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

// drawPiece draws a piece of white (0) or black (1) on the square at x, y.
func drawPiece(p *svg.Picture, x, y, cell float64, kind Piece, side int) {
	body, line := "#fdfbf6", "#33291f"
	if side == 1 {
		body, line = "#2a2522", "#efe6d8"
	}
	p.Begin(x, y, cell/45)
	p.Path(outlines[kind][0], body, "stroke", [2]string{"#33291f", "#120f0d"}[side], "stroke-width", "1.4", "stroke-linejoin", "round")
	p.Path(outlines[kind][1], "none", "stroke", line, "stroke-width", "1.3", "stroke-linecap", "round")
	p.End()
}

// Clicks implements [game.Illustrator]: where the piece stands and where it goes, the
// king's squares where he castles. Promotions to different pieces share theirs.
func (s *State) Clicks(m game.Move) [][]string {
	name := s.MoveString(m)
	return [][]string{{name[:2], name[2:4]}}
}
