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

// HeldError tells that another process is at work on a folder or file.
type HeldError struct {
	Path string // what is worked on
	owner
}

// owner is what a lock's file says, for people: the lock is the system's, and goes
// with the process.
type owner struct {
	PID   int    `json:"pid"`
	Host  string `json:"host"`
	Since string `json:"since"` // by that machine's clock
	// Progress is how far the work is, as [tell] last reported.
	Progress *Progress `json:"progress,omitempty"`
}

// Progress is how far some work is.
type Progress struct {
	Done  int64  `json:"done"`
	Total int64  `json:"total"` // 0: unknown
	Text  string `json:"text"`  // the line of the terminal
}

// held are the files of the locks of this process, by their names.
var held sync.Map

// tell writes into the lock of a folder or file how far the work there is, for others to
// read by [AtWork]. Where this process does not hold it, nothing happens.
func tell(path string, p Progress) {
	name := lockName(os.Stat, path)
	if f, ours := held.Load(name); ours {
		writeOwner(f.(*os.File), &p)
	}
}

// Teller is what tells by [tell], as a bar of progress wants it.
func Teller(path string) func(done, total int64, text string) {
	return func(done, total int64, text string) { tell(path, Progress{done, total, text}) }
}

// AtWork reads how far the process is that is at work on a folder or file: ok is false
// where none is, as far as this machine can tell. root has the path.
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
	return fmt.Sprintf("%s: %s is at work there%s: want another place, or the same command once it has ended; --cluster shares a job among processes", e.Path, who, since)
}

// errHeld is what lockFile says where another one has the lock.
var errHeld = errors.New("is held")

const lockEnding = ".lock"

// Passing reports whether a file of that name is a lock, or a file that is being
// written: what a process at work has in a folder and takes away.
func Passing(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, lockEnding) || disk.Leftover(name)
}

// Empty refuses a folder that holds anything but files of the names besides and [Passing] ones. The
// error names the missing file, lacks, and the folder that is wanted instead.
func Empty(dir, lacks, wanted string, besides ...string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); !Passing(name) && !slices.Contains(besides, name) {
			return fmt.Errorf("%s: holds %s, but no %s: want an empty folder or %s", dir, name, lacks, wanted)
		}
	}
	return nil
}

// lockName is the file whose lock is that on path: in a folder, or beside a file.
func lockName(stat func(string) (fs.FileInfo, error), path string) string {
	if info, err := stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, ".plyfit"+lockEnding)
	}
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+lockEnding)
}

// Hold keeps other processes from the folder at path, or from the file, whose folder
// must be there, until release is called or the process ends, however it ends. It does
// not wait: where another process is at work there the error is a [HeldError].
func Hold(path string) (release func(), err error) {
	name := lockName(os.Stat, path)
	f, err := lockFile(name)
	switch {
	case errors.Is(err, errHeld):
		return nil, &HeldError{path, ownerAt(name)}
	case errors.Is(err, errors.ErrUnsupported):
		return nil, fmt.Errorf("%s: its file system has no locks, which keep two processes apart: want a folder on another one: %w", path, err)
	case err != nil:
		return nil, fmt.Errorf("%s: want a place that can be written to: %w", path, err)
	}
	if err := writeOwner(f, nil); err != nil {
		unlockFile(f)
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	held.Store(name, f)
	return func() {
		held.Delete(name)
		unlockFile(f)
	}, nil
}

// ownerAt is who holds the lock of that name, as far as it says so soon.
func ownerAt(name string) (o owner) {
	for range 20 { // it may be about to write
		if text, err := os.ReadFile(name); err == nil && json.Unmarshal(text, &o) == nil {
			return o
		}
		time.Sleep(5 * time.Millisecond)
	}
	return owner{}
}

// Alone makes dir where it is not there, removes what killed processes left
// half-written in it, and has do done while no other process is at work there. A
// folder that it made and that is empty after a failure goes again.
func Alone(dir string, do func() error) (err error) {
	made, err := makeFolder(dir)
	defer func() {
		if err != nil {
			for _, d := range made { // the innermost first; one that holds anything stays
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

// makeFolder is os.MkdirAll that tells which folders it made, the innermost first.
func makeFolder(dir string) (made []string, err error) {
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); !errors.Is(err, fs.ErrNotExist) || d == filepath.Dir(d) {
			break
		}
		made = append(made, d)
	}
	return made, os.MkdirAll(dir, 0o777)
}
