//go:build unix

package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plyfit/internal/vectors"
)

// TestRead checks that a regular file is read up to the limit, and that a named pipe, a directory
// and a device are rejected.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	file, pipe := filepath.Join(dir, "file"), filepath.Join(dir, "pipe")
	vectors.Check(os.WriteFile(file, []byte("12345"), 0o600))
	vectors.Check(syscall.Mkfifo(pipe, 0o600))
	if data, err := Read(file, 5); err != nil || string(data) != "12345" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := Read(file, 4); !errors.Is(err, ErrTooLarge) {
		t.Errorf("one byte too many: %v", err)
	}
	root := vectors.Must(os.OpenRoot(dir))
	defer root.Close()
	if data, err := ReadIn(root, "file", 5); err != nil || string(data) != "12345" {
		t.Errorf("in its folder: %q, %v", data, err)
	}
	if _, err := ReadIn(root, "file", 4); !errors.Is(err, ErrTooLarge) {
		t.Errorf("one byte too many in its folder: %v", err)
	}
	if _, err := OpenIn(root, "pipe"); err == nil || !strings.Contains(err.Error(), "named pipe") {
		t.Errorf("a pipe in its folder: %v", err)
	}
	if _, err := OpenIn(root, "../file"); err == nil {
		t.Error("a path leads out of its folder")
	}
	for path, want := range map[string]string{pipe: "named pipe", dir: "folder", "/dev/zero": "device"} {
		if _, err := Read(path, 5); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want that it is a %s", path, err, want)
		}
	}
	if _, err := Read(filepath.Join(dir, "none"), 5); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// TestOpenInput checks that a pipe is read and a directory is rejected.
func TestOpenInput(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	vectors.Check(syscall.Mkfifo(pipe, 0o600))
	go os.WriteFile(pipe, []byte("123"), 0o600)
	f := vectors.Must(OpenInput(pipe))
	defer f.Close()
	if data, err := io.ReadAll(f); err != nil || string(data) != "123" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := OpenInput(dir); err == nil || err.Error() != "open "+dir+": is a folder; want a file or a pipe" {
		t.Error(err)
	}
}
