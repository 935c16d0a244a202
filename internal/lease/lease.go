// Package lease gives one process at a time the right to work on a folder or a
// file, or several processes that of working on the same job there, also among
// machines that share a file system. [Claims] are leases on the units of a job.
//
// A lease is a small file that names its owner, made under a name that only one
// process can make, .NAME.NUMBER.lease. Its owner writes one byte of it anew
// every [Beat]. Whoever finds a lease checks its owner: a process of this machine
// either runs or does not; one of another machine is taken for dead once its
// lease has not changed for [Expiry], by the finder's own watch, so that no two
// clocks are compared. A dead owner's lease is passed over by making the one
// with the next number, which again only one process can.
package lease

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"plyfit/internal/atomicfile"
	"plyfit/internal/process"
	"plyfit/internal/regular"
)

// Beat is the time between two signs of life of an owner, Expiry how long
// another machine's has to be silent before its lease is taken over: ten of them.
var (
	Beat   = 3 * time.Second
	Expiry = 30 * time.Second
)

const (
	suffix     = ".lease"
	folderName = "plyfit" // of the lease on a whole folder
	attempts   = 8        // where others try at the same moment
)

// Owner is what a lease says.
type Owner struct {
	process.ID
	Since string `json:"since"` // when it was taken, by its owner's clock; for people
	// Job is what its owner works on there; leases of one job stand side by side.
	// "": nobody else is wanted.
	Job string `json:"job,omitempty"`
}

// HeldError tells that somebody else is at work there.
type HeldError struct {
	Path  string // what is worked on
	Owner Owner
	Lease string // its file
	Job   string // that we came for, where others may work on it too
}

func (e *HeldError) Error() string {
	if e.Owner.PID == 0 {
		return fmt.Sprintf("%s: another process is at work there (%s): want another place, or the same command once it has ended", e.Path, e.Lease)
	}
	work := ""
	if e.Job != "" {
		work = " on something else (another command or build)"
	}
	return fmt.Sprintf("%s: process %d on %s is at work there since %s%s: want another place, or the same command once it has ended",
		e.Path, e.Owner.PID, e.Owner.Host, e.Owner.Since, work)
}

// Is reports whether a file of that name is a lease.
func Is(name string) bool { return strings.HasPrefix(name, ".") && strings.HasSuffix(name, suffix) }

// Lease is the right to work on one thing, until [Lease.Release].
type Lease struct {
	what  string // the folder or file
	dir   string // where the lease's file is
	name  string // of its files, without number
	job   string // "": nobody else's
	path  string // of its file
	beats beats
	file  *os.File
	size  int64

	stop   chan struct{}
	ended  sync.WaitGroup
	once   sync.Once
	mu     sync.Mutex
	lost   error
	onLost func(error)
}

// beats finds out whether a lease that is not of this machine is kept alive: text
// is what it holds now.
type beats func(ctx context.Context, path, text string) (alive bool, err error)

// TakeFile takes the lease on the file at path, whose folder must be there. Where
// somebody else holds it the error is a [HeldError]. It waits, at most [Expiry],
// only to find out whether the owner on another machine is alive.
func TakeFile(ctx context.Context, path string) (*Lease, error) {
	return take(ctx, &Lease{what: path, dir: filepath.Dir(path), name: filepath.Base(path), beats: watch})
}

// JoinFile is [TakeFile] for a job that several processes may work on at once.
func JoinFile(ctx context.Context, path, job string) (*Lease, error) {
	return take(ctx, &Lease{what: path, dir: filepath.Dir(path), name: filepath.Base(path), job: job, beats: watch})
}

// AloneWith does what one process at a time may do with the file at path, whose
// folder must be there. It waits for its turn.
func AloneWith(ctx context.Context, path string, do func() error) error {
	var l *Lease
	for {
		var held *HeldError
		var err error
		if l, err = TakeFile(ctx, path); err == nil {
			break
		} else if !errors.As(err, &held) {
			return err
		}
		select {
		case <-time.After(10*time.Millisecond + time.Duration(rand.Int64N(int64(20*time.Millisecond)))):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	err := do()
	if lost := l.Release(); err == nil {
		err = lost
	}
	return err
}

// HoldFolder makes dir where it is not there and has work done under the lease
// on it, which is nobody else's (job is "") or that of all who do the job. The
// context of work ends when the lease is lost, which happens only to a process
// that was frozen for longer than [Expiry] while another machine wanted the
// folder. A folder that it made and that is empty after a failure goes again.
func HoldFolder(ctx context.Context, dir, job string, work func(ctx context.Context) error) (err error) {
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
	l, err := take(ctx, &Lease{what: dir, dir: dir, name: folderName, job: job, beats: watch})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l.notify(cancel)
	err = atomicfile.Clean(dir)
	if err == nil {
		err = work(ctx)
	}
	if released := l.Release(); released != nil {
		return released // whatever else went wrong followed from it
	}
	return err
}

// makeFolder is os.MkdirAll that tells which folders it made, the innermost
// first.
func makeFolder(dir string) (made []string, err error) {
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); !errors.Is(err, fs.ErrNotExist) || d == filepath.Dir(d) {
			break
		}
		made = append(made, d)
	}
	return made, os.MkdirAll(dir, 0o777)
}

// take takes the lease that is described by its what, dir, name, job and beats.
func take(ctx context.Context, wanted *Lease) (*Lease, error) {
	l := wanted.fresh()
	dead := map[string]bool{} // leases whose owners are, by name and content
	for attempt := 1; ; attempt++ {
		last, err := l.others(ctx, dead)
		if err != nil {
			return nil, err
		}
		made, err := l.make(last + 1)
		if err != nil {
			return nil, err
		}
		if made {
			// Two may have found different leases dead, and made files of different
			// numbers. Each looks after it has made its own: at least one sees the
			// other, and gives way.
			l.ended.Go(l.beat)
			if _, err = l.others(ctx, dead); err == nil {
				l.removeDead(dead)
				return l, nil
			}
			l.Release()
			l = wanted.fresh()
		}
		if attempt == attempts {
			if err == nil {
				err = &HeldError{Path: l.what, Lease: l.at(last + 1)}
			}
			return nil, err
		}
		var held *HeldError
		if err != nil && !errors.As(err, &held) {
			return nil, err
		}
		select {
		case <-time.After(time.Duration(rand.Int64N(int64(20 * time.Millisecond)))):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// fresh is a lease like l that is not taken.
func (l *Lease) fresh() *Lease {
	return &Lease{what: l.what, dir: l.dir, name: l.name, job: l.job, beats: l.beats, stop: make(chan struct{})}
}

func (l *Lease) at(number int) string {
	return filepath.Join(l.dir, fmt.Sprintf(".%s.%06d%s", l.name, number, suffix))
}

// numbers are those of the leases that are there, in order.
func (l *Lease) numbers() ([]int, error) {
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		return nil, err
	}
	var found []int
	for _, e := range entries {
		text, ok := strings.CutPrefix(e.Name(), "."+l.name+".")
		if !ok {
			continue
		}
		if text, ok = strings.CutSuffix(text, suffix); !ok {
			continue
		}
		if n, err := strconv.Atoi(text); err == nil && n > 0 {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	return found, nil
}

// others checks all leases but our own: a [HeldError] where an owner lives who is
// not at the same job, else the highest number. Those of the dead are added to dead.
func (l *Lease) others(ctx context.Context, dead map[string]bool) (last int, err error) {
	numbers, err := l.numbers()
	if err != nil {
		return 0, err
	}
	for _, n := range numbers {
		last = n
		path := l.at(n)
		if path == l.path {
			continue
		}
		alive, owner, err := l.living(ctx, path, dead)
		if err != nil {
			return 0, err
		}
		if alive && !l.shares(owner) {
			return 0, &HeldError{Path: l.what, Owner: owner, Lease: path, Job: owner.Job}
		}
	}
	return last, nil
}

// Sole reports whether there is no other lease beside this one, not even a dead
// one's.
func (l *Lease) Sole() bool {
	numbers, err := l.numbers()
	return err == nil && len(numbers) == 1 && l.Lost() == nil
}

// shares reports whether owner works on the same job.
func (l *Lease) shares(owner Owner) bool { return l.job != "" && owner.Job == l.job }

// abandoned is the age from which on the lease of one who works on the same job
// on another machine counts as left behind. Nobody waits to find out earlier.
const abandoned = 24 * time.Hour

// living checks the owner of one lease.
func (l *Lease) living(ctx context.Context, path string, dead map[string]bool) (alive bool, owner Owner, err error) {
	text, err := content(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, owner, nil // released just now
	}
	if err != nil {
		return false, owner, err
	}
	key := path + "\x00" + text
	if dead[key] {
		return false, owner, nil
	}
	state := process.Unknown
	content, _, _ := strings.Cut(text, "\x00")
	if json.Unmarshal([]byte(content), &owner) == nil && owner.PID > 0 {
		state = owner.State()
	} else {
		owner = Owner{}
	}
	if state == process.Unknown && l.shares(owner) {
		if info, err := os.Stat(path); err != nil || time.Since(info.ModTime()) < abandoned {
			return true, owner, nil
		}
		state = process.Gone
	}
	if state == process.Unknown {
		alive, err := l.beats(ctx, path, text)
		if err != nil || alive {
			return alive, owner, err
		}
		state = process.Gone
	}
	if state == process.Gone {
		dead[key] = true
	}
	return state == process.Running, owner, nil
}

// content is what a lease holds and when it was written. It is opened each
// time, which is when network file systems ask their server.
func content(path string) (string, error) {
	f, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	text := make([]byte, min(info.Size(), 4096))
	n, err := f.ReadAt(text, 0)
	if n < len(text) && err != nil {
		return "", err
	}
	return fmt.Sprintf("%s\x00%d", text, info.ModTime().UnixNano()), nil
}

// watch reports whether a lease changes within Expiry; one that disappears
// belongs to nobody any more, and so counts as unchanged.
func watch(ctx context.Context, path, before string) (changed bool, err error) {
	tick := time.NewTicker(Beat / 3)
	defer tick.Stop()
	end := time.NewTimer(Expiry) // by the machine's steady clock, which nobody sets
	defer end.Stop()
	for {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-end.C:
			return false, nil
		case <-tick.C:
		}
		now, err := content(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return false, nil
		case err != nil:
			return false, err
		case now != before:
			return true, nil
		}
	}
}

// make makes the lease of that number; made is false where somebody else was
// first.
func (l *Lease) make(number int) (made bool, err error) {
	text, err := json.Marshal(Owner{process.Self(), time.Now().UTC().Format(time.RFC3339), l.job})
	if err != nil {
		return false, err
	}
	text = append(text, '\n', ' ') // the last byte is the beat
	path := l.at(number)
	// Whole from the first moment: linked, not written, under its name.
	f, err := os.CreateTemp(l.dir, "."+folderName+"."+process.Self().String()+".*.tmp")
	if err != nil {
		return false, err
	}
	if _, err = f.Write(text); err == nil {
		err = os.Link(f.Name(), path)
	}
	os.Remove(f.Name())
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrExist):
		f.Close()
		return false, nil
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, fs.ErrPermission):
		// A file system without links.
		f.Close()
		if f, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644); errors.Is(err, fs.ErrExist) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if _, err := f.Write(text); err != nil {
			f.Close()
			os.Remove(path)
			return false, err
		}
	default:
		f.Close()
		return false, err
	}
	l.path, l.file, l.size = path, f, int64(len(text))
	return true, nil
}

// removeDead takes the leases of the dead away. While ours stands nobody makes
// one of their names anew.
func (l *Lease) removeDead(dead map[string]bool) {
	for key := range dead {
		path, _, _ := strings.Cut(key, "\x00")
		if now, err := content(path); err == nil && path+"\x00"+now == key {
			os.Remove(path)
		}
	}
}

// beat gives signs of life, and finds out where the lease was taken away.
func (l *Lease) beat() {
	tick := time.NewTicker(Beat)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-l.stop:
			return
		case <-tick.C:
		}
		if !l.ours() {
			l.lose()
			return
		}
		// Where this fails, others may take over, and the next round finds out.
		l.file.WriteAt([]byte{" \n"[n%2]}, l.size-1)
	}
}

func (l *Lease) lose() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost = fmt.Errorf("%s: another process has taken it over while this one stood still: want the same command once that has ended", l.what)
	if l.onLost != nil {
		l.onLost(l.lost)
	}
}

// ours reports whether the lease's file is still the one that we made.
func (l *Lease) ours() bool {
	mine, err := l.file.Stat()
	if err != nil {
		return true // it cannot be told
	}
	there, err := os.Stat(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return err != nil || os.SameFile(mine, there)
}

// notify has f told when the lease is lost.
func (l *Lease) notify(f func(error)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.onLost = f
	if l.lost != nil {
		f(l.lost)
	}
}

// Lost is an error once another process has taken the lease over.
func (l *Lease) Lost() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// Release gives the lease up. It is an error that it was lost before.
func (l *Lease) Release() error {
	l.once.Do(func() {
		close(l.stop)
		l.ended.Wait()
		ours := l.ours()
		l.file.Close()
		if ours {
			os.Remove(l.path)
		} else {
			l.lose()
		}
	})
	return l.Lost()
}
