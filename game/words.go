package game

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Words takes the words of a position's text one by one, for a game's Parse. The first fault is kept;
// what is taken after it means nothing.
type Words struct {
	Game    string // its name, for errors
	Text    string
	Between string // what stands between words; "": one space
	At      int    // where the word begins that was taken last
	next    int
	err     error
}

// Err is the first fault, a [PositionError]; nil: none.
func (w *Words) Err() error { return w.err }

// Fail notes that want was expected at a byte of the text, -1 of the whole.
func (w *Words) Fail(at int, want string) error {
	if w.err == nil {
		w.err = &PositionError{Game: w.Game, Text: w.Text, At: at, Want: want}
	}
	return w.err
}

// Refuse notes that want was expected in place of the word that was taken last.
func (w *Words) Refuse(want string) error { return w.Fail(w.At, want) }

// More reports whether there is another word.
func (w *Words) More() bool { return w.next <= len(w.Text) }

// Next takes a word, "" where there is none.
func (w *Words) Next() string {
	w.At = min(w.next, len(w.Text))
	word, _, _ := strings.Cut(w.Text[w.At:], cmp.Or(w.Between, " "))
	w.next = w.At + len(word) + 1
	return word
}

// Key takes a word that must be there.
func (w *Words) Key(want string) {
	if w.Next() != want {
		w.Refuse(strconv.Quote(want))
	}
}

// Number takes a whole number from lo to hi, written in one way only; what says of what.
func (w *Words) Number(lo, hi int, what string) int {
	word := w.Next()
	n, err := strconv.Atoi(word)
	if err != nil || n < lo || n > hi || strconv.Itoa(n) != word {
		w.Refuse(fmt.Sprintf("%s from %d to %d", what, lo, hi))
		return max(lo, 0)
	}
	return n
}

// Rows takes a board, a word for [ReadRows].
func (w *Words) Rows(rows, columns int, runs bool, put func(row, column int, sign byte) (want string)) {
	if at, want := ReadRows(w.Next(), rows, columns, runs, put); want != "" {
		w.Fail(w.At+at, want)
	}
}

// End is the first fault, that of more words among them.
func (w *Words) End() error {
	if w.More() {
		w.Fail(w.next-1, "nothing more")
	}
	return w.err
}

// PositionError is what Game.Parse returns for text that is no position.
type PositionError struct {
	Game string // the game's name
	Text string // what was read
	At   int    // byte offset of the fault in Text, -1 where the whole is at fault
	Want string // what was expected there
}

func (e *PositionError) Error() string {
	text := e.Text
	if len(text) > 80 {
		text = text[:77] + "..."
	}
	if e.At < 0 {
		return fmt.Sprintf("%s position %q: want %s", e.Game, text, e.Want)
	}
	return fmt.Sprintf("%s position %q, column %d: want %s", e.Game, text, e.At+1, e.Want)
}

// MoveError is what Game.ParseMove returns for text that is no legal move.
type MoveError struct {
	Text  string
	Legal []string // the legal moves, as they are written
}

func (e *MoveError) Error() string {
	legal := e.Legal
	more := ""
	if len(legal) > 12 {
		legal, more = legal[:12], fmt.Sprintf(" and %d more", len(e.Legal)-12)
	}
	if len(legal) == 0 {
		return fmt.Sprintf("move %q: the game is over", e.Text)
	}
	return fmt.Sprintf("move %q: want one of %s%s", e.Text, strings.Join(legal, " "), more)
}

// ReadRows reads a board as a FEN has it: rows of cells with / between them, from above. put takes
// each cell's sign, and returns what it wants in its place, "" if the sign is right. With runs,
// numbers stand for empty cells, which put does not get. want is "" if there is no fault, at else
// its byte in text.
func ReadRows(text string, rows, columns int, runs bool, put func(row, column int, sign byte) (want string)) (at int, want string) {
	row, column := 0, 0
	for ; at < len(text); at++ {
		switch sign := text[at]; {
		case sign == '/' && column == columns && row < rows-1:
			row, column = row+1, 0
			continue
		case sign == '/':
			return at, wantRows(rows, columns, row+1, column)
		case runs && '1' <= sign && sign <= '9':
			end := at + 1
			for end < len(text) && '0' <= text[end] && text[end] <= '9' {
				end++
			}
			n, err := strconv.Atoi(text[at:end])
			if err != nil || n > columns-column {
				return at, wantRows(rows, columns, row+1, columns+1)
			}
			column, at = column+n, end-1
			continue
		case column == columns:
			return at, wantRows(rows, columns, row+1, columns+1)
		}
		if want = put(row, column, text[at]); want != "" {
			return at, want
		}
		column++
	}
	if row < rows-1 || column < columns {
		want = wantRows(rows, columns, row+1, column)
	}
	return at, want
}

// wantRows describes the board that is wanted, and the row that is wrong, the row-th from above.
func wantRows(rows, columns, row, has int) string {
	want := fmt.Sprintf("%d rows of %d cells, / between them", rows, columns)
	switch {
	case has > columns:
		return fmt.Sprintf("%s; row %d from above has more", want, row)
	case has < columns:
		return fmt.Sprintf("%s; row %d from above has %d so far", want, row, has)
	}
	return fmt.Sprintf("%s; there are %d so far", want, row)
}

// AppendRows appends a board as [ReadRows] reads it. With runs, it appends the number of the cells
// in each run of those whose sign is a dot.
func AppendRows(out []byte, rows, columns int, runs bool, sign func(row, column int) byte) []byte {
	for row := range rows {
		if row > 0 {
			out = append(out, '/')
		}
		empty := 0
		for column := range columns {
			c := sign(row, column)
			if runs && c == '.' {
				empty++
				continue
			}
			if empty > 0 {
				out = strconv.AppendInt(out, int64(empty), 10)
				empty = 0
			}
			out = append(out, c)
		}
		if empty > 0 {
			out = strconv.AppendInt(out, int64(empty), 10)
		}
	}
	return out
}
