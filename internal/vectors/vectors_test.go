package vectors_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"plyfit/internal/vectors"
)

func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(path, []byte("\n one two\r\n\n\tthree\n  \nfour"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, want := vectors.Lines(t, path), []string{"one two", "three", "four"}; !slices.Equal(got, want) {
		t.Errorf("lines %q, want %q", got, want)
	}
}

func TestShared(t *testing.T) {
	skipped := !t.Run("absent", func(t *testing.T) {
		defer func() {
			if !t.Skipped() {
				t.Error("found what is not there")
			}
		}()
		vectors.Shared(t, "no such/file")
	})
	if skipped {
		t.Error("a file that is not there is a failure")
	}
}
