package minesweeper

import (
	"fmt"
	"strconv"

	"plyfit/game"
)

// String implements [game.State]. It returns the rows from the top, separated by slashes, with a
// dot for a hidden cell and * for an opened mine. If nature is about to open a cell, the text also
// contains the name of the cell: 1.../12../.... opens r3c4.
func (s *State) String() string {
	out := game.AppendRows(nil, s.rows, s.columns, false, func(row, column int) byte {
		switch shows := s.shown[row*s.columns+column]; shows {
		case Hidden:
			return '.'
		case Mine:
			return '*'
		default:
			return '0' + byte(shows)
		}
	})
	if s.Turn() == game.Chance {
		out = append(out, " opens "...)
		out = append(out, s.name(int(s.pending))...)
	}
	return string(out)
}

// name returns a cell's name, such as r1c1, from its row and column, counted from the top left.
func (r *rules) name(cell int) string {
	return "r" + strconv.Itoa(cell/r.columns+1) + "c" + strconv.Itoa(cell%r.columns+1)
}

// MoveString implements [game.State]: a cell such as r2c5. Nature's moves are written as the number
// shown, or as mine.
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
	s, w := r.state(), &game.Words{Game: "minesweeper", Text: text}
	w.Rows(s.rows, s.columns, false, func(row, column int, sign byte) string {
		cell := row*s.columns + column
		switch {
		case sign == '.':
			return ""
		case sign == '*' && s.lost:
			return "at most one mine, because the first mine ends the game"
		case sign == '*':
			s.lost = true
			s.shown[cell] = Mine
		case sign >= '0' && sign <= '8':
			s.opened++
			s.shown[cell] = int8(sign - '0')
		default:
			return "a cell: 0 to 8, a dot if hidden, or *"
		}
		s.hash ^= share(int16(cell), s.shown[cell])
		return ""
	})
	switch {
	case w.Err() != nil:
	case s.lost && r.safeFirst && s.opened == 0:
		w.Fail(0, "a number before the first mine, because safefirst=on")
	case !(s.count.layouts(s) > 0):
		w.Fail(0, fmt.Sprintf("numbers consistent with a layout of %d mines", r.mines))
	case w.More():
		s.readPending(w)
	}
	if err := w.End(); err != nil {
		return nil, err
	}
	return s, nil
}

// readPending reads the cell that nature is about to open.
func (s *State) readPending(w *game.Words) {
	word := w.Next()
	switch {
	case s.Turn() == game.Nobody:
		w.Refuse("nothing more, because the game is over")
	case word != "opens":
		w.Refuse("the end of the line, or opens followed by a hidden cell")
	}
	name := w.Next()
	if c := s.forced(); c >= 0 && name != s.name(int(c)) {
		w.Refuse(s.name(int(c)) + ", the only move")
	}
	for cell := range s.cells {
		if s.shown[cell] == Hidden && s.name(cell) == name {
			s.pending = int16(cell)
			return
		}
	}
	w.Refuse("a hidden cell, such as r1c1")
}
