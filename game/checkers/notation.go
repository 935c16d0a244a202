package checkers

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"plyfit/game"
)

// String implements [game.State]: a PDN FEN after the last capture or man's move, with the plies
// since one (:H) and the full move (:F), then the moves since: `W:WK3,20:B1,K9:H0:F31 moves 3-8
// 9-14`.
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

// parsePosition reads what String prints. The sides may come in either order, squares in any and as
// ranges (1-12); :H and :F default to 0 and 1, and a full stop may end it, as PDN has it.
func parsePosition(text string) (*State, error) {
	if full, stopped := strings.CutSuffix(strings.TrimSpace(text), "."); stopped {
		text = full
	}
	fen, _, played := strings.Cut(text, " moves ")
	r := reader{text: text, end: len(fen)}
	s, err := r.position()
	if err != nil || !played {
		return s, err
	}
	if err := game.PlayMoves(s, "checkers", text, len(fen)+len(" moves "), parseMove); err != nil {
		return nil, err
	}
	s.root = s.ply
	return s, nil
}

type reader struct {
	text string
	at   int
	end  int
}

func (r *reader) fail(at int, want string) error {
	return &game.PositionError{Game: "checkers", Text: r.text, At: at, Want: want}
}

func (r *reader) next() byte {
	if r.at < r.end {
		return r.text[r.at]
	}
	return 0
}

func (r *reader) position() (*State, error) {
	side := strings.IndexByte("BW", r.next())
	if side < 0 || r.end == 0 {
		return nil, r.fail(0, "B or W, the side to move, as in B:W21,K22:B1,2")
	}
	r.at++
	var p position
	count := 1
	seen := map[byte]bool{}
	for r.at < r.end {
		if r.next() != ':' {
			return nil, r.fail(r.at, "a colon")
		}
		r.at++
		field, begin := r.next(), r.at
		if seen[field] {
			return nil, r.fail(begin, "each of W, B, H and F once")
		}
		seen[field] = true
		r.at++
		var err error
		switch field {
		case 'B', 'W':
			err = r.pieces(&p, strings.IndexByte("BW", field))
		case 'H':
			var n int
			n, err = r.number(0, quietLimit, "plies since a capture or a man's move")
			p.clock = uint16(n)
		case 'F':
			count, err = r.number(1, 9999, "the number of the move")
		default:
			err = r.fail(begin, "W or B and squares, H and a number, or F and a number")
		}
		if err != nil {
			return nil, err
		}
	}
	for _, c := range "WB" {
		if !seen[byte(c)] {
			return nil, r.fail(r.end, fmt.Sprintf(":%c and its squares, as in B:W21,K22:B1,2", c))
		}
	}
	// An index is (first+index)/2 full moves on.
	return newState(p, side, count), nil
}

func (r *reader) number(lo, hi int, what string) (int, error) {
	begin := r.at
	for '0' <= r.next() && r.next() <= '9' {
		r.at++
	}
	n, err := strconv.Atoi(r.text[begin:r.at])
	if err != nil || n < lo || n > hi {
		return 0, r.fail(begin, fmt.Sprintf("%s, from %d to %d", what, lo, hi))
	}
	return n, nil
}

// pieces reads squares such as 1,K5,9-12 of one colour, 0 for black.
func (r *reader) pieces(p *position, colour int) error {
	begin := r.at
	for r.at < r.end && r.next() != ':' {
		if r.at > begin {
			if r.next() != ',' {
				return r.fail(r.at, "a comma or a colon")
			}
			r.at++
		}
		at := r.at
		king := r.next() == 'K'
		if king {
			r.at++
		}
		first, err := r.number(1, 32, "a square")
		if err != nil {
			return err
		}
		last := first
		if r.next() == '-' {
			r.at++
			if last, err = r.number(first, 32, "a square"); err != nil {
				return err
			}
		}
		for n := first; n <= last; n++ {
			b := uint64(1) << bitOf[n]
			switch {
			case (p.men[0]|p.men[1])&b != 0:
				return r.fail(at, fmt.Sprintf("each square once; %d has a piece already", n))
			case !king && b&[2]uint64{bottom, topRow}[colour] != 0:
				return r.fail(at, fmt.Sprintf("a king (K%d) on the row where men are crowned", n))
			}
			p.men[colour] |= b
			if king {
				p.kings |= b
			}
		}
		if n := bits.OnesCount64(p.men[colour]); n > pieces {
			return r.fail(at, fmt.Sprintf("at most %d pieces of a colour; this is the %dth", pieces, n))
		}
	}
	return nil
}
