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
