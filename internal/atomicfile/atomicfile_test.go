package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	for _, want := range []string{"one", "another"} {
		if err := Write(path, text(want)); err != nil {
			t.Fatal(err)
		}
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
