package g2048

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
)

const digits = "0123456789abcdef"

// String implements [game.State]: rows of hexadecimal exponents, whose turn it is and the score:
// 0012/0000/0100/0000 player 0. A finished position is the player's, too.
func (s *State) String() string {
	p := s.at()
	var out strings.Builder
	for row := range s.size {
		if row > 0 {
			out.WriteByte('/')
		}
		for column := range s.size {
			out.WriteByte(digits[p.board>>(16*row+4*column)&15])
		}
	}
	if p.turn == game.Chance {
		out.WriteString(" chance ")
	} else {
		out.WriteString(" player ")
	}
	out.WriteString(strconv.Itoa(int(p.score)))
	return out.String()
}

// MoveString implements [game.State]: L, R, U, D; nature's are the row and the
// column from 1, = and the exponent: 23=1 is a 2 in the second row.
func (s *State) MoveString(m game.Move) string {
	if s.Turn() != game.Chance {
		return "LRUD"[m : m+1]
	}
	cell := m >> 1
	return string([]byte{'1' + byte(cell>>2), '1' + byte(cell&3), '=', '1' + byte(m&1)})
}

// Tell says what nature's move m does.
func (s *State) Tell(m game.Move) string {
	if s.Turn() != game.Chance {
		return s.MoveString(m)
	}
	return fmt.Sprintf("a %d appears at row %d, column %d", 2<<(m&1), m>>3+1, m>>1&3+1)
}

func (r *rules) parse(text string) (game.State, error) {
	fail := func(at int, want string) (game.State, error) {
		return nil, &game.PositionError{Game: "2048", Text: text, At: at, Want: want}
	}
	var p position
	at := 0
	for row := range r.size {
		for column := range r.size {
			e := -1
			if at < len(text) {
				e = strings.IndexByte(digits, text[at])
			}
			if e < 0 {
				return fail(at, fmt.Sprintf("a hexadecimal exponent, %d in each of %d rows", r.size, r.size))
			}
			p.board |= uint64(e) << (16*row + 4*column)
			at++
		}
		end := "/"
		if row == r.size-1 {
			end = " "
		}
		if !strings.HasPrefix(text[at:], end) {
			return fail(at, fmt.Sprintf("%q after %d cells", end, r.size))
		}
		at++
	}
	turn, score, _ := strings.Cut(text[at:], " ")
	switch turn {
	case "player":
		if p.board == 0 {
			return fail(at, "a tile before it is the player's turn")
		}
		if r.empty(p.board) == 0 && r.stuck(p.board) {
			p.turn = game.Nobody
		}
	case "chance":
		if r.empty(p.board) == 0 {
			return fail(at, "an empty cell where nature is to move")
		}
		p.turn = game.Chance
	default:
		return fail(at, "player or chance, then the score")
	}
	at += len(turn) + 1
	n, err := strconv.ParseInt(score, 10, 32)
	gained := 0.0
	for b := p.board; b != 0; b >>= 4 {
		if e := int(b & 15); e > 0 {
			gained += worth(e)
		}
	}
	if err != nil || n < 0 || float64(n) > gained || score != strconv.FormatInt(n, 10) {
		return fail(min(at, len(text)), fmt.Sprintf("a score from 0 to %.0f, the most that these tiles can have brought", gained))
	}
	p.score = int32(n)
	if p.turn != game.Nobody {
		p.limit = ceiling(p.board, r.size*r.size)
	}
	return r.state(p), nil
}
