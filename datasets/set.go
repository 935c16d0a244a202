package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"plyfit/internal/atomicfile"
)

// Begin opens dir for the shards of recipe, making the folder where there is
// none, and tells which shards are still missing. Shards that are there are
// read through and kept, what an interrupted run left half-written is removed.
// A data set of another recipe, or a shard that is damaged, is an error; only
// the number of episodes may grow.
func Begin(dir string, recipe Recipe) (missing []int, err error) {
	if recipe.Episodes < 1 || recipe.EpisodesPerShard < 1 {
		panic("datasets: a recipe without episodes")
	}
	m, err := ReadManifest(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := emptyOrAbsent(dir); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	default:
		if d := m.differs(recipe); d != "" {
			return nil, fmt.Errorf("%s: holds another data set, whose %s: want an empty folder or the same command", dir, d)
		}
		if recipe.Episodes < m.Episodes {
			return nil, fmt.Errorf("%s: holds a data set of %d episodes, more than %d: want at least as many", dir, m.Episodes, recipe.Episodes)
		}
		if m.Complete && m.Episodes == recipe.Episodes && m.allThere(dir) {
			return nil, nil
		}
	}
	if err := removeTemporary(dir); err != nil {
		return nil, err
	}
	for k := range recipe.Shards() {
		whole, err := holdsSpan(filepath.Join(dir, ShardName(k)), recipe, k)
		if err != nil {
			return nil, err
		}
		if !whole {
			missing = append(missing, k)
		}
	}
	started := &Manifest{Format: Format, Recipe: recipe}
	return missing, started.write(dir)
}

// allThere tells whether no shard was taken away.
func (m *Manifest) allThere(dir string) bool {
	for _, s := range m.Shards {
		if _, err := os.Stat(filepath.Join(dir, s.File)); err != nil {
			return false
		}
	}
	return true
}

// emptyOrAbsent refuses a folder that holds something else than a data set.
func emptyOrAbsent(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !atomicfile.Leftover(e.Name()) {
			return fmt.Errorf("%s: holds %s, but no %s: want an empty folder or a data set", dir, e.Name(), ManifestFile)
		}
	}
	return nil
}

func removeTemporary(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if atomicfile.Leftover(e.Name()) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// holdsSpan tells whether the shard is there and reaches the last episode of
// its span: one that was the last of a smaller set is made again.
func holdsSpan(path string, recipe Recipe, k int) (bool, error) {
	from, to := recipe.Span(k)
	last, any := uint64(0), false
	err := EachRecord(path, func(r *Record) bool { last, any = r.Episode, true; return r.Episode >= from && r.Episode < to })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case any && (last < from || last >= to):
		return false, fmt.Errorf("%s: holds episode %d: want %d to %d", path, last, from, to-1)
	}
	return any && last == to-1, nil
}

// Finish reads all shards of the data set in dir, which must all be there, and
// writes what they hold into its dataset.json: the set is then complete.
func Finish(dir string) (*Manifest, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if m.Complete {
		return m, nil
	}
	done, err := survey(dir, m.Recipe)
	if err != nil {
		return nil, err
	}
	return done, done.write(dir)
}

// survey makes the manifest of the shards that are in dir.
func survey(dir string, recipe Recipe) (*Manifest, error) {
	m := &Manifest{Format: Format, Recipe: recipe, Complete: true}
	whole := sha256.New()
	games, begun := map[uint64]struct{}{}, map[uint64]struct{}{}
	var text []byte
	for k := range recipe.Shards() {
		path := filepath.Join(dir, ShardName(k))
		from, to := recipe.Span(k)
		d := newDigester()
		info := ShardInfo{File: ShardName(k)}
		next, current, truncated := from, from, false
		moves := fnv.New64a()
		var fault error
		close := func() {
			games[moves.Sum64()] = struct{}{}
			moves.Reset()
			if truncated {
				m.Truncated++
			}
		}
		err := EachRecord(path, func(r *Record) bool {
			if info.Records == 0 || r.Episode != current {
				if r.Episode != next || r.Episode >= to {
					fault = fmt.Errorf("%s: row %d: episode %d: want %d", path, info.Records, r.Episode, next)
					return false
				}
				if info.Records > 0 {
					close()
				}
				current, next = r.Episode, r.Episode+1
				if recipe.NewOpenings {
					m.begin(begun, r.Position)
				}
			}
			truncated = r.Truncated
			text = append(append(append(append(text[:0], r.Position...), 0), r.Move...), 0)
			moves.Write(text)
			d.add(r)
			info.Records++
			return true
		})
		if err == nil {
			err = fault
		}
		if err != nil {
			return nil, err
		}
		if next != to {
			return nil, fmt.Errorf("%s: ends after episode %d: want %d", path, int64(next)-1, to-1)
		}
		close()
		info.Digest = d.sum()
		whole.Write([]byte(info.Digest))
		m.Records += info.Records
		m.Shards = append(m.Shards, info)
	}
	m.Distinct = len(games)
	m.Digest = hex.EncodeToString(whole.Sum(nil))
	return m, nil
}

// begin counts an episode that begins where another did.
func (m *Manifest) begin(begun map[uint64]struct{}, position string) {
	h := fnv.New64a()
	h.Write([]byte(position))
	if _, again := begun[h.Sum64()]; again {
		m.Repeated++
	}
	begun[h.Sum64()] = struct{}{}
}

// Verify reads the complete data set in dir through and compares it with its
// dataset.json.
func Verify(dir string) (*Manifest, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if !m.Complete {
		return nil, fmt.Errorf("%s: not complete: the command that began it goes on with it", dir)
	}
	found, err := survey(dir, m.Recipe)
	if err != nil {
		return nil, err
	}
	for k, s := range found.Shards {
		if s != m.Shards[k] {
			return nil, fmt.Errorf("%s: holds %d records with digest %.12s: want %d with %.12s", filepath.Join(dir, s.File), s.Records, s.Digest, m.Shards[k].Records, m.Shards[k].Digest)
		}
	}
	if found.Digest != m.Digest {
		return nil, fmt.Errorf("%s: digest %.12s: want %.12s", filepath.Join(dir, ManifestFile), m.Digest, found.Digest)
	}
	return m, nil
}

// Set is a complete data set, open for reading.
type Set struct {
	Manifest
	Dir string
}

// Open opens the complete data set in dir. Its shards are read, and found to be
// damaged, only when they are asked for; [Verify] reads them all.
func Open(dir string) (*Set, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if !m.Complete {
		return nil, fmt.Errorf("%s: not complete: the command that began it goes on with it", dir)
	}
	return &Set{Manifest: *m, Dir: dir}, nil
}

// Records gives all records in order. Each is valid until the next; its strings
// and Outcome may be kept. An error ends the sequence.
func (s *Set) Records() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for k := range s.Recipe.Shards() {
			more := true
			err := EachRecord(filepath.Join(s.Dir, ShardName(k)), func(r *Record) bool {
				more = yield(r, nil)
				return more
			})
			if err != nil {
				yield(nil, err)
				return
			}
			if !more {
				return
			}
		}
	}
}
