package arena

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/game"
)

// FuzzBook: whatever a book of openings holds, what is taken are positions to
// play from, and an error names the file.
func FuzzBook(f *testing.F) {
	g := connect4Game(f)
	f.Add("start\n")
	f.Add("4455\r\n\n  123  \n")
	f.Add("44444444\n")
	f.Add("1212121\n")
	path := filepath.Join(f.TempDir(), "book.txt")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		list, err := ReadOpenings(path, g, nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), path) {
				t.Errorf("error %q does not name the file", err)
			}
			return
		}
		for _, position := range list {
			if s, err := g.Parse(position); err != nil || s.Turn() == game.Nobody {
				t.Errorf("took %q: %v", position, err)
			}
		}
	})
}
