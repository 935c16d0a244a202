package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/work"
)

// complete returns the manifest if dir contains the complete data set of plan, and nil if part of
// it is missing. It returns an error if dir contains anything else. It does not write any files.
func complete(dir string, plan Plan) (*Manifest, error) {
	if plan.Episodes < 1 || plan.EpisodesPerShard < 1 {
		panic("datasets: a plan without episodes")
	}
	m, err := ReadManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, work.Empty(dir, ManifestFile, "a data set")
	}
	if err != nil {
		return nil, err
	}
	if d := m.differs(plan); d != "" {
		return nil, fmt.Errorf("%s: contains a different data set: %s; use an empty directory or repeat the original command", dir, d)
	}
	if plan.Episodes < m.Episodes {
		return nil, fmt.Errorf("%s: contains a data set of %d episodes, but the limit is %d; use a higher limit", dir, m.Episodes, plan.Episodes)
	}
	missing := func(s ShardInfo) bool {
		_, err := os.Stat(filepath.Join(dir, s.File))
		return err != nil
	}
	if m.Complete && m.Episodes == plan.Episodes && !slices.ContainsFunc(m.Shards, missing) {
		return m, nil
	}
	return nil, nil
}

// These are the maximum numbers of files in a data set and of episodes in a file.
const mostShards, mostEpisodes = 1_000_000, 1_000_000

// begin prepares dir, which must exist, for the shards of plan and returns the missing ones. It
// reads existing shards completely and keeps them. begin returns an error if dir contains a data
// set with a different plan or if a shard is damaged. Plans may differ only in the number of
// episodes, which may only increase.
func begin(dir string, plan Plan) (missing []int, err error) {
	done, err := complete(dir, plan)
	if err != nil || done != nil {
		return nil, err
	}
	switch per := plan.EpisodesPerShard; {
	case per > mostEpisodes:
		return nil, fmt.Errorf("shards of %d episodes: want at most %d", per, mostEpisodes)
	case plan.Episodes/per >= mostShards:
		return nil, fmt.Errorf("%d episodes in shards of %d: want at most %d shards", plan.Episodes, per, mostShards)
	}
	for shard := range plan.Shards() {
		whole, err := holdsSpan(filepath.Join(dir, ShardName(shard)), plan, shard)
		if err != nil {
			return nil, err
		}
		if !whole {
			missing = append(missing, shard)
		}
	}
	return missing, (&Manifest{Format: Format, Plan: plan}).write(dir)
}

// holdsSpan reports whether shard k exists and contains the last episode of its span. The last
// shard of a smaller data set may lack that episode, in which case it is written again.
func holdsSpan(path string, plan Plan, k int) (bool, error) {
	from, to := plan.Span(k)
	last, any := uint64(0), false
	err := EachRecord(path, func(r *Record) bool { last, any = r.Episode, true; return r.Episode >= from && r.Episode < to })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case any && (last < from || last >= to):
		return false, fmt.Errorf("%s: contains episode %d; want episodes %d to %d", path, last, from, to-1)
	}
	return any && last == to-1, nil
}

// finish reads all shards in dir, which must all exist, and completes the manifest.
func finish(dir string) (*Manifest, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if m.Complete {
		return m, nil
	}
	done, err := survey(dir, m.Plan)
	if err != nil {
		return nil, err
	}
	return done, done.write(dir)
}

// survey reads all shards in dir and returns their manifest.
func survey(dir string, plan Plan) (*Manifest, error) {
	m := &Manifest{Format: Format, Plan: plan}
	whole := sha256.New()
	games, starts := map[uint64]struct{}{}, map[uint64]struct{}{}
	var text []byte
	for k := range plan.Shards() {
		path := filepath.Join(dir, ShardName(k))
		from, to := plan.Span(k)
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
				if plan.NewOpenings {
					m.beginAt(starts, r.Position)
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
			return nil, fmt.Errorf("%s: ends after episode %d; want episodes up to %d", path, int64(next)-1, to-1)
		}
		close()
		info.Digest = d.sum()
		whole.Write([]byte(info.Digest))
		m.Records += info.Records
		m.Shards = append(m.Shards, info)
	}
	m.Complete = true
	m.Distinct = len(games)
	m.Digest = hex.EncodeToString(whole.Sum(nil))
	return m, nil
}

// beginAt records the initial position of an episode. If an earlier episode had the same initial
// position, beginAt counts the episode as repeated.
func (m *Manifest) beginAt(begun map[uint64]struct{}, position string) {
	h := fnv.New64a()
	h.Write([]byte(position))
	if _, again := begun[h.Sum64()]; again {
		m.Repeated++
	}
	begun[h.Sum64()] = struct{}{}
}

// Verify reads the complete data set in dir and compares it with its manifest.
func Verify(dir string) (*Manifest, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if !m.Complete {
		return nil, unfinished(dir)
	}
	found, err := survey(dir, m.Plan)
	if err != nil {
		return nil, err
	}
	for k, s := range found.Shards {
		if s != m.Shards[k] {
			return nil, fmt.Errorf("%s: contains %d records with digest %.12s; want %d records with digest %.12s", filepath.Join(dir, s.File), s.Records, s.Digest, m.Shards[k].Records, m.Shards[k].Digest)
		}
	}
	if found.Digest != m.Digest {
		return nil, fmt.Errorf("%s: digest %.12s: want %.12s", filepath.Join(dir, ManifestFile), m.Digest, found.Digest)
	}
	if found.Truncated != m.Truncated || found.Distinct != m.Distinct {
		return nil, fmt.Errorf("%s: %d distinct games and %d truncated episodes: want %d and %d", filepath.Join(dir, ManifestFile), m.Distinct, m.Truncated, found.Distinct, found.Truncated)
	}
	return m, nil
}

// A Set is a complete data set that is open for reading.
type Set struct {
	Manifest
	Dir   string
	world *game.Game      // checks a record; nil if records are not checked
	ctx   context.Context // context that stops reading; may be nil
}

// Until returns a copy of s whose sequence of records ends with an error when ctx is done.
func (s *Set) Until(ctx context.Context) *Set {
	until := *s
	until.ctx = ctx
	return &until
}

// CheckShards returns an error if a shard is missing from dir or truncated. It reads only the end
// of each file. In a browser, it detects only missing shards. Other damage is detected by [Verify]
// and whenever a shard is read.
func (m *Manifest) CheckShards(dir string) error {
	for _, s := range m.Shards {
		if err := checkEnd(filepath.Join(dir, s.File)); err != nil {
			return err
		}
	}
	return nil
}

// Open opens the complete data set in dir. It calls [Manifest.CheckShards].
func Open(dir string) (*Set, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if !m.Complete {
		return nil, unfinished(dir)
	}
	if err := m.CheckShards(dir); err != nil {
		return nil, err
	}
	return &Set{Manifest: *m, Dir: dir}, nil
}

// Records yields all records in order. A record is valid until the next iteration, but its strings
// and Outcome may be retained. An error ends the sequence.
func (s *Set) Records() iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		c := contract{world: s.world}
		for k := range s.Plan.Shards() {
			more, wrong := true, error(nil)
			path := filepath.Join(s.Dir, ShardName(k))
			err := EachRecord(path, func(r *Record) bool {
				if s.ctx != nil && s.ctx.Err() != nil {
					wrong = context.Cause(s.ctx)
					return false
				}
				if s.world != nil {
					if wrong = c.check(r); wrong != nil {
						return false
					}
				}
				more = yield(r, nil)
				return more
			})
			if wrong != nil {
				err = fmt.Errorf("%s: %w", path, wrong)
			}
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

// Missing contains the missing shards of a data set, which are the units of a job.
type Missing struct {
	Shards []int // in ascending order

	dir string
}

// Put writes a shard. file must be the result of [EncodeShard].
func (m *Missing) Put(shard int, file []byte) error {
	path := filepath.Join(m.dir, ShardName(shard))
	if err := disk.WriteBytes(path, file); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Fill creates or completes the data set of plan in dir. The callback fill must write the missing
// shards. It is not called if the data set is already complete. Fill returns a [work.HeldError] if
// another process is working in dir.
func Fill(ctx context.Context, dir string, plan Plan, fill func(ctx context.Context, missing *Missing) error) (*Manifest, error) {
	done, err := complete(dir, plan)
	if err != nil {
		return nil, err
	}
	if done != nil {
		return done, tidy(dir)
	}
	err = work.Alone(dir, func() error {
		shards, err := begin(dir, plan)
		if err != nil {
			return err
		}
		if err := fill(ctx, &Missing{Shards: shards, dir: dir}); err != nil {
			return err
		}
		done, err = finish(dir)
		return err
	})
	return done, err
}

// tidy removes the files that a killed process left in a complete data set. It does nothing if
// another process is working in dir or if dir is not writable.
func tidy(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil || !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return work.Transient(e.Name()) }) {
		return err
	}
	err = work.Alone(dir, func() error { return nil })
	if held := (*work.HeldError)(nil); errors.As(err, &held) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return nil
	}
	return err
}
