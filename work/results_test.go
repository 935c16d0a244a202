package work

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// FuzzResults: whatever a file of cells holds, an error names it, and what is taken is written again as
// it was read.
func FuzzResults(f *testing.F) {
	f.Add(`{"cell":"a {\"Game\":\"pig\"}","result":{"x":1}}` + "\n")
	f.Add("{\"cell\":\"a\",\"result\":1}\n{\"cell\":\"b\",\"result\":[null]}\n")
	f.Add("{\"cell\":\"a\"}\n")
	path := filepath.Join(f.TempDir(), "cells.jsonl")
	f.Fuzz(func(t *testing.T, text string) {
		vectors.Check(os.WriteFile(path, []byte(text), 0o644))
		s, err := OpenResults(path)
		if err != nil {
			if !strings.HasPrefix(err.Error(), path) {
				t.Errorf("error %q does not name the file", err)
			}
			return
		}
		cells := len(s.cells)
		if err := s.Close(); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if s, err = OpenResults(path); err != nil || len(s.cells) != cells {
			t.Errorf("%d cells were written and %d read (%v)", cells, len(s.cells), err)
		}
	})
}
