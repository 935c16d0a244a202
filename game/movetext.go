package game

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"plyfit/internal/text"
)

// This file contains what PGN and the formats derived from it have in common.

// Unfold returns the game with the known moves before its start (`POSITION moves ...`) included in
// its moves. Formats that record only one position and the moves after it then still contain the
// history on which the rules depend. first is the position in which the returned game starts.
func (t *Transcript) Unfold(g *Game) (whole *Transcript, first State, err error) {
	unfolded := *t
	start, known, _ := strings.Cut(t.Start, " moves ")
	unfolded.Start, unfolded.Moves = start, nil
	if first, err = unfolded.First(g); err != nil {
		return nil, nil, err
	}
	s := first.Clone()
	for _, name := range strings.Fields(known) {
		m, err := g.ParseMove(s, name)
		if err != nil {
			return nil, nil, err
		}
		unfolded.Moves = append(unfolded.Moves, m)
		s.Play(m)
	}
	unfolded.Moves = append(unfolded.Moves, t.Moves...)
	return &unfolded, first, nil
}

// PlayMoves plays the moves in text[at:], where text is the text of a position. The moves are
// separated by spaces, and each is read by the function parse. An error is a *PositionError with
// the offset of the invalid move.
func PlayMoves(s State, name, text string, at int, parse func(State, string) (Move, error)) error {
	for _, word := range strings.Fields(text[at:]) {
		at += strings.Index(text[at:], word)
		m, err := parse(s, word)
		if err != nil {
			want := err.Error()
			if wrong, ok := err.(*MoveError); ok {
				want = "nothing more, because the game is over"
				if len(wrong.Legal) > 0 {
					want = "one of " + strings.Join(wrong.Legal, " ")
				}
			}
			return &PositionError{Game: name, Text: text, At: at, Want: want}
		}
		s.Play(m)
		at += len(word)
	}
	return nil
}

// WriteTag writes a line of the form [Name "value"]. An empty value is written as ?.
func WriteTag(b *bytes.Buffer, name, value string) {
	fmt.Fprintf(b, "[%s \"%s\"]\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(cmp.Or(value, "?")))
}

// WriteRoster writes the seven tags at the beginning of a PGN or PDN game. white is the seat of the
// player with the white pieces.
func WriteRoster(b *bytes.Buffer, t *Transcript, white int, result string) {
	for _, tag := range [][2]string{
		{"Event", t.Event}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", t.Round},
		{"White", t.Names[white]}, {"Black", t.Names[1-white]}, {"Result", result},
	} {
		WriteTag(b, tag[0], tag[1])
	}
}

// OneWrite returns a New function for a [Format] whose games do not depend on earlier games. Each
// game is written in a single call to Write. If the function write returns an error, nothing is
// written.
func OneWrite(write func(*bytes.Buffer, *Game, *Transcript) error) func(io.Writer, *Game) func(*Transcript) error {
	return func(w io.Writer, g *Game) func(*Transcript) error {
		return func(t *Transcript) error {
			var buf bytes.Buffer
			if err := write(&buf, g, t); err != nil {
				return err
			}
			_, err := w.Write(buf.Bytes())
			return err
		}
	}
}

// WriteMoves writes the end of a PGN or PDN game: an empty line, the moves, the result and another
// empty line. name returns the notation of a move. The moves are numbered as in [Numbered].
func (t *Transcript) WriteMoves(b *bytes.Buffer, g *Game, name func(State, Move) string, number int, secondBegins bool, result string) error {
	b.WriteByte('\n')
	var moves []string
	if _, err := t.Replay(g, func(s State, m Move) error {
		moves = append(moves, name(s, m))
		return nil
	}); err != nil {
		return err
	}
	err := WrapWords(b, append(Numbered(moves, number, secondBegins), result), 79)
	b.WriteByte('\n')
	return err
}

// Numbered inserts move numbers between the moves, starting at number. The result has the form 1.
// e4 e5 2. Nf3 or, if the second player begins, 1... e5 2. Nf3.
func Numbered(moves []string, number int, secondBegins bool) []string {
	var words []string
	for i, m := range moves {
		switch second := i%2 == 1 != secondBegins; {
		case !second:
			words = append(words, fmt.Sprintf("%d.", number))
		case i == 0:
			words = append(words, fmt.Sprintf("%d...", number))
		}
		words = append(words, m)
		if i%2 == 1 != secondBegins {
			number++
		}
	}
	return words
}

// WrapWords writes words separated by single spaces. Lines have at most width bytes, unless a
// single word is longer.
func WrapWords(w io.Writer, words []string, width int) error {
	lines := text.Wrap(words, func(line string) bool { return len(line) <= width })
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}
