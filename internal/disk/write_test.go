package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plyfit/internal/vectors"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	holes := func(n int) string { return strings.Repeat("\x00", n) }
	for _, want := range []string{"one", "x" + holes(5*buffer) + "y" + holes(buffer-1), holes(3 * buffer), "another"} {
		vectors.Check(Write(path, text(want)))
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Fatalf("read %q, want %q", got, want)
		}
	}
	err := Write(path, func(w io.Writer) error {
		files, err := os.ReadDir(dir)
		if err == nil && (len(files) != 2 || !Leftover(files[0].Name()) || Leftover(files[1].Name())) {
			t.Errorf("while it is written there are %v, want a leftover and the file", files)
		}
		return errors.Join(err, text("another")(w))
	})
	if err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	err = Write(path, func(w io.Writer) error { io.WriteString(w, "half"); return boom })
	if !errors.Is(err, boom) {
		t.Fatalf("error %v, want %v", err, boom)
	}
	if got, _ := os.ReadFile(path); string(got) != "another" {
		t.Errorf("a failed write left %q, want the file of before", got)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files left in the folder, want 1", len(left))
	}
	if err := Write(filepath.Join(dir, "none", "f"), text("x")); err == nil {
		t.Error("no error for a folder that is not there")
	}
}

// TestErrorsNameTheFile: an error names the file that was asked for, not the temporary one.
func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	vectors.Check(os.MkdirAll(filepath.Join(taken, "inside"), 0o755))
	full := filepath.Join(dir, "full.json")
	for path, write := range map[string]func(io.Writer) error{
		filepath.Join(dir, "missing", "a.json"): func(io.Writer) error { return nil }, // no folder
		taken:                                   func(io.Writer) error { return nil }, // a rename onto a folder
		full: func(io.Writer) error {
			made, err := filepath.Glob(filepath.Join(dir, ".full.json.*.tmp"))
			if err != nil || len(made) != 1 {
				t.Fatal(made, err)
			}
			return fmt.Errorf("rows: %w", &fs.PathError{Op: "write", Path: made[0], Err: syscall.ENOSPC})
		},
	} {
		err := Write(path, write)
		if err == nil || strings.Contains(err.Error(), ".tmp") || strings.Count(err.Error(), path) != 1 {
			t.Errorf("%s: %v", path, err)
		}
		if path == full && !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v is no full disk", err)
		}
	}
}
