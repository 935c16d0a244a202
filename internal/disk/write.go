// Package disk writes files atomically and reads files safely. [Write] writes to a temporary file
// in the same directory, syncs it and renames it. [Open] accepts only regular files, and [Read]
// only those up to a size limit, because a FIFO would block the reader and a device could fill the
// memory. [Seal] adds checksums to lines.
package disk

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Write replaces the file at path with the buffered output of a function. If an error occurs, the
// old file remains and the temporary file is removed. A replaced file keeps its permissions. Write
// also removes temporary files for path that were left by killed processes.
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
	w := bufio.NewWriterSize(sparse{f}, buffer)
	if err = write(w); err != nil {
		return err
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if size, err := f.Seek(0, io.SeekCurrent); err != nil {
		return err
	} else if err := f.Truncate(size); err != nil {
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
	// The new name is durable only after the directory is synced. Some file systems cannot sync a
	// directory, so errors are ignored.
	if dir, openErr := os.Open(filepath.Dir(path)); openErr == nil {
		dir.Sync()
		dir.Close()
	}
	return removeOlder(filepath.Dir(path), strings.Split(temporary(filepath.Base(path)), "*"))
}

// buffer is the size of a write in bytes.
const buffer = 1 << 16

var zeros [buffer]byte

// sparse is a file in which whole buffers of zeros become holes, which read as zeros. If the file
// system supports holes, they need neither space nor time.
type sparse struct{ *os.File }

func (s sparse) Write(p []byte) (int, error) {
	if !bytes.Equal(p, zeros[:]) {
		return s.File.Write(p)
	}
	_, err := s.Seek(buffer, io.SeekCurrent)
	return len(p), err
}

// WriteBytes writes data to the file at path like [Write].
func WriteBytes(path string, data []byte) error {
	return Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// WriteJSON writes v as indented JSON to the file at path, as [Write] does.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return WriteBytes(path, append(data, '\n'))
}

// misnamed replaces the name of the temporary file in an error with the path of the actual file,
// because users do not know the temporary name.
type misnamed struct {
	error
	temporary, path string
}

func (m misnamed) Error() string {
	text := strings.ReplaceAll(m.error.Error(), m.temporary+" "+m.path, m.path) // the error of a rename contains both names
	return strings.ReplaceAll(text, m.temporary, m.path)
}

func (m misnamed) Unwrap() error { return m.error }

// temporary returns the os.CreateTemp pattern for temporary files of the file base. Their names
// have the form .BASE.NUMBER.tmp.
func temporary(base string) string {
	const most = 128 // out of at most 255 bytes in a file name
	return "." + base[:min(len(base), most)] + ".*.tmp"
}

// Leftover reports whether name is the name of a temporary file created by a running or killed
// Write.
func Leftover(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".tmp")
}

// began is the start time of this process. A temporary file last written before then does not
// belong to a running Write of this process.
var began = time.Now()

// removeOlder removes the temporary files left by killed processes. Their names begin with ends[0]
// and end with ends[1].
func removeOlder(dir string, ends []string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), ends[0])
		number, whole := strings.CutSuffix(rest, ends[1])
		if !ours || !whole || strings.Trim(number, "0123456789") != "" {
			continue
		}
		if info, err := e.Info(); err == nil && info.ModTime().Before(began) {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
	return err
}

// RemoveLeftovers removes all temporary files from dir. No other process may be using dir.
func RemoveLeftovers(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if Leftover(e.Name()) && !e.IsDir() {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return err
}
