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
	"time"

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
	vectors.Check(os.Chmod(path, 0o600))
	vectors.Check(Write(path, text("secret")))
	if info := vectors.Must(os.Stat(path)); info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("a file that only its owner may read became %v", info.Mode())
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

// TestLeftovers checks that Write removes the temporary files that a killed process left for the
// same path, and no others.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	for name, stays := range map[string]bool{".f.json.17.tmp": false, ".f.json.18.tmp": true, ".f.json.x.tmp": true, ".g.f.json.17.tmp": true, ".f.17.tmp": true, "f.json.17.tmp": true, "17.tmp": true, ".tmp": true, ".f.json.17": true} {
		left := filepath.Join(dir, name)
		vectors.Check(os.WriteFile(left, nil, 0o666))
		if name != ".f.json.18.tmp" { // another process may be writing this one
			vectors.Check(os.Chtimes(left, began, began.Add(-time.Minute)))
		}
		vectors.Check(WriteBytes(filepath.Join(dir, "f.json"), nil))
		if _, err := os.Stat(left); (err == nil) != stays {
			t.Errorf("%s: %v, want stays %v", name, err, stays)
		}
	}
}

// TestErrorsNameTheFile checks that errors contain the name of the requested file, not of the
// temporary file.
func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	existing := filepath.Join(dir, "taken")
	vectors.Check(os.MkdirAll(filepath.Join(existing, "inside"), 0o755))
	full := filepath.Join(dir, "full.json")
	for path, write := range map[string]func(io.Writer) error{
		filepath.Join(dir, "missing", "a.json"): func(io.Writer) error { return nil }, // no such directory
		existing:                                func(io.Writer) error { return nil }, // rename onto a directory
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
