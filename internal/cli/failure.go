package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"plyfit/arena"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/learn/online"
)

// misplaced are the system's answers to a path that cannot be read or written
// as it was given: the user's to put right.
var misplaced = []error{fs.ErrNotExist, fs.ErrExist, fs.ErrPermission, syscall.ENOTDIR, syscall.EISDIR, syscall.EROFS, syscall.ENAMETOOLONG}

// runFailure marks what went wrong in writing or reading files while a run was
// under way, a full disk above all, as a failure, and so an agent that broke
// down and learning that diverged; what is said about the input, paths included,
// stays as it is.
func runFailure(err error) error {
	var diverged *online.DivergedError
	if errors.Is(err, arena.ErrNature) || errors.As(err, &diverged) {
		return proc.Failure(err)
	}
	var path *fs.PathError
	var link *os.LinkError
	var number syscall.Errno
	if !errors.As(err, &number) && !errors.As(err, &path) && !errors.As(err, &link) {
		return err
	}
	var kind *disk.KindError
	if errors.As(err, &kind) || errors.Is(err, disk.ErrTooLarge) {
		return err
	}
	for _, m := range misplaced {
		if errors.Is(err, m) {
			return err
		}
	}
	return proc.Failure(err)
}

// distinct tells beforehand that two of the files to read and write are one, "" being
// none: what is written last would take the other's place.
func distinct(paths ...string) error {
	seen := map[string]bool{}
	for _, path := range paths {
		if path == "" {
			continue
		}
		whole, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		if seen[whole] {
			return fmt.Errorf("%s: stands for two files: want a name of its own for each", path)
		}
		seen[whole] = true
	}
	return nil
}
