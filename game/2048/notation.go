package g2048

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
)

const digits = "0123456789abcdef"

// String implements [game.State]. It returns the rows of hexadecimal exponents, the side to move
// and the score, as in 0012/0000/0100/0000 player 0. In a finished game, the player counts as the
// side to move.
func (s *State) String() string {
	p := s.at()
	out := game.AppendRows(nil, s.size, s.size, false, func(row, column int) byte {
		return digits[p.board>>(16*row+4*column)&15]
	})
	if p.turn == game.Chance {
		out = append(out, " chance "...)
	} else {
		out = append(out, " player "...)
	}
	return string(strconv.AppendInt(out, int64(p.score), 10))
}

// MoveString implements [game.State]: L, R, U or D. Nature's moves are written as the row and
// column, counted from 1, followed by = and the exponent. For example, 23=1 is a 2 in the second
// row and the third column.
func (s *State) MoveString(m game.Move) string {
	if s.Turn() != game.Chance {
		return "LRUD"[m : m+1]
	}
	cell := m >> 1
	return string([]byte{'1' + byte(cell>>2), '1' + byte(cell&3), '=', '1' + byte(m&1)})
}

// DescribeChance describes the chance move m in words.
func (s *State) DescribeChance(m game.Move) string {
	if s.Turn() != game.Chance {
		return s.MoveString(m)
	}
	return fmt.Sprintf("a %d appears at row %d, column %d", 2<<(m&1), m>>3+1, m>>1&3+1)
}

func (r *rules) parse(text string) (game.State, error) {
	w := &game.Words{Game: "2048", Text: text}
	var p position
	w.Rows(r.size, r.size, false, func(row, column int, sign byte) string {
		e := strings.IndexByte(digits, sign)
		if e < 0 {
			return "a hexadecimal exponent"
		}
		p.board |= uint64(e) << (16*row + 4*column)
		return ""
	})
	switch turn := w.Next(); {
	case turn == "player" && p.board == 0:
		w.Refuse("a tile, because the player is to move")
	case turn == "player":
		if r.empty(p.board) == 0 && r.stuck(p.board) {
			p.turn = game.Nobody
		}
	case turn == "chance" && r.empty(p.board) == 0:
		w.Refuse("an empty cell, because nature is to move")
	case turn == "chance":
		p.turn = game.Chance
	default:
		w.Refuse("the word player or chance, followed by the score")
	}
	gained := 0.0
	for b := p.board; b != 0; b >>= 4 {
		if e := int(b & 15); e > 0 {
			gained += worth(e)
		}
	}
	p.score = int32(w.Number(0, int(gained), "a score possible with these tiles,"))
	if err := w.End(); err != nil {
		return nil, err
	}
	if p.turn != game.Nobody {
		p.limit = ceiling(p.board, r.size*r.size)
	}
	return r.state(p), nil
}
