package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"plyfit/internal/atomicfile"
	"plyfit/internal/lease"
	"plyfit/work"
)

// claimsFolder is where processes at work on a data set claim shards.
const claimsFolder = ".work"

// Missing are the shards that the folder of a data set lacks, as the units of a
// job. Several processes may be at work on it: each shard is made by one.
type Missing struct {
	Shards []int // that were missing at the start, in order

	dir    string
	plan   Plan
	short  map[int]bool // those of a smaller set, to be made again
	claims *lease.Claims

	mu  sync.Mutex
	own map[int]bool // that this process has put there
}

var _ work.Store = (*Missing)(nil)

// Has implements [work.Store].
func (m *Missing) Has(shard int) (bool, error) {
	path := filepath.Join(m.dir, ShardName(shard))
	if m.short[shard] {
		return holdsSpan(path, m.plan, shard)
	}
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Claim implements [work.Store].
func (m *Missing) Claim(ctx context.Context, shard int) (bool, error) {
	return m.claims.Try(ctx, ShardName(shard))
}

// Release implements [work.Store].
func (m *Missing) Release(shard int) { m.claims.Release(ShardName(shard)) }

// Put implements [work.Store]: file is what [EncodeShard] made. One that is there
// by now, since this process stood still, is the same.
func (m *Missing) Put(shard int, file []byte) error {
	defer m.Release(shard)
	if there, err := m.Has(shard); there || err != nil {
		return err
	}
	path := filepath.Join(m.dir, ShardName(shard))
	err := atomicfile.Write(path, func(w io.Writer) error { _, err := w.Write(file); return err })
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own[shard] = true
	return nil
}

// Forget removes those of the shards that this process has put there.
func (m *Missing) Forget(shards []int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, shard := range shards {
		if !m.own[shard] {
			continue
		}
		if err := os.Remove(filepath.Join(m.dir, ShardName(shard))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		delete(m.own, shard)
	}
	return nil
}

// Fill makes the data set of plan in dir, or what is missing of it: fill is to
// put the missing shards there. Several processes may do so at once, if they are
// of one build and the plan is the same; all return when the set is complete, or
// the plan's slice of it is. A folder in which somebody else is at work is
// refused, with an error that names him. A data set that is complete is only
// read.
func Fill(ctx context.Context, dir string, plan Plan, fill func(ctx context.Context, missing *Missing) error) (*Manifest, error) {
	done, err := complete(dir, plan)
	if err != nil {
		return nil, err
	}
	if done != nil {
		return done, tidy(ctx, dir, plan)
	}
	err = lease.HoldFolder(ctx, dir, plan.Job().Name(), func(ctx context.Context) error {
		m := &Missing{dir: dir, plan: plan, claims: lease.NewClaims(filepath.Join(dir, claimsFolder)), own: map[int]bool{}}
		defer m.claims.Close()
		manifest := filepath.Join(dir, ManifestFile)
		err := lease.AloneWith(ctx, manifest, func() (err error) {
			m.Shards, m.short, err = begin(dir, plan)
			return err
		})
		if err != nil {
			return err
		}
		if err := fill(ctx, m); err != nil {
			return err
		}
		err = lease.AloneWith(ctx, manifest, func() (err error) {
			done, err = finish(dir)
			return err
		})
		if err == nil { // claims of the dead on what is there are void
			err = os.RemoveAll(filepath.Join(dir, claimsFolder))
		}
		return err
	})
	return done, err
}

// tidy removes from a complete data set what one left there who was killed between
// its last file and his end. Where somebody else is at work, or nothing may be
// written, it stays.
func tidy(ctx context.Context, dir string, plan Plan) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return lease.Is(e.Name()) || e.Name() == claimsFolder || filepath.Ext(e.Name()) == ".tmp"
	}) {
		return nil
	}
	err = lease.HoldFolder(ctx, dir, plan.Job().Name(), func(context.Context) error {
		return os.RemoveAll(filepath.Join(dir, claimsFolder))
	})
	var held *lease.HeldError
	if errors.As(err, &held) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return nil
	}
	return err
}
