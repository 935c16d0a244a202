package work

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// An Executor computes units in other processes, usually on other machines.
type Executor interface {
	// Run computes all units in r.Units instead of [Pool.Run]. r.Job and r.Files must be set. The
	// other process uses a [Kind] to reconstruct the units from the job and its files.
	//
	// Each result that passes r.Audit is stored with r.Put. A unit may be stored twice, with the
	// same result. Run observes r.Ready for each unit in the order of r.Units, and calls r.There
	// once per unit. It does not call r.Part.
	//
	// Run returns the first error, or the cause of ctx if ctx is done. Units that have not started
	// by then are abandoned.
	Run(ctx context.Context, r Run) error
}

type executorKey struct{}

// WithExecutor returns a context in which pools pass e every run that has a Job. If e is nil, all
// runs are computed in this process.
func WithExecutor(ctx context.Context, e Executor) context.Context {
	return context.WithValue(ctx, executorKey{}, e)
}

// ExecutorOf returns ctx's executor, or nil if there is none.
func ExecutorOf(ctx context.Context) Executor {
	e, _ := ctx.Value(executorKey{}).(Executor)
	return e
}

// Files provides the files that a job refers to by digest.
type Files interface {
	// Read returns the file with the given SHA-256 digest, in hexadecimal digits.
	Read(digest string) ([]byte, error)
}

// Memory holds files in memory. The keys are their SHA-256 digests.
type Memory map[string][]byte

var _ Files = Memory{}

// Add adds a file and returns its SHA-256.
func (m Memory) Add(data []byte) (digest string) {
	digest = Digest(data)
	m[digest] = data
	return digest
}

func (m Memory) Read(digest string) ([]byte, error) {
	data, ok := m[digest]
	if !ok {
		return nil, fmt.Errorf("no file with SHA-256 %s is available", digest)
	}
	return data, nil
}

// Digest returns the SHA-256 of data in hexadecimal digits.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// A Kind reconstructs the units of one kind of job in any process of the same program.
type Kind struct {
	Name string // as in Job.Kind
	// Open opens a job returned by [ParseJob]. It may read files immediately or when a unit is
	// computed. The returned Units must support the given number of concurrent calls, workers,
	// which is at least 1.
	Open func(job *Job, files Files, workers int) (Units, error)
}

// Kinds lists all kinds of jobs that a program supports.
type Kinds []Kind

// Open opens a job using the kind whose name is job.Kind. It returns an error if there is no such
// kind.
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

// Units computes the units of one job.
type Units interface {
	// Unit computes one unit. The result does not depend on the process that computes it or on the
	// number of attempts. If ctx is not done, an error is deterministic: another attempt would fail
	// in the same way.
	Unit(ctx context.Context, unit int) ([]byte, error)
	// Close releases the resources of the workers. It must not be called while a call to Unit is in
	// progress.
	Close() error
}

// NewUnits returns a Units that computes each unit of the task with one of the workers. If end is
// not nil, Close calls it.
func NewUnits[W, P any](task Task[W, P], workers []W, end func() error) Units {
	u := &localUnits[W, P]{task: task, idle: make(chan W, len(workers)), end: end}
	for _, w := range workers {
		u.idle <- w
	}
	return u
}

// localUnits computes units with the workers of this process.
type localUnits[W, P any] struct {
	task Task[W, P]
	idle chan W
	end  func() error
}

func (u *localUnits[W, P]) Unit(ctx context.Context, unit int) ([]byte, error) {
	ctx = WithExecutor(ctx, nil) // nested runs must stay in this process
	select {
	case w := <-u.idle:
		defer func() { u.idle <- w }()
		parts := make([]P, u.task.Parts(unit))
		for i := range parts {
			var err error
			if parts[i], err = u.task.Do(ctx, w, unit, i); err != nil {
				return nil, err
			}
			if ctx.Err() != nil { // a cancelled search may return without an error
				return nil, context.Cause(ctx)
			}
		}
		return u.task.Join(unit, parts)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (u *localUnits[W, P]) Close() error {
	if u.end == nil {
		return nil
	}
	return u.end()
}
