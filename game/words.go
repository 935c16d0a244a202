package game

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Words reads the words of a position's text one by one, for a game's Parse. It keeps the first
// error. After an error, the words that it returns are meaningless.
type Words struct {
	Game    string // name of the game, for errors
	Text    string
	Between string // separator between words, or "" for a space
	At      int    // offset of the last word that was read
	next    int
	err     error
}

// Err returns the first error, a [PositionError], or nil.
func (w *Words) Err() error { return w.err }

// Fail records an error at the given byte of the text, or for the text as a whole if at is -1. want
// is what was expected there.
func (w *Words) Fail(at int, want string) error {
	if w.err == nil {
		w.err = &PositionError{Game: w.Game, Text: w.Text, At: at, Want: want}
	}
	return w.err
}

// Refuse records an error at the last word that was read. want is what was expected instead.
func (w *Words) Refuse(want string) error { return w.Fail(w.At, want) }

// More reports whether there is another word.
func (w *Words) More() bool { return w.next <= len(w.Text) }

// Next returns the next word, or "" if there is none.
func (w *Words) Next() string {
	w.At = min(w.next, len(w.Text))
	word, _, _ := strings.Cut(w.Text[w.At:], cmp.Or(w.Between, " "))
	w.next = w.At + len(word) + 1
	return word
}

// Key reads a word, which must be equal to want.
func (w *Words) Key(want string) {
	if w.Next() != want {
		w.Refuse(strconv.Quote(want))
	}
}

// Number reads a whole number from lo to hi in canonical form. The parameter what describes the
// number in error messages.
func (w *Words) Number(lo, hi int, what string) int {
	word := w.Next()
	n, err := strconv.Atoi(word)
	if err != nil || n < lo || n > hi || strconv.Itoa(n) != word {
		w.Refuse(fmt.Sprintf("%s from %d to %d", what, lo, hi))
		return max(lo, 0)
	}
	return n
}

// Rows reads a word that contains a board; see [ReadRows].
func (w *Words) Rows(rows, columns int, runs bool, put func(row, column int, sign byte) (want string)) {
	if at, want := ReadRows(w.Next(), rows, columns, runs, put); want != "" {
		w.Fail(w.At+at, want)
	}
}

// End returns the first error. If any words remain, this is an error too.
func (w *Words) End() error {
	if w.More() {
		w.Fail(w.next-1, "nothing more")
	}
	return w.err
}

// A PositionError is the error that Game.Parse returns for invalid text.
type PositionError struct {
	Game string // name of the game
	Text string // text that was read
	At   int    // byte offset of the error in Text, or -1 for the whole text
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

// A MoveError is the error that Game.ParseMove returns if the text is not a legal move.
type MoveError struct {
	Text  string
	Legal []string // legal moves, as written by MoveString
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

// ReadRows reads a board in FEN format: rows of cells from top to bottom, separated by /. It calls
// put with the sign of each cell. put returns "" if the sign is valid, and otherwise a description
// of what it expected. If runs is set, numbers represent runs of empty cells, for which put is not
// called.
//
// If the board is valid, want is "". Otherwise, at is the byte offset of the error in text, and
// want describes what was expected there.
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

// wantRows describes the expected board and the error. row is the number of the faulty row, counted
// from 1 at the top, and has is the number of cells in that row.
func wantRows(rows, columns, row, has int) string {
	want := fmt.Sprintf("%d rows of %d cells separated by /", rows, columns)
	switch {
	case has > columns:
		return fmt.Sprintf("%s; row %d from the top has more cells", want, row)
	case has < columns:
		return fmt.Sprintf("%s; row %d from the top has only %d", want, row, has)
	}
	return fmt.Sprintf("%s; found only %d", want, row)
}

// AppendRows appends a board in the format of [ReadRows]. If runs is set, each run of cells with
// the sign "." is written as its length.
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
