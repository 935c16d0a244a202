// Package disk writes files that appear complete under their names or not at all: into a temporary
// file in the same folder, synced, then renamed ([Write]). It reads only regular files, up to a
// limit ([Read], [Open]): a FIFO would block its reader and a device fill the memory. [Seal]
// protects lines.
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

// Write writes the file at path through write (buffered). On an error the old file stays and the
// temporary file is removed. A replaced file's permissions stay. Temporary files that killed processes
// left of path are removed.
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
	// The name is on disk only when the folder is synced; file systems that cannot sync a folder
	// offer no more.
	if dir, openErr := os.Open(filepath.Dir(path)); openErr == nil {
		dir.Sync()
		dir.Close()
	}
	return removeOlder(filepath.Dir(path), strings.Split(temporary(filepath.Base(path)), "*"))
}

// buffer is how many bytes are written at a time.
const buffer = 1 << 16

var zeros [buffer]byte

// sparse is a file in which whole buffers of zeros become holes: they read as zeros, and neither
// take room nor time where the file system knows holes.
type sparse struct{ *os.File }

func (s sparse) Write(p []byte) (int, error) {
	if !bytes.Equal(p, zeros[:]) {
		return s.File.Write(p)
	}
	_, err := s.Seek(buffer, io.SeekCurrent)
	return len(p), err
}

// WriteBytes is [Write] of these bytes.
func WriteBytes(path string, data []byte) error {
	return Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// WriteJSON is [Write] of v as indented JSON.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return WriteBytes(path, append(data, '\n'))
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

// temporary is the pattern of temporary files for the file base, for os.CreateTemp:
// .BASE.NUMBER.tmp.
func temporary(base string) string {
	const most = 128 // of a name's 255 bytes
	return "." + base[:min(len(base), most)] + ".*.tmp"
}

// Leftover reports whether a file of that name is a temporary file of a running or killed Write.
func Leftover(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".tmp")
}

// began is when this process started: a temporary file that was last written before belongs to no
// running Write.
var began = time.Now()

// removeOlder removes the temporary files of a name, between those ends, that killed processes left.
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

// RemoveLeftovers removes the temporary files from dir, which no other process may be using.
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
