package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// abandoned is the age from which on a temporary file counts as left behind in a folder
// that other processes may write into: no file takes a day to write.
const abandoned = 24 * time.Hour

// temporary is the pattern, as os.CreateTemp takes it, of the temporary files
// for the file base: .BASE.NUMBER.tmp.
func temporary(base string) string {
	const most = 128 // of a name's 255 bytes
	if len(base) > most {
		base = base[:most]
	}
	return "." + base + ".*.tmp"
}

// Leftover reports whether a file of that name is a temporary file of a Write,
// under way or killed.
func Leftover(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".tmp")
}

// Clean removes the temporary files from dir, in which no other process is at work.
func Clean(dir string) error { return clean(dir, 0) }

// clean removes temporary files of that age.
func clean(dir string, age time.Duration) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !Leftover(e.Name()) || e.IsDir() {
			continue
		}
		info, err := e.Info()
		if err == nil && time.Since(info.ModTime()) >= age {
			err = os.Remove(filepath.Join(dir, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// cleaned are the folders that this process has written into: the first Write
// takes away what killed ones have left there.
var cleaned sync.Map

func cleanOnce(dir string) {
	if _, before := cleaned.LoadOrStore(dir, true); !before {
		clean(dir, abandoned) // a leftover that cannot be removed does no harm
	}
}
