package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens the regular file at path for reading. What is no regular file is refused
// without waiting for anyone to write to it; the error is an [fs.PathError].
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|withoutWaiting, 0)
	return regular(f, path, err, 0)
}

// OpenIn is [Open] inside of root, which no path leads out of.
func OpenIn(root *os.Root, path string) (*os.File, error) {
	f, err := root.OpenFile(path, os.O_RDONLY|withoutWaiting, 0)
	return regular(f, path, err, 0)
}

// OpenInput opens what is read once from its beginning to its end, for which a command
// may be given a pipe on purpose, as by <(...) of a shell. A folder and a device are
// refused.
func OpenInput(path string) (*os.File, error) {
	f, err := os.Open(path)
	return regular(f, path, err, fs.ModeNamedPipe)
}

// regular is f, which was opened at path, if it is a regular file or of a type that is
// taken besides.
func regular(f *os.File, path string, err error, besides fs.FileMode) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().Type()&^besides != 0 {
		want := "regular file"
		if besides != 0 {
			want = "file or a pipe"
		}
		err = &fs.PathError{Op: "open", Path: path, Err: &KindError{kind(info.Mode()), want}}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// KindError says that something else stands in the place of a file.
type KindError struct{ Kind, Want string }

func (e *KindError) Error() string { return fmt.Sprintf("is a %s: want a %s", e.Kind, e.Want) }

// kind is what a file that is not regular is called.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeNamedPipe != 0:
		return "named pipe"
	}
	return "device"
}

// Read is what the regular file at path holds, at most that many bytes.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	return read(f, path, most, err)
}

// ReadIn is [Read] inside of root, which no path leads out of.
func ReadIn(root *os.Root, path string, most int64) ([]byte, error) {
	f, err := OpenIn(root, path)
	return read(f, path, most, err)
}

func read(f *os.File, path string, most int64, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadUpTo(f, path, most)
}

// ReadUpTo is what in, which was opened at path, holds, at most that many bytes.
func ReadUpTo(in io.Reader, path string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(data)) > most {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("has more than %d bytes: %w", most, ErrTooLarge)}
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// ErrTooLarge says that a file is larger than its reader takes.
var ErrTooLarge = errors.New("want a smaller file")
