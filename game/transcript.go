package game

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// A Transcript is the record of a game, for output in formats for people and other programs.
type Transcript struct {
	Event   string    // description such as "alphabeta:depth=6 against random"
	Round   string    // such as "12.2" for the second game of pair 12; may be ""
	Names   []string  // name of the player in each seat
	Sides   []int     // number of the player in each seat; distinguishes players with the same name
	Start   string    // position in which the game began, or "" for the initial position
	Moves   []Move    // legal moves in order, including nature's
	Utility []float64 // result for each seat; nil if the game was not finished
	End     End
}

// An End is the way in which a game ended.
type End string

const (
	Played      End = "played"      // according to the rules of the game
	Resigned    End = "resigned"    // resigned by the loser
	Adjudicated End = "adjudicated" // decided by the match rules: both players agreed on the result
	Truncated   End = "truncated"   // cut off at the ply limit
	OutOfTime   End = "time"        // lost by a player who exceeded the time limit
	Crashed     End = "crash"       // lost by a player that crashed
	IllegalMove End = "illegal"     // lost by a player who chose an illegal move
	Unfinished  End = "unfinished"  // abandoned; there is no result
)

// A Format is a file format for games. Game.Formats lists the formats specific to a game.
// [FormatsOf] adds those that all games have.
type Format struct {
	Ext string // extension of the format's files, without the dot, such as "pgn"
	Doc string // short description
	// New begins a file with games of g. The returned function writes one whole game per call. It
	// returns an error if the format cannot represent the game.
	New func(w io.Writer, g *Game) func(*Transcript) error
}

// FormatsOf returns the formats for games played in g. The formats specific to the game come first.
// If the game has slips, these formats contain only the moves that were actually made. JSON lines
// and plain text come last.
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

// FormatFor returns g's format with the same extension as path. If there is no such format, it
// returns an error that lists the available ones.
func FormatFor(g *Game, path string) (Format, error) {
	ext := strings.TrimPrefix(filepath.Ext(path), ".")
	var known []string
	for _, f := range FormatsOf(g) {
		if f.Ext == ext {
			return f, nil
		}
		known = append(known, fmt.Sprintf(".%s (%s)", f.Ext, f.Doc))
	}
	return Format{}, fmt.Errorf("%s: no format of %s has this extension; use %s", path, g.Spec, strings.Join(known, ", "))
}

// First returns the position in which the game began.
func (t *Transcript) First(g *Game) (State, error) {
	if t.Start == "" {
		return g.New(), nil
	}
	return g.Parse(t.Start)
}

// Replay plays the moves of the game and returns the last position. It calls the given function
// before every move.
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

// inside returns the game as it was played in g's base game: without the chosen moves that slips
// replaced.
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
				return nil // the move was chosen but not yet made
			}
		}
		in.Moves = append(in.Moves, m)
		return nil
	})
	return &in, err
}

// Result returns the result of a two-player game as written in PGN, for seat 0: 1-0, 0-1, 1/2-1/2,
// or * if the game was not finished.
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
