package lease

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"plyfit/internal/atomicfile"
)

// Claims are the leases of this process on units of a job: each unit is one
// process's at a time. They lie in a folder of their own, which is there only
// while somebody works.
//
// Nobody waits for the owner of a unit: one on another machine is taken for dead
// once its lease was the same for [Expiry], from one asking to another.
type Claims struct {
	dir string

	mu   sync.Mutex
	seen map[string]observation // leases of other machines, by path
	held map[string]*Lease
}

// observation is a lease as it was first seen.
type observation struct {
	text string
	at   time.Time // by the machine's steady clock
}

// NewClaims are no claims yet, in dir, which need not be there.
func NewClaims(dir string) *Claims {
	return &Claims{dir: dir, seen: map[string]observation{}, held: map[string]*Lease{}}
}

// Try claims the unit of that name, and reports whether it is ours now: where a
// living process has it, it is not.
func (c *Claims) Try(ctx context.Context, name string) (ours bool, err error) {
	const attempts = 3 // the folder goes when the work of others ends
	for range attempts {
		if err = os.MkdirAll(c.dir, 0o777); err != nil {
			return false, err
		}
		var l *Lease
		l, err = take(ctx, &Lease{what: name, dir: c.dir, name: name, beats: c.beats})
		var held *HeldError
		switch {
		case err == nil:
			c.mu.Lock()
			defer c.mu.Unlock()
			c.held[name] = l
			return true, nil
		case errors.As(err, &held):
			return false, nil
		case !errors.Is(err, fs.ErrNotExist):
			return false, err
		}
	}
	return false, err
}

// beats implements [beats] without waiting.
func (c *Claims) beats(_ context.Context, path, text string) (alive bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, known := c.seen[path]
	if !known || before.text != text {
		c.seen[path] = observation{text, time.Now()}
		return true, nil
	}
	if time.Since(before.at) < Expiry {
		return true, nil
	}
	delete(c.seen, path)
	return false, nil
}

// Release gives the claim up. One that was lost meanwhile is no error: the unit
// is worked out once more, with the same result.
func (c *Claims) Release(name string) {
	c.mu.Lock()
	l := c.held[name]
	delete(c.held, name)
	c.mu.Unlock()
	if l != nil {
		l.Release()
	}
}

// Close gives up all claims, and takes the folder away where nobody else has any:
// what the dead of this machine have left there goes before.
func (c *Claims) Close() {
	c.mu.Lock()
	held := c.held
	c.held = map[string]*Lease{}
	c.mu.Unlock()
	for _, l := range held {
		l.Release()
	}
	c.clean()
	os.Remove(c.dir) // stays where it is not empty
}

// clean takes away the temporary files and the claims of those who were killed.
// What cannot be removed harms nobody.
func (c *Claims) clean() {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return
	}
	atomicfile.Clean(c.dir)
	for _, e := range entries {
		if !Is(e.Name()) {
			continue
		}
		name := strings.TrimSuffix(e.Name()[1:], suffix)
		name = strings.TrimSuffix(name, filepath.Ext(name)) // the number
		// A dead one's claim goes when the unit is claimed, and at no other time,
		// lest that of a living one goes instead.
		if ours, err := c.Try(context.Background(), name); err == nil && ours {
			c.Release(name)
		}
	}
}
