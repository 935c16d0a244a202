package checkers

import (
	"bytes"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"plyfit/game"
)

// String implements [game.State]. It returns the PDN FEN of the position after the last capture or
// move of a man, followed by the moves since then: `W:WK3,20:B1,K9:H0:F31 moves 3-8 9-14`. In the
// FEN, :H is the number of plies since the last capture or move of a man, and :F is the number of
// the full move.
func (s *State) String() string {
	known := int(s.line[s.ply].known)
	from := s.ply - known
	p := &s.line[from]
	out := make([]byte, 0, 128+8*known)
	out = append(out, "BW"[(s.first+from)&1])
	for _, c := range [2]int{1, 0} {
		out = append(out, ':', "BW"[c])
		for b, sep := p.men[c], ""; b != 0; b &= b - 1 {
			out = append(out, sep...)
			if p.kings&b&-b != 0 {
				out = append(out, 'K')
			}
			out = strconv.AppendUint(out, uint64(squareOf[bits.TrailingZeros64(b)]), 10)
			sep = ","
		}
	}
	out = fmt.Appendf(out, ":H%d:F%d", p.clock, s.number(from))
	if known > 0 {
		out = append(out, " moves"...)
		for i := from + 1; i <= s.ply; i++ {
			out = append(append(out, ' '), s.MoveString(s.line[i].move)...)
		}
	}
	return string(out)
}

// parsePosition reads the output of String. The sides may be in either order. Squares may be in any
// order and may be given as ranges (1-12). :H and :F default to 0 and 1. As PDN allows, the text
// may end with a full stop.
func parsePosition(text string) (*State, error) {
	if full, stopped := strings.CutSuffix(strings.TrimSpace(text), "."); stopped {
		text = full
	}
	fen, _, played := strings.Cut(text, " moves ")
	w := &game.Words{Game: "checkers", Text: fen, Between: ":"}
	word := w.Next()
	side := strings.Index("BW", word)
	if len(word) != 1 || side < 0 {
		return nil, w.Refuse("B or W, the side to move, as in B:W21,K22:B1,2")
	}
	var p position
	count := 1
	seen := map[string]bool{}
	for w.More() {
		value := w.Next()
		field := value[:min(1, len(value))]
		value = strings.TrimPrefix(value, field)
		if seen[field] {
			return nil, w.Refuse("each of W, B, H and F once")
		}
		seen[field] = true
		switch field {
		case "B", "W":
			readPieces(w, &p, strings.Index("BW", field), value)
		case "H":
			p.clock = uint16(readNumber(w, w.At+1, value, 0, quietLimit, "plies since the last capture or move by a man"))
		case "F":
			count = readNumber(w, w.At+1, value, 1, 9999, "the move number")
		default:
			w.Refuse("W or B followed by squares, or H or F followed by a number")
		}
	}
	for _, c := range "WB" {
		if !seen[string(c)] {
			w.Fail(len(fen), fmt.Sprintf(":%c followed by squares, as in B:W21,K22:B1,2", c))
		}
	}
	if err := w.Err(); err != nil {
		return nil, err
	}
	s := newState(p, side, count)
	if played {
		if err := game.PlayMoves(s, "checkers", text, len(fen)+len(" moves "), parseMove); err != nil {
			return nil, err
		}
		s.root = s.ply
	}
	return s, nil
}

// readNumber reads a number from lo to hi. at is the offset of the number in the text of w.
func readNumber(w *game.Words, at int, text string, lo, hi int, what string) int {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || int(n) < lo || int(n) > hi {
		w.Fail(at, fmt.Sprintf("%s, from %d to %d", what, lo, hi))
		return lo
	}
	return int(n)
}

// readPieces reads the squares of one colour, such as 1,K5,9-12. Black is colour 0.
func readPieces(w *game.Words, p *position, colour int, list string) {
	if list == "" {
		return
	}
	at := w.At + 1
	for item := range strings.SplitSeq(list, ",") {
		squares, king := strings.CutPrefix(item, "K")
		low, high, ranged := strings.Cut(squares, "-")
		first := readNumber(w, at, low, 1, 32, "a square")
		last := first
		if ranged {
			last = readNumber(w, at, high, first, 32, "a square")
		}
		for n := first; n <= last; n++ {
			b := uint64(1) << bitOf[n]
			switch {
			case (p.men[0]|p.men[1])&b != 0:
				w.Fail(at, fmt.Sprintf("each square once; square %d already has a piece", n))
			case !king && b&[2]uint64{bottom, topRow}[colour] != 0:
				w.Fail(at, fmt.Sprintf("a king (K%d) on the row where men are crowned", n))
			}
			p.men[colour] |= b
			if king {
				p.kings |= b
			}
		}
		if n := bits.OnesCount64(p.men[colour]); n > pieces {
			w.Fail(at, fmt.Sprintf("at most %d pieces of each colour; this is piece %d", pieces, n))
		}
		at += len(item) + 1
	}
}

// pdn is the Portable Draughts Notation (version 3.0, Wesselink), with squares 1 to 32. Black moves
// first and has seat 0. According to the standard, 1-0 is a win for White, who moves second in
// English draughts. In some older collections, 1-0 is a win for the first player.
var pdn = game.Format{
	Ext: "pdn", Doc: "Portable Draughts Notation; 1-0 means that White won",
	New: game.OneWrite(writePDN),
}

// englishDraughts is the PDN game type: number 21, black begins, 8x8 board, numbered squares, and
// the first square on black's left.
const englishDraughts = "21,B,8,8,N1,0"

func writePDN(b *bytes.Buffer, g *game.Game, t *game.Transcript) error {
	whole, begin, err := t.Unfold(g)
	if err != nil {
		return err
	}
	first := Of(begin)
	result := t.Result() // for seat 0, which is black
	switch result {
	case "1-0":
		result = "0-1"
	case "0-1":
		result = "1-0"
	}
	game.WriteRoster(b, t, 1, result)
	game.WriteTag(b, "GameType", englishDraughts)
	if fen := first.String(); fen != start().String() {
		game.WriteTag(b, "SetUp", "1")
		game.WriteTag(b, "FEN", fen)
	}
	if t.End != game.Played {
		game.WriteTag(b, "Termination", string(t.End))
	}
	return whole.WriteMoves(b, g, game.State.MoveString, first.number(0), first.side() == 1, result)
}
