package work

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"plyfit/internal/disk"
)

// A HeldError reports that another process is working on a file or directory.
type HeldError struct {
	Path string // file or directory in use
	owner
}

// An owner is the content of a lock file. The content only informs users. The lock itself belongs
// to the operating system, which releases it when the process ends.
type owner struct {
	PID   int    `json:"pid"`
	Host  string `json:"host"`
	Since string `json:"since"` // start time of the process, according to its machine's clock
	// Progress is the progress most recently reported by [writeProgress].
	Progress *Progress `json:"progress,omitempty"`
}

// Progress is the state of a task in progress.
type Progress struct {
	Done  int64  `json:"done"`  // number of finished steps
	Total int64  `json:"total"` // total number of steps; 0 if unknown
	Text  string `json:"text"`  // line shown in the terminal
}

// lockFiles contains the open lock files of this process by name.
var lockFiles sync.Map

// writeProgress records the progress in the lock file of a directory or file, so that other
// processes can read it with [AtWork]. It does nothing if this process does not hold the lock.
func writeProgress(path string, p Progress) {
	name := lockName(os.Stat, path)
	if f, ours := lockFiles.Load(name); ours {
		writeOwner(f.(*os.File), &p)
	}
}

// ProgressWriter returns a function that records progress in the lock file of path. The function
// has the type required by a progress bar.
func ProgressWriter(path string) func(done, total int64, text string) {
	return func(done, total int64, text string) { writeProgress(path, Progress{done, total, text}) }
}

// AtWork returns the progress of the process that is working on a file or directory. The parameter
// path is relative to root. ok is false if no process is working there, as far as this machine can
// determine. p is nil if the process has not reported any progress.
func AtWork(root *os.Root, path string) (p *Progress, ok bool) {
	name := lockName(root.Stat, path)
	text, err := disk.ReadIn(root, name, 1<<16)
	var o owner
	if err != nil || json.Unmarshal(text, &o) != nil {
		return nil, false
	}
	if host, _ := os.Hostname(); o.Host == host && !alive(o.PID) {
		return nil, false
	}
	return o.Progress, true
}

func writeOwner(f *os.File, p *Progress) error {
	host, _ := os.Hostname()
	text, err := json.Marshal(owner{os.Getpid(), host, began, p})
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if _, err := f.WriteAt(text, 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(text)))
}

var began = time.Now().UTC().Format(time.RFC3339)

func (e *HeldError) Error() string {
	who := "another process"
	if e.PID > 0 {
		who = fmt.Sprintf("process %d on %s", e.PID, e.Host)
	}
	since := ""
	if e.Since != "" {
		since = " since " + e.Since
	}
	return fmt.Sprintf("%s: in use by %s%s; use another path or wait until that process ends; to share a job among processes, use --cluster", e.Path, who, since)
}

// errHeld is the error of lockFile if another process holds the lock.
var errHeld = errors.New("lock is held")

const lockEnding = ".lock"

// Transient reports whether name is the name of a lock file or a temporary file. A process leaves
// such files behind only if it is killed.
func Transient(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, lockEnding) || disk.Leftover(name)
}

// Empty returns an error if dir contains any files other than those named in exceptions and those for
// which [Transient] returns true. The other parameters are for the error message: lacks is the
// missing file, and wanted describes a directory that can be used instead.
func Empty(dir, lacks, wanted string, exceptions ...string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); !Transient(name) && !slices.Contains(exceptions, name) {
			return fmt.Errorf("%s: contains %s but no %s; use an empty directory or %s", dir, name, lacks, wanted)
		}
	}
	return nil
}

// lockName returns the name of the lock file for path. The lock file is inside path if path is a
// directory, and next to path otherwise.
func lockName(stat func(string) (fs.FileInfo, error), path string) string {
	if info, err := stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, ".plyfit"+lockEnding)
	}
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+lockEnding)
}

// Hold locks a file or directory against other processes. The lock lasts until release is called or
// the process ends for any reason. If path is a file, it need not exist, but its directory must.
// Hold does not wait: if another process holds the lock, it returns a [HeldError].
func Hold(path string) (release func(), err error) {
	name := lockName(os.Stat, path)
	f, err := lockFile(name)
	switch {
	case errors.Is(err, errHeld):
		return nil, &HeldError{path, readOwner(name)}
	case errors.Is(err, errors.ErrUnsupported):
		return nil, fmt.Errorf("%s: the file system does not support locks; use a directory on another file system: %w", path, err)
	case err != nil:
		return nil, fmt.Errorf("%s: cannot create a lock file; use a path that is writable: %w", path, err)
	}
	if err := writeOwner(f, nil); err != nil {
		unlockFile(f)
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	lockFiles.Store(name, f)
	return func() {
		lockFiles.Delete(name)
		unlockFile(f)
	}, nil
}

// readOwner returns the owner of the lock with the given name, or the zero owner if the file does
// not become readable within 100 ms.
func readOwner(name string) (o owner) {
	for range 20 { // the holder may not have written the file yet
		if text, err := os.ReadFile(name); err == nil && json.Unmarshal(text, &o) == nil {
			return o
		}
		time.Sleep(5 * time.Millisecond)
	}
	return owner{}
}

// Alone creates dir if necessary, removes temporary files that killed processes left in it, and
// calls do while holding the lock on dir. If it fails, it removes the directories that it created,
// provided that they are empty.
func Alone(dir string, do func() error) (err error) {
	made, err := makeFolder(dir)
	defer func() {
		if err != nil {
			for _, d := range made { // innermost first; os.Remove fails if a directory is not empty
				os.Remove(d)
			}
		}
	}()
	if err != nil {
		return err
	}
	release, err := Hold(dir)
	if err != nil {
		return err
	}
	defer release()
	if err := disk.RemoveLeftovers(dir); err != nil {
		return err
	}
	return do()
}

// makeFolder is like os.MkdirAll but also returns the directories that it created, innermost first.
func makeFolder(dir string) (made []string, err error) {
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); !errors.Is(err, fs.ErrNotExist) || d == filepath.Dir(d) {
			break
		}
		made = append(made, d)
	}
	return made, os.MkdirAll(dir, 0o777)
}
