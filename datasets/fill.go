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
	"syscall"

	"plyfit/internal/disk"
	"plyfit/work"
)

// Missing are the shards that the folder of a data set lacks, as the units of a job.
type Missing struct {
	Shards []int // in order

	dir string
}

// Put keeps a shard, of which file is what [EncodeShard] made.
func (m *Missing) Put(shard int, file []byte) error {
	path := filepath.Join(m.dir, ShardName(shard))
	err := disk.Write(path, func(w io.Writer) error { _, err := w.Write(file); return err })
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Fill makes the data set of plan in dir, or the rest of it: fill must write the missing shards
// there. A folder in which another process is at work is refused, with an error that names it. A
// complete data set is only read.
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

// tidy removes leftovers from a complete data set of a process killed after its last file. With
// another process at work, or without write access, they stay.
func tidy(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil || !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return work.Passing(e.Name()) }) {
		return err
	}
	err = work.Alone(dir, func() error { return nil })
	if held := (*work.HeldError)(nil); errors.As(err, &held) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return nil
	}
	return err
}
