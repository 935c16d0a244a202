// Package disk writes files that appear complete under their names or not at all: into a temporary
// file in the same folder, synced, then renamed ([Write]). It reads only regular files, up to a
// limit ([Read], [Open]): a FIFO would block its reader and a device fill the memory. [Seal]
// protects lines.
package disk

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write writes the file at path through write (buffered). On an error the old file stays and the
// temporary file is removed. A replaced file's permissions stay.
func Write(path string, write func(w io.Writer) error) (err error) {
	mode := os.FileMode(0o644)
	if old, err := os.Stat(path); err == nil {
		mode = old.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), temporary(filepath.Base(path)))
	if err != nil {
		var of *fs.PathError
		if errors.As(err, &of) {
			err = misnamed{err, of.Path, path}
		}
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = misnamed{err, f.Name(), path}
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err = write(w); err != nil {
		return err
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = f.Chmod(mode); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	// The name is on disk only when the folder is synced; file systems that cannot sync a folder
	// offer no more.
	if dir, openErr := os.Open(filepath.Dir(path)); openErr == nil {
		dir.Sync()
		dir.Close()
	}
	return nil
}

// misnamed is an error with the name of the temporary file, which the reader does not know.
type misnamed struct {
	error
	temporary, path string
}

func (m misnamed) Error() string {
	text := strings.ReplaceAll(m.error.Error(), m.temporary+" "+m.path, m.path) // a rename names both
	return strings.ReplaceAll(text, m.temporary, m.path)
}

func (m misnamed) Unwrap() error { return m.error }
