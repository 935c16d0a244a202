package disk

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens the regular file at path for reading. For any other kind of file, it immediately
// returns an [fs.PathError].
func Open(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|withoutWaiting, 0)
	return regular(f, path, err, 0)
}

// OpenIn is like [Open] within root.
func OpenIn(root *os.Root, path string) (*os.File, error) {
	f, err := root.OpenFile(path, os.O_RDONLY|withoutWaiting, 0)
	return regular(f, path, err, 0)
}

// OpenInput opens a file or a pipe that is read once, such as <(...) in a shell. It rejects
// directories and devices.
func OpenInput(path string) (*os.File, error) {
	f, err := os.Open(path)
	return regular(f, path, err, fs.ModeNamedPipe)
}

// regular returns f, which was opened at path, if it is a regular file or has the allowed mode.
// Otherwise, it closes f.
func regular(f *os.File, path string, err error, allowed fs.FileMode) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().Type()&^allowed != 0 {
		want := "regular file"
		if allowed != 0 {
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

// A KindError reports an unexpected kind of file.
type KindError struct{ Kind, Want string }

func (e *KindError) Error() string { return fmt.Sprintf("is a %s; want a %s", e.Kind, e.Want) }

// kind returns the name of a kind of file.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeNamedPipe != 0:
		return "named pipe"
	}
	return "device"
}

// Read reads the regular file at path. It returns an error if the file has more bytes than the
// given limit.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	return read(f, path, most, err)
}

// ReadIn is like [Read] within root.
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

// ReadUpTo reads in, which was opened at path. It returns an error if in has more bytes than the
// given limit.
func ReadUpTo(in io.Reader, path string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("has more than %d bytes: %w", most, ErrTooLarge)}
	}
	return data, err
}

// ErrTooLarge reports a file that exceeds the reader's size limit.
var ErrTooLarge = errors.New("want a smaller file")

// Digest returns the SHA-256 of a file in hexadecimal digits.
func Digest(path string) (string, error) {
	f, err := Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}
