package minesweeper

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
)

// String implements [game.State]: rows from the top with / between, a dot for a hidden cell, * for
// an opened mine; and the cell that nature is about to open, if any: 1.../12../.... opens r3c4.
func (s *State) String() string {
	out := make([]byte, 0, s.cells+s.rows+16)
	for cell, shows := range s.shown {
		if cell > 0 && cell%s.columns == 0 {
			out = append(out, '/')
		}
		switch shows {
		case Hidden:
			out = append(out, '.')
		case Mine:
			out = append(out, '*')
		default:
			out = append(out, '0'+byte(shows))
		}
	}
	if s.Turn() == game.Chance {
		out = append(out, " opens "...)
		out = append(out, s.name(int(s.pending))...)
	}
	return string(out)
}

// name is a cell by its row and column from the top left: r1c1.
func (r *rules) name(cell int) string {
	return "r" + strconv.Itoa(cell/r.columns+1) + "c" + strconv.Itoa(cell%r.columns+1)
}

// MoveString implements [game.State]: a cell, r2c5; nature's are the number that
// it shows, or mine.
func (s *State) MoveString(m game.Move) string {
	if s.Turn() != game.Chance {
		return s.name(int(m))
	}
	if int8(m) == Mine {
		return "mine"
	}
	return "012345678"[m : m+1]
}

func (r *rules) parse(text string) (*State, error) {
	s := r.state()
	at, err := s.readCells(text)
	if err != nil {
		return nil, err
	}
	if s.lost && r.safeFirst && s.opened == 0 {
		return nil, unread(text, 0, "a number before the first mine, with safefirst=on")
	}
	if !(s.count.layouts(s) > 0) {
		return nil, unread(text, 0, fmt.Sprintf("numbers that some layout of %d mines fits", r.mines))
	}
	if at < len(text) {
		if err := s.readPending(text, at); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// unread says where a position is not what was wanted.
func unread(text string, at int, want string) error {
	return &game.PositionError{Game: "minesweeper", Text: text, At: at, Want: want}
}

// readCells reads the cells into s, row by row, and returns where they end.
func (s *State) readCells(text string) (at int, err error) {
	for cell := range s.cells {
		if cell > 0 && cell%s.columns == 0 {
			if at >= len(text) || text[at] != '/' {
				return at, unread(text, min(at, len(text)), fmt.Sprintf("/ after the %d cells of a row", s.columns))
			}
			at++
		}
		if at >= len(text) {
			return at, unread(text, at, fmt.Sprintf("%d rows of %d cells", s.rows, s.columns))
		}
		switch c := text[at]; {
		case c == '.':
		case c == '*':
			if s.lost {
				return at, unread(text, at, "one mine at most: the first ends the game")
			}
			s.lost = true
			s.shown[cell] = Mine
		case c >= '0' && c <= '8':
			s.opened++
			s.shown[cell] = int8(c - '0')
		default:
			return at, unread(text, at, "a cell: 0 to 8, a dot where it is hidden, or *")
		}
		if shows := s.shown[cell]; shows != Hidden {
			s.hash ^= sign(int16(cell), shows)
		}
		at++
	}
	return at, nil
}

// readPending reads the move that nature has yet to answer.
func (s *State) readPending(text string, at int) error {
	if s.Turn() == game.Nobody {
		return unread(text, at, "no more: the game is over")
	}
	name, opens := strings.CutPrefix(text[at:], " opens ")
	if !opens {
		return unread(text, at, "the end, or opens and a hidden cell")
	}
	at += len(" opens ")
	if c := s.forced(); c >= 0 && name != s.name(int(c)) {
		return unread(text, at, s.name(int(c))+", the only move")
	}
	for cell := range s.cells {
		if s.shown[cell] == Hidden && s.name(cell) == name {
			s.pending = int16(cell)
			return nil
		}
	}
	return unread(text, at, "a hidden cell, such as r1c1")
}
