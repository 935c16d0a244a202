package game

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"plyfit/internal/text"
)

// What PGN and the formats made after it have in common.

// Unfold is the game with the moves before its start (`POSITION moves ...`), if known, made part of
// it, so that a record of moves alone has all that the rules depend on. first is where it then starts.
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

// PlayMoves plays the moves in a position's text from byte at on, separated by one space, each as
// parse reads it. An error is a *PositionError that points at the move.
func PlayMoves(s State, name, text string, at int, parse func(State, string) (Move, error)) error {
	for _, word := range strings.Fields(text[at:]) {
		at += strings.Index(text[at:], word)
		m, err := parse(s, word)
		if err != nil {
			want := err.Error()
			if wrong, ok := err.(*MoveError); ok {
				want = "nothing more: the game is over"
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

// WriteTag writes [Name "value"] on a line, ? for a value that is not known.
func WriteTag(b *bytes.Buffer, name, value string) {
	fmt.Fprintf(b, "[%s \"%s\"]\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(cmp.Or(value, "?")))
}

// WriteRoster writes the seven tags with which PGN and PDN begin. White sat in the
// seat of that number.
func WriteRoster(b *bytes.Buffer, t *Transcript, white int, result string) {
	for _, tag := range [][2]string{
		{"Event", t.Event}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", t.Round},
		{"White", t.Names[white]}, {"Black", t.Names[1-white]}, {"Result", result},
	} {
		WriteTag(b, tag[0], tag[1])
	}
}

// OneWrite is a [Format]'s New for games that need nothing of those before them:
// each goes out in one write, or not at all if it cannot be written.
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

// WriteMoves ends a PGN or a PDN: an empty line, the game's moves by their names, numbered as
// [Numbered] does, the result and another empty line.
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

// Numbered puts the numbers of the moves between them, from number on: 1. e4 e5
// 2. Nf3, or 1... e5 2. Nf3 where the second player begins.
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

// WrapWords writes words with single blanks between them, in lines of at most
// width bytes where no word is longer.
func WrapWords(w io.Writer, words []string, width int) error {
	lines := text.Wrap(words, func(line string) bool { return len(line) <= width })
	_, err := io.WriteString(w, strings.Join(lines, "\n")+"\n")
	return err
}
