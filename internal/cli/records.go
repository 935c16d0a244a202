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

// gamesFile is the file of games for --records. It is made at the end from the file of finished
// pairs, so that an interrupted match writes the same; if the user keeps no such file, there is a
// temporary one.
type gamesFile struct {
	path   string // "": none is asked for
	format game.Format
	world  *catalog.World

	folder string // of our own files of pairs; "": the user's
}

// gamesTo finds the format of path ("": no file) and tries it on games without moves, so that what
// it cannot write (positions other than the start, more than two players) is reported before play.
// starts are the matches' positions, none for the game's start; entrants counts those of a match.
func gamesTo(w *catalog.World, path string, starts []string, entrants int) (*gamesFile, error) {
	r := &gamesFile{path: path, world: w}
	if path == "" {
		return r, nil
	}
	var err error
	if r.format, err = game.FormatFor(w.Game, path); err != nil {
		return nil, err
	}
	if len(starts) == 0 {
		starts = []string{""}
	}
	write := r.format.New(io.Discard, w.Game)
	for i := range entrants - 1 {
		for _, start := range starts {
			t := &game.Transcript{Start: start, End: game.Unfinished}
			for p := range w.Players {
				t.Names, t.Sides = append(t.Names, "?"), append(t.Sides, i+min(p, 1))
			}
			if err := write(t); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	return r, nil
}

// keep is where finished pairs go: the user's path at, or a file called name in a temporary folder
// if games are written and at is "".
func (r *gamesFile) keep(at, name string) (_ string, err error) {
	if r.path == "" || at != "" {
		return at, nil
	}
	r.folder, err = os.MkdirTemp("", "plyfit-match-")
	return filepath.Join(r.folder, name), proc.Failure(err)
}

// discard removes our own file of pairs.
func (r *gamesFile) discard() {
	if r.folder != "" {
		os.RemoveAll(r.folder)
	}
}

// writtenMatch is a match whose games are written.
type writtenMatch struct {
	out   string // its file of pairs
	pairs int    // that count
	a, b  string // names of the entrants
	sides [2]int // numbers of A and B among all entrants
}

// write writes the file of games, if one is requested.
func (r *gamesFile) write(matches ...writtenMatch) error {
	if r.path == "" {
		return nil
	}
	return disk.Write(r.path, func(w io.Writer) error {
		write := r.format.New(w, r.world.Game)
		for _, m := range matches {
			if err := r.games(m, write); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *gamesFile) games(m writtenMatch, write func(*game.Transcript) error) error {
	_, err := arena.EachRecord(m.out, func(pair *arena.PairRecord) error {
		if pair.Pair >= m.pairs {
			return nil
		}
		games, err := pair.Transcripts(r.world.Game, m.a, m.b)
		if err != nil {
			return err
		}
		for _, t := range games {
			sides := make([]int, len(t.Sides))
			for seat, side := range t.Sides {
				if sides[seat] = -1; side < len(m.sides) { // nature is no one's number
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
