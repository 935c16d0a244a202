// Package disk writes files that appear whole under their final names or not at all: into
// a temporary file in the same folder, synced, then renamed ([Write]). It reads regular
// files alone, up to a stated size ([Read], [Open]): a FIFO in the place of a file keeps its
// reader for ever, and a device fills the memory. [Seal] marks lines that must not change.
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

// Write makes the file at path of what write writes (buffered). Where anything
// fails, the error is returned, what stood at path before still stands, and
// the temporary file is gone. A file that is replaced keeps its permissions.
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
	// The name, too, is on disk only once the folder is; some file systems
	// cannot sync a folder, and then there is nothing more to be had.
	if dir, openErr := os.Open(filepath.Dir(path)); openErr == nil {
		dir.Sync()
		dir.Close()
	}
	return nil
}

// misnamed is an error that names the temporary file, where a reader knows the
// other name alone.
type misnamed struct {
	error
	temporary, path string
}

func (m misnamed) Error() string {
	text := strings.ReplaceAll(m.error.Error(), m.temporary+" "+m.path, m.path) // a rename names both
	return strings.ReplaceAll(text, m.temporary, m.path)
}

func (m misnamed) Unwrap() error { return m.error }
