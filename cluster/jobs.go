package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"plyfit/internal/lru"
	"plyfit/internal/text"
	"plyfit/work"
)

// mostOpen is the maximum number of jobs that a worker keeps open, unless more are in use. The
// number is small because models and transposition tables need memory.
const mostOpen = 2

// errStopped is the cancellation cause for units of a job that has ended.
var errStopped = errors.New("its job has ended")

// openJobs contains the jobs that a process has open.
type openJobs struct {
	worker *Worker
	kept   *keptFiles

	mu   sync.Mutex
	jobs map[string]*openJob
	tick int
}

// An openJob is an open job with a reference count. The last user closes it; the map of open jobs
// counts as a user.
type openJob struct {
	name  string
	ctx   context.Context // cancelled when the job ends
	end   context.CancelCauseFunc
	units func() (work.Units, error) // creates the units at the first call
	users int
	used  int // tick of the last use
}

func newOpenJobs(w *Worker) *openJobs {
	kept := &keptFiles{Most: 256 << 20, Size: func(data []byte) int64 { return int64(len(data)) }}
	return &openJobs{worker: w, kept: kept, jobs: map[string]*openJob{}}
}

// open returns an open job and its units, opening the job if necessary. Unless there is an error,
// the caller must call [openJobs.leave].
func (j *openJobs) open(ctx context.Context, name string) (*openJob, work.Units, error) {
	o, spare := j.use(ctx, name)
	for _, s := range spare {
		j.leave(s)
	}
	units, err := o.units()
	if err != nil {
		j.drop(name, o, err) // the next call tries again
		j.leave(o)
	}
	return o, units, err
}

// use adds a user to a job. It returns the unused jobs that were dropped to make room, least
// recently used first.
func (j *openJobs) use(ctx context.Context, name string) (o *openJob, spare []*openJob) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tick++
	if o = j.jobs[name]; o == nil {
		o = &openJob{name: name, users: 1}
		o.ctx, o.end = context.WithCancelCause(ctx)
		o.units = sync.OnceValues(func() (work.Units, error) { return j.make(o.ctx, name) })
		j.jobs[name] = o
	}
	o.users++
	o.used = j.tick
	for len(j.jobs) > mostOpen {
		var oldest *openJob
		for _, other := range j.jobs {
			if other.users == 1 && (oldest == nil || other.used < oldest.used) {
				oldest = other
			}
		}
		if oldest == nil {
			break
		}
		delete(j.jobs, oldest.name)
		spare = append(spare, oldest)
	}
	return o, spare
}

// make creates the units of a job.
func (j *openJobs) make(ctx context.Context, name string) (work.Units, error) {
	w := j.worker
	p, job, build, err := w.Link.posted(ctx, name)
	if err != nil {
		return nil, err
	}
	if build != w.build {
		b := readableBuild(build)
		return nil, fmt.Errorf("the job belongs to a different build, %s %s; this build is %s %s", b.Program, b.Arithmetic, w.build.Program, w.build.Arithmetic)
	}
	host := text.Printable(p.Host)
	w.Link.Log.Info("job opened", "job", Short(name), "kind", job.Kind, "world", job.World, "coordinator", host)
	units, err := w.Kinds.Open(job, hubFiles{w.Link, ctx, j.kept}, max(1, w.Workers))
	if err != nil {
		return nil, err
	}
	return jobUnits{units, job}, nil
}

// jobUnits rejects units that are not part of the job.
type jobUnits struct {
	work.Units
	job *work.Job
}

func (u jobUnits) Unit(ctx context.Context, unit int) ([]byte, error) {
	if err := u.job.CheckUnit(unit); err != nil {
		return nil, err
	}
	return u.Units.Unit(ctx, unit)
}

// leave removes a user from a job.
func (j *openJobs) leave(o *openJob) {
	j.mu.Lock()
	o.users--
	last := o.users == 0
	j.mu.Unlock()
	if !last {
		return
	}
	o.end(nil)
	if units, err := o.units(); err == nil {
		_ = units.Close()
	}
}

// drop removes a job by name and cancels its running units with the given cause. If the given job
// is not nil, another job with the same name is not dropped.
func (j *openJobs) drop(name string, only *openJob, why error) {
	j.mu.Lock()
	o := j.jobs[name]
	if only != nil && o != only {
		o = nil
	}
	if o != nil {
		delete(j.jobs, name)
	}
	j.mu.Unlock()
	if o != nil {
		o.end(why)
		j.leave(o)
	}
}

// close closes all open jobs. They must not have other users.
func (j *openJobs) close() {
	for _, o := range j.jobs {
		j.leave(o)
	}
	clear(j.jobs)
}

// keptFiles caches a process's most recent files by their SHA-256, because successive matches of a
// command share models.
type keptFiles = lru.Cache[string, []byte]

type hubFiles struct {
	link *Link
	ctx  context.Context
	kept *keptFiles
}

func (f hubFiles) Read(digest string) (data []byte, err error) {
	if data := f.kept.Get(digest); data != nil {
		return data, nil
	}
	read := in(f.link.js.ObjectStore, fileBucket, func(ctx context.Context, bucket jetstream.ObjectStore) (err error) {
		data, err = bucket.GetBytes(ctx, digest)
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			return permanent{fmt.Errorf("%w: the hub has no file with SHA-256 %s", errNotPosted, digest)}
		}
		if err == nil && work.Digest(data) != digest {
			err = fmt.Errorf("want a file with the SHA-256 %s; received one with the SHA-256 %s", digest, work.Digest(data))
		}
		return err
	})
	if err = f.link.retryWithin(f.ctx, bulk, "read a file of the job", read); err == nil {
		f.kept.Put(digest, data)
	}
	return data, err
}
