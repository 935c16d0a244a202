package chess

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plyfit/game"
)

// letters contains the FEN letters of white's pieces, by code.
const letters = ".BRQPNK"

// String implements [game.State]. It returns the FEN of the position after the last irreversible
// move (a capture, a pawn move, or the loss of a castling right), followed by ` moves ` and the
// moves since then. The en passant square is given only if an en passant capture is legal.
func (s *State) String() string {
	known := int(s.line[s.ply].known)
	from := s.ply - known
	out := make([]byte, 0, 96+6*known)
	out = s.fen(out, from)
	if known > 0 {
		out = append(out, " moves"...)
		for i := from + 1; i <= s.ply; i++ {
			out = append(out, ' ')
			out = appendMove(out, s.line[i].move)
		}
	}
	return string(out)
}

// FEN returns the FEN of the current position. It does not contain the earlier positions, so
// repetitions are lost.
func (s *State) FEN() string { return string(s.fen(nil, s.ply)) }

func (s *State) fen(out []byte, index int) []byte {
	p := &s.line[index]
	out = game.AppendRows(out, 8, 8, true, func(row, file int) byte {
		sq := uint(8*(7-row) + file)
		return letters[p.at(sq)] | byte(^p.white>>sq&1<<5) // the bit is also set in '.'
	})
	out = append(out, ' ', "wb"[(s.first+index)&1], ' ')
	for i, c := range []byte("KQkq") {
		if p.rights>>i&1 != 0 {
			out = append(out, c)
		}
	}
	if p.rights == 0 {
		out = append(out, '-')
	}
	out = append(out, ' ')
	if p.ep == 0 {
		out = append(out, '-')
	} else {
		out = appendSquare(out, int(p.ep))
	}
	out = append(out, ' ')
	out = strconv.AppendUint(out, uint64(p.clock), 10)
	out = append(out, ' ')
	return strconv.AppendUint(out, uint64(s.number(index)), 10)
}

func appendSquare(out []byte, sq int) []byte { return append(out, 'a'+byte(sq&7), '1'+byte(sq>>3&7)) }

// ParsePosition reads the output of String: a FEN or `startpos`, which may be followed by ` moves `
// and any number of moves in UCI or algebraic notation. It also accepts these variants, which occur
// in files from other programs:
//
//   - Fields may be separated by any white space.
//   - The two numbers default to 0 and 1. They may instead be given by the operations hmvc and
//     fmvn. Move number 0 means 1.
//   - Castling rights may be in any order, or be given by the file of the rook.
//   - Other EPD operations are ignored.
//
// An error is a *game.PositionError.
func ParsePosition(text string) (*State, error) {
	if fen, moves, _ := strings.Cut(text, " moves "); strings.IndexByte(text, ';') < 0 { // the usual format, as String returns it
		if fields := strings.Split(fen, " "); len(fields) == 6 && !slices.Contains(fields, "") {
			if s, err := parseFields(text, fields, "", text, moves); err == nil {
				return s, nil
			}
		}
	}
	text = strings.TrimPrefix(text, "\ufeff")
	position, rest := cutEPD(text)
	fen, moves, _ := strings.Cut(position, "moves")
	return parseFields(text, strings.Fields(fen), rest, position, moves)
}

// parseFields reads the fields of a FEN, the label after the position, and the moves at the end.
func parseFields(text string, fields []string, rest, position, moves string) (*State, error) {
	r := reader{text: text, fields: fields}
	if len(fields) == 1 && fields[0] == "startpos" {
		r.text, r.fields = startFEN, strings.Fields(startFEN)
	}
	side, count, err := r.read()
	if err != nil {
		return nil, err
	}
	r.text = text
	if err := r.clocks(rest, &count); err != nil {
		return nil, err
	}
	s := newState(r.p, side, count)
	if moves == "" {
		return s, nil
	}
	if err := game.PlayMoves(s, "chess", position, len(position)-len(strings.TrimLeft(moves, " \t")), parseMove); err != nil {
		return nil, err
	}
	s.root = s.ply
	return s, nil
}

// Largest values accepted for the two numbers of a FEN.
const mostClock, mostNumber = 999, 99999

type reader struct {
	text   string
	fields []string
	at     int // offset of the current field
	p      position
}

func (r *reader) fail(at int, format string, args ...any) error {
	return &game.PositionError{Game: "chess", Text: r.text, At: min(at, len(r.text)), Want: fmt.Sprintf(format, args...)}
}

func (r *reader) read() (side, count int, err error) {
	prepare()
	if n := len(r.fields); n < 4 || n > 6 {
		return 0, 0, r.fail(-1, "the 4 or 6 fields of a FEN (board, w or b, castling, en passant, and two numbers), not %d", n)
	}
	count = 1
	for i, read := range []func(field string) error{
		r.board,
		func(field string) error {
			side = strings.IndexByte("wb", field[0]|0x20)
			if side < 0 || len(field) != 1 {
				return r.fail(r.at, "w or b, the side to move")
			}
			return nil
		},
		r.castling,
		func(field string) error { return r.passing(strings.ToLower(field), side) },
		func(field string) (err error) {
			clock, err := r.number(field, mostClock, "plies since the last capture or pawn move")
			r.p.clock = uint16(clock)
			return err
		},
		func(field string) (err error) {
			count, err = r.number(field, mostNumber, "the move number")
			count = max(count, 1) // many programs count from 0
			return err
		},
	} {
		if i >= len(r.fields) {
			break
		}
		r.at += strings.Index(r.text[r.at:], r.fields[i])
		if err := read(r.fields[i]); err != nil {
			return 0, 0, err
		}
		r.at += len(r.fields[i])
	}
	if r.p.checked(1 - side) {
		return 0, 0, r.fail(-1, "a position in which the side that has just moved (%s) is not in check", [2]string{"white", "black"}[1-side])
	}
	if r.p.ep != 0 && !r.p.pass(int(r.p.ep), side) {
		r.p.ep = 0
	}
	return side, count, nil
}

func (r *reader) board(field string) error {
	var counts [2][8]int
	at, want := game.ReadRows(field, 8, 8, true, func(row, file int, c byte) string {
		side, piece, want := r.piece(c, file, 7-row)
		counts[side][piece]++
		return want
	})
	if want != "" {
		return r.fail(r.at+at, "%s", want)
	}
	for side, n := range counts {
		if err := r.army([2]string{"white", "black"}[side], n); err != nil {
			return err
		}
	}
	return nil
}

// piece puts the piece with letter c on the board. If c is invalid, want describes what was
// expected.
func (r *reader) piece(c byte, file, rank int) (side int, piece Piece, want string) {
	code := strings.IndexByte(letters, c&^0x20)
	switch {
	case code < 1 || c < 'A':
		return 0, 0, "a piece (PNBRQK, pnbrqk), a number of empty squares from 1 to 8, or /"
	case Piece(code) == Pawn && (rank == 0 || rank == 7):
		return 0, 0, "no pawns on the first or last rank"
	}
	b := uint64(1) << (8*rank + file)
	side = int(c >> 5 & 1)
	if side == 0 {
		r.p.white |= b
	}
	for i, plane := range []*uint64{&r.p.diag, &r.p.ortho, &r.p.leap} {
		if code>>i&1 != 0 {
			*plane |= b
		}
	}
	return side, Piece(code), ""
}

// army checks that the number of pieces of each kind is possible. n is indexed by kind of piece.
func (r *reader) army(name string, n [8]int) error {
	promoted := max(n[Queen]-1, 0) + max(n[Rook]-2, 0) + max(n[Bishop]-2, 0) + max(n[Knight]-2, 0)
	switch {
	case n[King] != 1:
		return r.fail(r.at, "one %s king; found %d", name, n[King])
	case n[Pawn] > 8:
		return r.fail(r.at, "at most 8 %s pawns; found %d", name, n[Pawn])
	case n[Pawn]+promoted > 8:
		return r.fail(r.at, "at most as many %s pieces as 8 pawns allow; found %d pawns and %d promoted pieces", name, n[Pawn], promoted)
	}
	return nil
}

// castling reads the castling rights in any order. Each right is one of the letters KQkq, or the
// file of the rook (HAha). The king and the rook must be on their initial squares.
func (r *reader) castling(field string) error {
	if field == "-" {
		return nil
	}
	for i := range len(field) {
		k := max(strings.IndexByte("KQkq", field[i]), strings.IndexByte("HAha", field[i]))
		if k < 0 {
			return r.fail(r.at+i, "- or some of KQkq")
		}
		side := k >> 1
		rook := uint(56*side + [2]int{7, 0}[k&1])
		if p := &r.p; p.king(side) != 56*side+4 || p.at(rook) != Rook || p.own(side)>>rook&1 == 0 {
			return r.fail(r.at+i, "for %c, a king on %s and a rook on %s", field[i], appendSquare(nil, 56*side+4), appendSquare(nil, int(rook)))
		}
		r.p.rights |= 1 << k
	}
	return nil
}

// passing reads the en passant square.
func (r *reader) passing(field string, side int) error {
	if field == "-" {
		return nil
	}
	rank := [2]byte{'6', '3'}[side]
	if len(field) != 2 || field[0] < 'a' || field[0] > 'h' || field[1] != rank {
		return r.fail(r.at, "- or the square on rank %c that a pawn has just passed over", rank)
	}
	sq := square(field)
	p := &r.p
	pawn, from := sq^8, sq+8-16*side
	way := uint64(1)<<sq | uint64(1)<<from
	if p.occupied()&way != 0 || p.at(uint(pawn)) != Pawn || p.own(1-side)>>pawn&1 == 0 {
		return r.fail(r.at, "the square that the pawn on %s has just passed over on its way from %s", appendSquare(nil, pawn), appendSquare(nil, from))
	}
	p.ep = uint8(sq)
	return nil
}

// square returns the number of a square such as e4.
func square(name string) int { return int(name[0]-'a') + 8*int(name[1]-'1') }

func (r *reader) number(field string, most int, what string) (int, error) {
	n, err := strconv.ParseUint(field, 10, 32)
	if err != nil || n > uint64(most) {
		return 0, r.fail(r.at, "%s, from 0 to %d", what, most)
	}
	return int(n), nil
}

// cutEPD splits a line into the position without operations, which [ParsePosition] can read, and
// the rest of the line.
func cutEPD(text string) (position, rest string) {
	at, words := 0, 0
	next := func() (word string, end int) {
		from := at + len(text[at:]) - len(strings.TrimLeft(text[at:], " \t"))
		end = from
		for end < len(text) && text[end] != ' ' && text[end] != '\t' && text[end] != ';' {
			end++
		}
		return text[from:end], end
	}
	take := func(ok func(word string) bool) bool {
		word, end := next()
		if word == "" || !ok(word) {
			return false
		}
		at, words = end, words+1
		return true
	}
	any := func(string) bool { return true }
	number := func(word string) bool { _, err := strconv.Atoi(word); return err == nil }
	if !take(func(word string) bool { return word == "startpos" }) {
		for words < 4 && take(any) {
		}
		for words < 6 && take(number) {
		}
	}
	if take(func(word string) bool { return word == "moves" }) {
		for take(func(word string) bool {
			return word[0] != '[' && word[0] != '|' && !game.Opcode(word) && !game.IsResult(word)
		}) {
		}
	}
	return text[:at], text[at:]
}

// clocks checks the label after a position. It reads the operations hmvc and fmvn, which correspond
// to the two numbers of a FEN, and ignores everything else.
func (r *reader) clocks(rest string, count *int) error {
	at := len(r.text) - len(strings.TrimLeft(rest, "; \t"))
	label, err := game.ParseLabel(rest)
	if err != nil {
		return r.fail(at, "nothing after the position except EPD operations, such as hmvc 0; fmvn 1; or a label: %v", err)
	}
	for _, o := range label.Operations {
		n, err := strconv.Atoi(o.Operand)
		switch wrong := fmt.Sprintf("%s with a number of at least 0, not %.40q", o.Code, o.Operand); {
		case o.Code == "hmvc" && (err != nil || n < 0 || n > mostClock), o.Code == "fmvn" && (err != nil || n < 0 || n > mostNumber):
			return r.fail(at, "%s", wrong)
		case o.Code == "hmvc":
			r.p.clock = uint16(n)
		case o.Code == "fmvn":
			*count = max(n, 1)
		}
	}
	return nil
}
