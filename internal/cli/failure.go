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

// pathErrors lists the errors that the user can correct by choosing another path.
var pathErrors = []error{
	disk.ErrTooLarge, fs.ErrNotExist, fs.ErrExist, fs.ErrPermission,
	syscall.ENOTDIR, syscall.EISDIR, syscall.EROFS, syscall.ENAMETOOLONG,
}

// runFailure marks err as a failure of the run if it is a system error, such as a full disk, or if
// nature's agent failed or learning diverged. Errors in the input, including wrong paths, are
// returned unchanged.
func runFailure(err error) error {
	var diverged *online.DivergedError
	var path *fs.PathError
	var link *os.LinkError
	var number syscall.Errno
	var kind *disk.KindError
	system := errors.As(err, &number) || errors.As(err, &path) || errors.As(err, &link)
	input := errors.As(err, &kind) || slices.ContainsFunc(pathErrors, func(m error) bool { return errors.Is(err, m) })
	if errors.Is(err, arena.ErrNature) || errors.As(err, &diverged) || system && !input {
		return proc.Failure(err)
	}
	return err
}

// distinct returns an error if two of the paths are the same, even if one is relative and the other
// absolute. Writing to one path would overwrite the other file. Empty paths are ignored.
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
			return fmt.Errorf("%s: the same path was given for two files; give each file its own name", path)
		}
		seen[whole] = true
	}
	return nil
}
