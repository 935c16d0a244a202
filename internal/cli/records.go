package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
)

// A writtenMatch is a match whose games are written to the file specified by --records.
type writtenMatch struct {
	out   string // file of finished pairs
	pairs int    // number of pairs to write
	a, b  string // names of the entrants
	sides [2]int // indices of A and B among all entrants
}

// withGames calls the function play, which stores finished pairs in the file *out. It then writes
// the games to path, which is the value of --records. If path is empty, it only calls the function.
// The games are reconstructed from the finished pairs, so a resumed match writes the same file as
// an uninterrupted one. If the user does not keep the pairs, *out is set to a path with the given
// name in a temporary folder.
//
// If the file format cannot represent the games, withGames returns an error before it calls play.
// For example, a format may not support other starting positions, or more than two entrants.
func (a *App) withGames(w *catalog.World, path string, starts []string, entrants int, out *string, name string,
	play func() ([]writtenMatch, error)) error {
	a.resumable.Store(*out != "")
	a.forgetful.Store(*out == "")
	if path == "" {
		_, err := play()
		return err
	}
	format, err := game.FormatFor(w.Game, path)
	if err != nil {
		return err
	}
	if err := writable(format, w, starts, entrants); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if *out == "" {
		folder, err := os.MkdirTemp("", "plyfit-match-")
		if err != nil {
			return proc.Failure(err)
		}
		defer os.RemoveAll(folder)
		*out = filepath.Join(folder, name)
	}
	matches, err := play()
	if err != nil {
		return err
	}
	return runFailure(disk.Write(path, func(file io.Writer) error {
		write := format.New(file, w.Game)
		for _, m := range matches {
			if err := m.write(w.Game, write); err != nil {
				return err
			}
		}
		return nil
	}))
}

// writable tries to write games without moves in the format, and returns the error.
func writable(format game.Format, w *catalog.World, starts []string, entrants int) error {
	if len(starts) == 0 {
		starts = []string{""}
	}
	write := format.New(io.Discard, w.Game)
	for i := range entrants - 1 {
		for _, start := range starts {
			t := &game.Transcript{Start: start, End: game.Unfinished}
			for p := range w.Players {
				t.Names, t.Sides = append(t.Names, "?"), append(t.Sides, i+min(p, 1))
			}
			if err := write(t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m writtenMatch) write(g *game.Game, write func(*game.Transcript) error) error {
	_, err := arena.EachRecord(m.out, func(pair *arena.PairRecord) error {
		if pair.Pair >= m.pairs {
			return nil
		}
		games, err := pair.Transcripts(g, m.a, m.b)
		if err != nil {
			return err
		}
		for _, t := range games {
			sides := make([]int, len(t.Sides))
			for seat, side := range t.Sides {
				if sides[seat] = -1; side < len(m.sides) { // nature has no index
					sides[seat] = m.sides[side]
				}
			}
			t.Sides = sides
			if err := write(t); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}
