package cluster

import (
	"context"
	"errors"
	"sync"

	"plyfit/work"
)

// mostOpen is how many jobs a worker keeps ready at a time: models and transposition
// tables take memory.
const mostOpen = 2

// errStopped says that no one wants the rest of a job.
var errStopped = errors.New("its job is over")

// openJobs are the jobs that a process is ready to work at.
type openJobs struct {
	worker *Worker
	kept   *keptFiles

	mu   sync.Mutex
	jobs map[string]*openJob
	tick int
}

type openJob struct {
	name  string
	units work.Units
	ctx   context.Context // ends with the job
	end   context.CancelCauseFunc
	ready chan struct{} // closed once units and err are set
	err   error
	users int
	used  int // when, in ticks
}

func newOpenJobs(w *Worker) *openJobs {
	return &openJobs{worker: w, kept: newKeptFiles(), jobs: map[string]*openJob{}}
}

// open is a job, made ready if it is not; [openJobs.leave] gives it back.
func (j *openJobs) open(ctx context.Context, name string) (*openJob, error) {
	j.mu.Lock()
	j.tick++
	o := j.jobs[name]
	first := o == nil
	if first {
		o = &openJob{name: name, ready: make(chan struct{})}
		o.ctx, o.end = context.WithCancelCause(ctx)
		j.jobs[name] = o
	}
	o.users++
	o.used = j.tick
	j.mu.Unlock()
	if first {
		o.units, o.err = j.make(o.ctx, name)
		close(o.ready)
		j.spare()
	}
	select {
	case <-o.ready:
	case <-ctx.Done():
	}
	err := o.err
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		j.mu.Lock()
		if j.jobs[name] == o {
			delete(j.jobs, name) // the next one tries again
		}
		j.mu.Unlock()
		j.leave(o)
		return nil, err
	}
	return o, nil
}

// make makes the units of a job again.
func (j *openJobs) make(ctx context.Context, name string) (work.Units, error) {
	w := j.worker
	p, job, build, err := w.Link.posted(ctx, name)
	if err != nil {
		return nil, err
	}
	if build != w.build {
		w.decline(name, build)
		return nil, errOtherBuild
	}
	w.Link.Log.Info("job opened", "job", Short(name), "kind", job.Kind, "world", job.World, "coordinator", readable(p.Host))
	units, err := w.Kinds.Open(job, hubFiles{w.Link, ctx, j.kept}, max(1, w.Workers))
	if err != nil {
		return nil, err
	}
	return jobUnits{units, job}, nil
}

// jobUnits are the units of a job, and no others.
type jobUnits struct {
	work.Units
	job *work.Job
}

func (u jobUnits) Unit(ctx context.Context, unit int) ([]byte, error) {
	if err := u.job.Lacks(unit); err != nil {
		return nil, err
	}
	return u.Units.Unit(ctx, unit)
}

// leave says that a user needs a job no longer.
func (j *openJobs) leave(o *openJob) {
	j.mu.Lock()
	o.users--
	gone := o.users == 0 && j.jobs[o.name] != o
	j.mu.Unlock()
	if gone {
		o.close()
	}
}

// spare closes the jobs that were not used for longest, where there are too many.
func (j *openJobs) spare() {
	j.mu.Lock()
	var closing []*openJob
	for len(j.jobs) > mostOpen {
		var oldest *openJob
		for _, o := range j.jobs {
			if o.users == 0 && (oldest == nil || o.used < oldest.used) {
				oldest = o
			}
		}
		if oldest == nil {
			break
		}
		delete(j.jobs, oldest.name)
		closing = append(closing, oldest)
	}
	j.mu.Unlock()
	for _, o := range closing {
		o.close()
	}
}

func (j *openJobs) stop(name string) {
	j.mu.Lock()
	o := j.jobs[name]
	delete(j.jobs, name)
	idle := o != nil && o.users == 0
	j.mu.Unlock()
	if o == nil {
		return
	}
	o.end(errStopped)
	if idle {
		o.close()
	}
}

// close closes all that is open; no one uses it any more.
func (j *openJobs) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, o := range j.jobs {
		o.close()
	}
	clear(j.jobs)
}

func (o *openJob) close() {
	o.end(nil)
	<-o.ready
	if o.units != nil {
		_ = o.units.Close()
	}
}
