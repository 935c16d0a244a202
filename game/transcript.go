package game

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Transcript is one game as it was played, for the files that people and other programs read.
type Transcript struct {
	Event   string    // what it was part of: "alphabeta:depth=6 against random"
	Round   string    // which part: "12.2", the second game of pair 12; "" is none
	Names   []string  // who sat in each seat
	Sides   []int     // by seat: the number of who sat there, to tell two of one name apart
	Start   string    // the position it began at; "": the game's own start
	Moves   []Move    // nature's included, legal one after the other
	Utility []float64 // what each seat got; nil for a game that was left off
	End     End
}

// End is how a game came to its end.
type End string

const (
	Played      End = "played"      // by the rules of the game
	Resigned    End = "resigned"    // given up by the loser
	Adjudicated End = "adjudicated" // by the match's rule, both holding it for decided
	Truncated   End = "truncated"   // cut off at the game's limit of plies
	OutOfTime   End = "time"        // one answered too late and lost
	Crashed     End = "crash"       // one failed and lost
	IllegalMove End = "illegal"     // one chose a move that is none and lost
	Unfinished  End = "unfinished"  // left off: no one got anything
)

// Format is a way to write games down. A game brings its own in Game.Formats;
// every game has those that [FormatsOf] adds.
type Format struct {
	Ext string // how its files end, without the dot: "pgn"
	Doc string // what it is, in a few words
	// New begins a file of games of g. What it returns writes one more game
	// each time, in whole, and errs where the format cannot say what happened.
	New func(w io.Writer, g *Game) func(*Transcript) error
}

// FormatsOf are the formats for games played in the world g: the game's own, which with slips hold
// only the moves that really happened, then JSON lines and plain text.
func FormatsOf(g *Game) []Format {
	var all []Format
	base := g.Base()
	for _, f := range base.Formats {
		own := f.New
		if g != base {
			f.New = func(w io.Writer, g *Game) func(*Transcript) error {
				write := own(w, g.Base())
				return func(t *Transcript) error {
					inner, err := t.inside(g)
					if err != nil {
						return err
					}
					return write(inner)
				}
			}
		}
		all = append(all, f)
	}
	return append(all, jsonLines, plainText)
}

// FormatFor is the format for games of g that a file's name asks for by its
// ending; the error lists those that there are.
func FormatFor(g *Game, path string) (Format, error) {
	ext := strings.TrimPrefix(filepath.Ext(path), ".")
	var known []string
	for _, f := range FormatsOf(g) {
		if f.Ext == ext {
			return f, nil
		}
		known = append(known, fmt.Sprintf(".%s (%s)", f.Ext, f.Doc))
	}
	return Format{}, fmt.Errorf("%s: no format of %s's games ends like this: want %s", path, g.Spec, strings.Join(known, ", "))
}

// First is the position that the game began at.
func (t *Transcript) First(g *Game) (State, error) {
	if t.Start == "" {
		return g.New(), nil
	}
	return g.Parse(t.Start)
}

// Replay goes through the game: each is called with every move before it is played.
// It returns the last position.
func (t *Transcript) Replay(g *Game, each func(s State, m Move) error) (State, error) {
	s, err := t.First(g)
	if err != nil {
		return nil, err
	}
	for _, m := range t.Moves {
		if err := each(s, m); err != nil {
			return nil, err
		}
		s.Play(m)
	}
	return s, nil
}

// inside is the game as it went in the base game of the world g: without the
// moves that were chosen there but replaced by slips.
func (t *Transcript) inside(g *Game) (*Transcript, error) {
	in := *t
	in.Moves = nil
	if t.Start != "" {
		s, err := g.Parse(t.Start)
		if err != nil {
			return nil, err
		}
		in.Start = Base(s).String()
	}
	_, err := t.Replay(g, func(s State, m Move) error {
		if slip, ok := As[*Slip](s); ok && s.Turn() >= 0 {
			if _, pending := slip.Intended(); !pending {
				return nil // chosen, not made
			}
		}
		in.Moves = append(in.Moves, m)
		return nil
	})
	return &in, err
}

// Result is the outcome of a game of two as PGN writes it, for seat 0: 1-0,
// 0-1, 1/2-1/2, and * for one that was left off.
func (t *Transcript) Result() string {
	switch {
	case t.End == Unfinished || len(t.Utility) != 2:
		return "*"
	case t.Utility[0] > t.Utility[1]:
		return "1-0"
	case t.Utility[0] < t.Utility[1]:
		return "0-1"
	}
	return "1/2-1/2"
}
