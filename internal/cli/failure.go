package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"plyfit/arena"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/learn/online"
)

// misplaced are the errors for a path that the user has to correct.
var misplaced = []error{
	disk.ErrTooLarge, fs.ErrNotExist, fs.ErrExist, fs.ErrPermission,
	syscall.ENOTDIR, syscall.EISDIR, syscall.EROFS, syscall.ENAMETOOLONG,
}

// runFailure marks errors in writing or reading files during a run, such as a full disk, as
// failures, and so an agent that broke down and learning that diverged. Errors of the input, paths
// included, stay as they are.
func runFailure(err error) error {
	var diverged *online.DivergedError
	var path *fs.PathError
	var link *os.LinkError
	var number syscall.Errno
	var kind *disk.KindError
	system := errors.As(err, &number) || errors.As(err, &path) || errors.As(err, &link)
	input := errors.As(err, &kind) || slices.ContainsFunc(misplaced, func(m error) bool { return errors.Is(err, m) })
	if errors.Is(err, arena.ErrNature) || errors.As(err, &diverged) || system && !input {
		return proc.Failure(err)
	}
	return err
}

// distinct refuses two equal files among those to be read and written ("": none), since the last
// one written would replace the other.
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
			return fmt.Errorf("%s: names two files: want a name of its own for each", path)
		}
		seen[whole] = true
	}
	return nil
}
