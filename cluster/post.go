package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"plyfit/work"
)

// A posting is the entry of a job in the bucket of jobs.
type posting struct {
	Job  json.RawMessage `json:"job"` // as written by [work.Job.Canonical]
	Host string          `json:"host"`
}

// post uploads a job and the files that the hub lacks.
func (l *Link) post(ctx context.Context, job *work.Job, files work.Files) error {
	for name, digest := range job.Files {
		if err := l.store(ctx, name, digest, files); err != nil {
			return err
		}
	}
	host, _ := os.Hostname()
	text, err := json.Marshal(posting{Job: job.Canonical(), Host: host})
	if err != nil {
		return fmt.Errorf("job %.12s: %w", job.Name(), err)
	}
	create := in(l.js.KeyValue, jobBucket, func(ctx context.Context, jobs jetstream.KeyValue) error {
		_, err := jobs.Create(ctx, job.Name(), text)
		if errors.Is(err, jetstream.ErrKeyExists) {
			return nil
		}
		return err
	})
	return l.retry(ctx, "post the job", create)
}

func (l *Link) store(ctx context.Context, name, digest string, files work.Files) error {
	var data []byte // read only if needed, and only once
	put := in(l.js.ObjectStore, fileBucket, func(ctx context.Context, bucket jetstream.ObjectStore) (err error) {
		if _, err := bucket.GetInfo(ctx, digest); !errors.Is(err, jetstream.ErrObjectNotFound) {
			return err
		}
		if data == nil {
			if data, err = files.Read(digest); err != nil {
				return permanent{fmt.Errorf("%s: %w", name, err)}
			}
		}
		_, err = bucket.PutBytes(ctx, digest, data)
		return err
	})
	return l.retryWithin(ctx, bulk, "store "+name, put)
}

// errNotPosted means that a job has ended or that the hub has lost it.
var errNotPosted = errors.New("job is not posted")

// posted reads a job from the hub. It returns errNotPosted if there is none.
func (l *Link) posted(ctx context.Context, name string) (p posting, job *work.Job, build work.Build, err error) {
	read := in(l.js.KeyValue, jobBucket, func(ctx context.Context, jobs jetstream.KeyValue) error {
		entry, err := jobs.Get(ctx, name)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return permanent{fmt.Errorf("%w: %.12s", errNotPosted, name)}
		}
		if err != nil {
			return err
		}
		if err = json.Unmarshal(entry.Value(), &p); err == nil {
			job, build, err = work.ParseJob(p.Job)
		}
		if err == nil && work.Digest(p.Job) != name {
			err = fmt.Errorf("its SHA-256 is %.12s", work.Digest(p.Job))
		}
		if err != nil {
			return permanent{fmt.Errorf("job %.12s: %w", name, err)}
		}
		return nil
	})
	err = l.retry(ctx, "read the job", read)
	return p, job, build, err
}

// isPosted reports whether a job is on the hub. It returns true if the hub does not answer.
func (l *Link) isPosted(ctx context.Context, name string) bool {
	err := l.call(ctx, in(l.js.KeyValue, jobBucket, func(ctx context.Context, jobs jetstream.KeyValue) error {
		_, err := jobs.Get(ctx, name)
		return err
	}))
	return !errors.Is(err, jetstream.ErrKeyNotFound)
}

// named returns the full name of the posted job with the given prefix. There must be exactly one
// such job.
func (l *Link) named(ctx context.Context, prefix string) (name string, err error) {
	list := in(l.js.KeyValue, jobBucket, func(ctx context.Context, jobs jetstream.KeyValue) error {
		keys, err := jobs.Keys(ctx)
		if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
			return err
		}
		var found []string
		for _, key := range keys {
			if strings.HasPrefix(key, prefix) {
				found = append(found, key)
			}
		}
		if len(found) != 1 {
			return permanent{fmt.Errorf("job %s: %d jobs on the hub have this prefix; want the prefix of exactly one job", prefix, len(found))}
		}
		name = found[0]
		return nil
	})
	err = l.retry(ctx, "list the jobs", list)
	return name, err
}

// readyInterval is the interval between checks for more units that are ready.
const readyInterval = 100 * time.Millisecond

// batch is the number of units published before waiting for acknowledgements.
const batch = 256

// publish publishes ready units in order while the window has room.
func (d *run) publish(ctx context.Context) error {
	tick := time.NewTicker(readyInterval)
	defer tick.Stop()
	for {
		for {
			units := d.next()
			if len(units) == 0 {
				break
			}
			if err := d.offer(ctx, units); err != nil {
				return err
			}
		}
		d.mu.Lock()
		over := d.done+len(d.dead) == len(d.r.Units)
		d.mu.Unlock()
		if over {
			return errFinished
		}
		select {
		case <-ctx.Done():
			return nil
		case <-d.changed:
		case <-tick.C:
		}
	}
}

func (d *run) next() (units []int) {
	for len(d.left) > 0 && len(units) < batch {
		unit := d.left[0]
		d.mu.Lock()
		state, full := d.state[unit], d.out+len(units) >= d.window
		d.mu.Unlock()
		if state != waiting { // its result was already on the hub
			d.left = d.left[1:]
			continue
		}
		if full || d.r.Ready != nil && !d.r.Ready(unit) {
			break
		}
		d.left = d.left[1:]
		units = append(units, unit)
	}
	return units
}

// offer publishes units. A unit that is already on the hub counts as published. Failures are
// ignored here, because survey finds the missing units.
func (d *run) offer(ctx context.Context, units []int) error {
	if err := d.retry(ctx, "reach the hub", func(ctx context.Context) error {
		_, err := d.js.Stream(ctx, workStream)
		return err
	}); err != nil {
		return err
	}
	answers := make([]jetstream.PubAckFuture, 0, len(units))
	for _, unit := range units {
		d.mark(unit, published)
		answer, err := d.js.PublishMsgAsync(d.message(unit))
		if err == nil {
			answers = append(answers, answer)
		}
	}
	late := time.NewTimer(deadline)
	defer late.Stop()
	for _, answer := range answers {
		select {
		case <-answer.Ok():
		case <-answer.Err():
		case <-late.C:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}
