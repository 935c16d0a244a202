// Package records writes the games of matches to the one file that the user asked
// for, in the format of its ending.
//
//  1. [Of] finds the format, and says beforehand what it cannot write.
//
//  2. [File.Journal] or [File.Keep] says where the matches keep their finished
//     pairs, from which the games come.
//
//  3. [File.Write] makes the file when the matches are over, and [File.Discard]
//     takes away what was kept for it alone.
package records

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/atomicfile"
	"plyfit/internal/failure"
	"plyfit/internal/process"
)

// File is the file of games that --records asks for. It is made at the end, whole,
// from the file of finished pairs, so that a match that was killed and resumed
// writes the same; where the user keeps no such file, there is one for as long as
// the match lasts.
type File struct {
	path   string // "": none is asked for
	format game.Format
	world  *catalog.World
	folder string // of our own file of pairs
}

// Of finds the format that path ends in ("": no file is asked for) and tries it on
// games without moves, so that what it cannot write is told before anything is
// played: other positions than the start, more than two players. The matches begin
// from starts, in the game's notation, none being the game's start, and are between
// so many entrants.
func Of(w *catalog.World, path string, starts []string, entrants int) (*File, error) {
	r := &File{path: path, world: w}
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

// Keep is the folder for files of pairs: the user's dir, or one of our own where
// the games are to be written and the user keeps nothing (dir is "").
func (r *File) Keep(dir string) (string, error) {
	if r.path == "" || dir != "" {
		return dir, nil
	}
	const name = "plyfit-match-"
	// What a killed match left of its own goes with the next one.
	left, err := filepath.Glob(filepath.Join(os.TempDir(), name+"*"))
	if err != nil {
		return "", failure.Of(err)
	}
	for _, folder := range left {
		owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(folder), name), ".")
		if id, ok := process.Parse(owner); ok && id.State() == process.Gone {
			os.RemoveAll(folder)
		}
	}
	r.folder, err = os.MkdirTemp("", name+process.Self().String()+".")
	return r.folder, failure.Of(err)
}

// Journal is [File.Keep] for the one file of a match, the user's out.
func (r *File) Journal(out string) (string, error) {
	if r.path == "" || out != "" {
		return out, nil
	}
	dir, err := r.Keep("")
	return filepath.Join(dir, "pairs.jsonl"), err
}

// Discard takes our own file of pairs away.
func (r *File) Discard() {
	if r.folder != "" {
		os.RemoveAll(r.folder)
	}
}

// Match is a match whose games are to be written.
type Match struct {
	Out   string // its file of pairs
	Pairs int    // that count
	A, B  string // names of the entrants
	Sides [2]int // numbers of A and B among all entrants
}

// Write makes the file of the games of matches, if one is asked for.
func (r *File) Write(matches ...Match) error {
	if r.path == "" {
		return nil
	}
	return atomicfile.Write(r.path, func(w io.Writer) error {
		write := r.format.New(w, r.world.Game)
		for _, m := range matches {
			if err := r.games(m, write); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *File) games(m Match, write func(*game.Transcript) error) error {
	_, err := arena.EachRecord(m.Out, func(pair *arena.PairRecord) error {
		if pair.Pair >= m.Pairs {
			return nil
		}
		games, err := pair.Transcripts(r.world.Game, m.A, m.B)
		if err != nil {
			return err
		}
		for _, t := range games {
			sides := make([]int, len(t.Sides))
			for seat, side := range t.Sides {
				if sides[seat] = -1; side < len(m.Sides) { // nature is nobody's number
					sides[seat] = m.Sides[side]
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
