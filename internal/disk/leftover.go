package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// temporary is the pattern of temporary files for the file base, for os.CreateTemp:
// .BASE.NUMBER.tmp.
func temporary(base string) string {
	const most = 128 // of a name's 255 bytes
	return "." + base[:min(len(base), most)] + ".*.tmp"
}

// Leftover reports whether a file of that name is a temporary file of a running or killed Write.
func Leftover(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".tmp")
}

// Clean removes the temporary files from dir, which no other process may be using.
func Clean(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if Leftover(e.Name()) && !e.IsDir() {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return err
}
