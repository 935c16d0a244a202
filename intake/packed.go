package intake

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"strings"
)

// perRecord is the size of a position in bullet's and in marlinformat's layout.
const perRecord = 32

// packed reads records of 32 bytes, little-endian, without a header:
//
//	bytes   bullet (ChessBoard)             marlinformat (PackedBoard)
//	0-7     occupied squares, a1 the lowest bit, in both
//	8-23    their pieces from the lowest bit on, 4 bits each, in both
//	24      score, centipawns               side to move (bit 7), en passant square, 64 for none
//	25                                      plies since a capture or a pawn's move
//	26      result: 0 lost, 1 drawn, 2 won  number of the move
//	27      square of the mover's king
//	28      of the other's, seen by him     score, centipawns
//	30                                      result
//
// A piece is 0 to 5, from pawn to king, and 8 more where it is the other side's.
// Bullet sees everything from the mover's side, whose squares are turned over where
// he has black, so its positions have White to move, and it forgets castling, en
// passant and the clocks. In marlinformat scores and results are White's, and a rook
// that may still castle is piece 6.
//
// Sources: the documentation of the crates bulletformat 1.8 and viriformat 3.0, which
// describe both layouts.
func (r *reader) packed(format Format) error {
	r.binary = true
	var rec [perRecord]byte
	for {
		if r.lines&1023 == 0 {
			if err := r.ctx.Err(); err != nil {
				return err
			}
		}
		n, err := io.ReadFull(r.in, rec[:])
		switch {
		case err == io.EOF:
			return nil
		case err == io.ErrUnexpectedEOF:
			return LineError{r.path, r.lines + 1, true, fmt.Sprintf("%d bytes, not %d", perRecord, n)}
		case err != nil:
			return fmt.Errorf("%s: %w", r.path, err)
		}
		r.lines++
		r.Lines++
		read := readMarlin
		if format == Bullet {
			read = readBullet
		}
		e, result, want := read(&rec)
		if want == "" && result > 2 {
			want = fmt.Sprintf("a result of 0, 1 or 2, not %d", result)
		}
		if want == "" {
			if e.outcome, err = outcomeOf(r.base, float64(result)/2); err != nil {
				return err
			}
			want = r.add(e)
		}
		if want != "" {
			if err := r.bad(r.lines, want); err != nil {
				return err
			}
		}
	}
}

const (
	rookCode, kingCode = 3, 5
	unmovedRook        = 6
	otherSide          = 8
)

// pieces are the occupied squares of a record by the letters of FEN, upper case for
// the first side; 0 is an empty square.
type pieces [64]byte

// board reads the squares of a record; unmoved are those of rooks that may castle.
func board(rec *[perRecord]byte) (p pieces, unmoved []int, want string) {
	occupied := binary.LittleEndian.Uint64(rec[:])
	if n := bits.OnesCount64(occupied); n > 32 {
		return p, nil, fmt.Sprintf("at most 32 pieces, not %d", n)
	}
	for k := 0; occupied != 0; k, occupied = k+1, occupied&(occupied-1) {
		at := bits.TrailingZeros64(occupied)
		code := rec[8+k/2] >> (4 * (k % 2)) & 15
		kind := code &^ otherSide
		if kind == unmovedRook {
			unmoved = append(unmoved, at)
			kind = rookCode
		}
		if kind > kingCode {
			return p, nil, fmt.Sprintf("pieces of the kinds 0 to 6, not %d on square %d", kind, at)
		}
		p[at] = "PNBRQK"[kind]
		if code&otherSide != 0 {
			p[at] |= 0x20
		}
	}
	return p, unmoved, ""
}

// fen is the first field of a FEN.
func (p *pieces) fen() string {
	var out strings.Builder
	for rank := 7; rank >= 0; rank-- {
		empty := 0
		for _, piece := range p[8*rank : 8*rank+8] {
			if piece == 0 {
				empty++
				continue
			}
			if empty > 0 {
				out.WriteString(strconv.Itoa(empty))
				empty = 0
			}
			out.WriteByte(piece)
		}
		if empty > 0 {
			out.WriteString(strconv.Itoa(empty))
		}
		if rank > 0 {
			out.WriteByte('/')
		}
	}
	return out.String()
}

// readBullet reads bullet's layout; result is what the mover got.
func readBullet(rec *[perRecord]byte) (e *entry, result int, want string) {
	p, unmoved, want := board(rec)
	if want == "" && len(unmoved) > 0 {
		want = fmt.Sprintf("pieces of the kinds 0 to 5, not %d on square %d", unmovedRook, unmoved[0])
	}
	for _, king := range []struct {
		letter byte
		at     int
	}{{'K', int(rec[27])}, {'k', int(rec[28]) ^ 56}} {
		if want == "" && (king.at > 63 || p[king.at] != king.letter) {
			want = fmt.Sprintf("the king %c on square %d, where the record says that it is", king.letter, king.at)
		}
	}
	if want != "" {
		return nil, 0, want
	}
	centipawns := int16(binary.LittleEndian.Uint16(rec[24:]))
	e = &entry{position: p.fen() + " w - - 0 1", score: score{strconv.Itoa(int(centipawns)), Centipawns, true}}
	return e, int(rec[26]), ""
}

// readMarlin reads marlinformat's layout; result is what White got.
func readMarlin(rec *[perRecord]byte) (e *entry, result int, want string) {
	p, unmoved, want := board(rec)
	if want != "" {
		return nil, 0, want
	}
	rights := ""
	for i, corner := range [...]int{7, 0, 63, 56} {
		for _, at := range unmoved {
			if at == corner && p[at] == "RRrr"[i] {
				rights += "KQkq"[i : i+1]
			}
		}
	}
	if len(rights) != len(unmoved) {
		return nil, 0, "rooks that may castle in the corners of their side, as chess has them"
	}
	if rights == "" {
		rights = "-"
	}
	side := "wb"[rec[24]>>7 : rec[24]>>7+1]
	passing := "-"
	switch at := rec[24] & 127; {
	case at < 64:
		passing = string([]byte{'a' + at%8, '1' + at/8})
	case at > 64:
		return nil, 0, fmt.Sprintf("an en passant square of 0 to 63, or 64 for none, not %d", at)
	}
	number := max(1, binary.LittleEndian.Uint16(rec[26:])) // some programs write 0 for the first
	centipawns := int16(binary.LittleEndian.Uint16(rec[28:]))
	e = &entry{
		position: fmt.Sprintf("%s %s %s %s %d %d", p.fen(), side, rights, passing, rec[25], number),
		score:    score{strconv.Itoa(int(centipawns)), Centipawns, false},
	}
	return e, int(rec[30]), ""
}
