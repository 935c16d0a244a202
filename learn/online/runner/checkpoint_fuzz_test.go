package runner

import (
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"
)

// FuzzCheckpoint: a checkpoint that is not what was written is refused; one
// whose SHA-256 was made to fit may be taken or refused, but makes nothing panic.
func FuzzCheckpoint(f *testing.F) {
	dir := f.TempDir()
	c := tictactoeRun(f, dir, 20)
	if _, err := Run(context.Background(), c); err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(dir, CheckpointFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	body := whole[:len(whole)-sha256.Size]
	f.Add(body)
	f.Add(body[:len(body)/2])
	f.Add(body[:len(checkpointMagic)+8])
	f.Add([]byte(checkpointMagic + "\xff\xff\xff\xff\xff\xff\xff\xff{}"))
	f.Add([]byte(checkpointMagic + "\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	l := newTD(f, linesOf(f, "tictactoe", "tictactoe/lines"))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, sealed := range []bool{false, true} {
			text := body
			if sealed {
				sum := sha256.Sum256(body)
				text = append(append([]byte(nil), body...), sum[:]...)
			}
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
			_, found, err := readCheckpoint(path, c.Recipe, l)
			if found && !sealed {
				t.Error("a checkpoint without its SHA-256 was taken")
			}
			if err != nil && err.Error() == "" {
				t.Error("an error without a text")
			}
		}
	})
}
