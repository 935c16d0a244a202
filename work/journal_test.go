package work

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/internal/disk"
)

// TestJournal: lines come back as they were appended, after a torn one too; one that
// was changed is found, and lines can be cut off.
func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "j.jsonl")
	line := func(n int) []byte { return disk.Seal(fmt.Appendf(nil, "{\"n\":%d}\n", n)) }
	load := func() (j *Journal, lines []string, err error) {
		j = &Journal{Path: path}
		err = j.Load(func(text []byte, torn bool) error {
			if !torn {
				lines = append(lines, string(text))
			}
			return nil
		})
		return j, lines, err
	}
	want := ""
	for n := range 5 {
		j, lines, err := load()
		if err != nil || strings.Join(lines, "") != want || j.Lines != n {
			t.Fatalf("%d lines: %q, %v, want %q", n, lines, err, want)
		}
		if err := j.Append(line(n)); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		want += string(line(n))
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Fatalf("%q, want %q", got, want)
		}
		if err := os.WriteFile(path, append([]byte(want), line(n)[:7]...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte(string(line(0))+strings.Replace(string(line(1)), "1", "2", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := load(); err == nil || !strings.HasPrefix(err.Error(), path+", line 2: ") {
		t.Errorf("%v, want one that names the line", err)
	}
}
