package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"plyfit/internal/process"
)

// abandoned is the age from which on a temporary file counts as left behind
// where nobody here can tell whether its owner still runs: no file takes a day
// to write.
const abandoned = 24 * time.Hour

// temporary is the pattern, as os.CreateTemp takes it, of the temporary files
// for the file base: .BASE.OWNER.NUMBER.tmp.
func temporary(base string) string {
	const most = 128 // of a name's 255 bytes
	if len(base) > most {
		base = base[:most]
	}
	return "." + base + "." + process.Self().String() + ".*.tmp"
}

// Leftover reports whether a file of that name is a temporary file of a Write,
// under way or killed.
func Leftover(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".tmp")
}

// owner is the process that made a temporary file; those of versions before
// this one do not tell.
func owner(name string) (process.ID, bool) {
	parts := strings.Split(name, ".")
	if len(parts) < 4 {
		return process.ID{}, false
	}
	return process.Parse(parts[len(parts)-3])
}

// Clean removes from dir the temporary files of processes that are gone, and
// those a day old whose owners run elsewhere or are not known. What a living
// process of this machine is writing is never touched.
func Clean(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !Leftover(e.Name()) || e.IsDir() {
			continue
		}
		state := process.Unknown
		if id, ok := owner(e.Name()); ok {
			state = id.State()
		}
		if state == process.Unknown {
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue // its owner has finished
			}
			if err != nil {
				return err
			}
			if time.Since(info.ModTime()) > abandoned {
				state = process.Gone
			}
		}
		if state != process.Gone {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
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
		Clean(dir) // a leftover that cannot be removed harms nobody
	}
}
