package work

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Executor computes units in other processes, mostly on other machines.
type Executor interface {
	// Run works until all r.Units are put, in place of [Pool.Run]. Job and Files of r
	// are set; a [Kind] of the other process makes the units again of them.
	//
	// What comes back and passes r.Audit is put; one unit may be put twice, with the
	// same result. Part does not count. Ready is heeded, unit by unit in the order of
	// r.Units, and There is called with each unit. Run ends with the first error, and
	// with ctx, with its cause: what is not begun by then is not wanted any more.
	Run(ctx context.Context, r Run) error
}

type executorKey struct{}

// WithExecutor is a context in which pools hand over to e what other processes
// can do: runs that have a Job. nil: all stays here.
func WithExecutor(ctx context.Context, e Executor) context.Context {
	return context.WithValue(ctx, executorKey{}, e)
}

// ExecutorOf is who takes over what other processes can do; nil: all stays here.
func ExecutorOf(ctx context.Context) Executor {
	e, _ := ctx.Value(executorKey{}).(Executor)
	return e
}

// Files gives what a job names beside its JSON.
type Files interface {
	// Read is the file of that SHA-256, in hexadecimal digits.
	Read(digest string) ([]byte, error)
}

// Memory are files in memory, by their SHA-256.
type Memory map[string][]byte

var _ Files = Memory{}

// Add adds a file and returns its SHA-256.
func (m Memory) Add(data []byte) (digest string) {
	digest = Digest(data)
	m[digest] = data
	return digest
}

func (m Memory) Read(digest string) ([]byte, error) {
	data, there := m[digest]
	if !there {
		return nil, fmt.Errorf("no file of SHA-256 %s is at hand", digest)
	}
	return data, nil
}

// Digest is the SHA-256 of a file, in hexadecimal digits.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Kind makes the units of one kind of job again, in any process of the same program.
type Kind struct {
	Name string // as in Job.Kind
	// Open reads the job, as [ParseJob] returned it. It may read files then or while units are
	// computed. The units take as many calls at a time as there are workers, at least one.
	Open func(job *Job, files Files, workers int) (Units, error)
}

// Kinds are all kinds of a program.
type Kinds []Kind

// Open opens a job of any of the kinds.
func (k Kinds) Open(job *Job, files Files, workers int) (Units, error) {
	var names []string
	for _, kind := range k {
		if kind.Name == job.Kind {
			u, err := kind.Open(job, files, max(1, workers))
			if err != nil {
				return nil, fmt.Errorf("job %.12s (%s): %w", job.Name(), job.Kind, err)
			}
			return u, nil
		}
		names = append(names, kind.Name)
	}
	return nil, fmt.Errorf("job of kind %q: want one of %s", job.Kind, strings.Join(names, ", "))
}

// Units computes units of one job.
type Units interface {
	// Unit computes one unit, alone in its goroutine. The same unit has the same
	// result, no matter who computes it and however often. An error other than ctx's is
	// the unit's own: it comes again each time.
	Unit(ctx context.Context, unit int) ([]byte, error)
	// Close ends the workers, once no call is under way.
	Close() error
}

// NewUnits has the units of a task computed by workers, each by one. end is
// called by Close; nil: nothing is.
func NewUnits[W, P any](task Task[W, P], workers []W, end func() error) Units {
	u := &lent[W, P]{task: task, idle: make(chan W, len(workers)), end: end}
	for _, w := range workers {
		u.idle <- w
	}
	return u
}

// lent are the workers of a process that works for others.
type lent[W, P any] struct {
	task Task[W, P]
	idle chan W
	end  func() error
}

func (u *lent[W, P]) Unit(ctx context.Context, unit int) ([]byte, error) {
	ctx = WithExecutor(ctx, nil) // what is a part of a unit stays here
	select {
	case w := <-u.idle:
		defer func() { u.idle <- w }()
		parts := make([]P, u.task.Parts(unit))
		for i := range parts {
			var err error
			if parts[i], err = u.task.Do(ctx, w, unit, i); err != nil {
				return nil, err
			}
			if ctx.Err() != nil { // a search that was stopped says so by no error
				return nil, context.Cause(ctx)
			}
		}
		return u.task.Join(unit, parts)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (u *lent[W, P]) Close() error {
	if u.end == nil {
		return nil
	}
	return u.end()
}
