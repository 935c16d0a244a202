package cli

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

// recordsFile is the file of games that --records asks for. It is made at the
// end, whole, from the file of finished pairs, so that a match that was killed
// and resumed writes the same; where the user keeps no such file, there is one
// for as long as the match lasts.
type recordsFile struct {
	path   string // "": none is asked for
	format game.Format
	world  *catalog.World
	folder string // of our own file of pairs
}

// recordsOf finds the format and tries it on games without moves, so that what
// it cannot write is told before anything is played: other positions than the
// start, more than two players.
func recordsOf(w *catalog.World, path string, starts []string, entrants int) (*recordsFile, error) {
	r := &recordsFile{path: path, world: w}
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

// keep is the folder for files of pairs: the user's, or one of our own where
// the games are to be written and the user keeps nothing.
func (r *recordsFile) keep(dir string) (string, error) {
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

// journal is keep for the one file of a match.
func (r *recordsFile) journal(out string) (string, error) {
	if r.path == "" || out != "" {
		return out, nil
	}
	dir, err := r.keep("")
	return filepath.Join(dir, "pairs.jsonl"), err
}

// discard takes our own file of pairs away.
func (r *recordsFile) discard() {
	if r.folder != "" {
		os.RemoveAll(r.folder)
	}
}

// played is a match whose games are to be written.
type played struct {
	out   string // its file of pairs
	pairs int    // that count
	a, b  string
	sides [2]int // numbers of A and B among all entrants
}

// write makes the file of the games of matches.
func (r *recordsFile) write(matches ...played) error {
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

func (r *recordsFile) games(m played, write func(*game.Transcript) error) error {
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
				if sides[seat] = -1; side < len(m.sides) { // nature is nobody's number
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
