package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"plyfit/work"
)

const (
	workStream = "PLYFIT_WORK" // units to compute, until they are done
	doneStream = "PLYFIT_DONE" // results, until the coordinator has stored them
	deadStream = "PLYFIT_DEAD" // units that were given up

	jobBucket    = "plyfit-jobs"    // descriptions of jobs
	signBucket   = "plyfit-signs"   // heartbeats of workers and coordinators
	fileBucket   = "plyfit-files"   // models, books and shards, by SHA-256
	resultBucket = "plyfit-results" // results too large for a message
)

const (
	// retention is the time after which the hub deletes messages and files that are not renewed.
	retention = 7 * 24 * time.Hour
	// heartbeatTimeout is the time without a heartbeat after which a process is considered gone.
	heartbeatTimeout = 30 * time.Second
)

// class returns the subject token for the workers of a build.
func class(b work.Build) string {
	return work.Digest([]byte(b.Program + "\n" + b.Arithmetic))[:16]
}

// Each subject of these streams has at most one message. A unit is specified by its number or by
// allUnits.
func workSubject(class, job string, unit any) string {
	return fmt.Sprintf("plyfit.work.%s.%s.%v", class, job, unit)
}
func doneSubject(job string, unit any) string { return fmt.Sprintf("plyfit.done.%s.%v", job, unit) }
func deadSubject(job string, unit any) string { return fmt.Sprintf("plyfit.dead.%s.%v", job, unit) }

// allUnits is a wildcard for all units of a job.
const allUnits = "*"

// Messages on the following two subjects are not stored. They reach all current subscribers.
func stopSubject(job string) string { return "plyfit.stop." + job }
func signSubject(job string) string { return "plyfit.sign." + job }

// singleMessageStream returns the configuration of a stream on disk that rejects a second message
// on the same subject.
func singleMessageStream(name, subjects string) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: name, Subjects: []string{subjects}, Storage: jetstream.FileStorage, Retention: jetstream.WorkQueuePolicy,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxAge: retention,
	}
}

func streams() []jetstream.StreamConfig {
	dead := singleMessageStream(deadStream, "plyfit.dead.>")
	dead.Retention, dead.MaxMsgSize = jetstream.LimitsPolicy, maxHeartbeat
	work := singleMessageStream(workStream, "plyfit.work.>")
	work.MaxMsgSize = maxHeartbeat // the messages have only a few headers
	return []jetstream.StreamConfig{work, singleMessageStream(doneStream, "plyfit.done.>"), dead}
}

// Ensure creates the streams and buckets that the hub lacks. It does not change existing ones.
func (l *Link) Ensure(ctx context.Context) error {
	create := map[string]func(context.Context) error{}
	for _, s := range streams() {
		create[s.Name] = func(ctx context.Context) error { _, err := l.js.CreateStream(ctx, s); return err }
	}
	for _, c := range []jetstream.KeyValueConfig{
		{Bucket: jobBucket, TTL: retention},
		{Bucket: signBucket, TTL: heartbeatTimeout, MaxValueSize: maxHeartbeat},
	} {
		c.Storage = jetstream.FileStorage
		create[c.Bucket] = func(ctx context.Context) error { _, err := l.js.CreateKeyValue(ctx, c); return err }
	}
	for _, bucket := range []string{fileBucket, resultBucket} {
		c := jetstream.ObjectStoreConfig{Bucket: bucket, TTL: retention, Storage: jetstream.FileStorage}
		create[bucket] = func(ctx context.Context) error { _, err := l.js.CreateObjectStore(ctx, c); return err }
	}
	for name, f := range create {
		err := l.call(ctx, f)
		if err != nil && !isAny(err, jetstream.ErrStreamNameAlreadyInUse, jetstream.ErrBucketExists) {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// lost reports whether an error means that the hub has lost a stream, a bucket or a consumer.
func lost(err error) bool {
	return isAny(err, jetstream.ErrStreamNotFound, jetstream.ErrBucketNotFound, jetstream.ErrConsumerNotFound,
		jetstream.ErrConsumerDeleted, jetstream.ErrConsumerDoesNotExist, jetstream.ErrNoStreamResponse, jetstream.ErrNoHeartbeat,
		nats.ErrNoResponders)
}

func isAny(err error, all ...error) bool {
	return slices.ContainsFunc(all, func(e error) bool { return errors.Is(err, e) })
}

// occupied reports whether an error means that a subject already has its message.
func occupied(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && strings.Contains(api.Description, "maximum messages per subject exceeded")
}

// units returns the units of a job that have messages in a stream.
func (l *Link) units(ctx context.Context, stream, filter string) (map[int]bool, error) {
	units := map[int]bool{}
	err := l.call(ctx, in(l.js.Stream, stream, func(ctx context.Context, s jetstream.Stream) error {
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(filter))
		if err != nil {
			return err
		}
		for subject := range info.State.Subjects {
			if _, unit, ok := unitOf(subject); ok {
				units[unit] = true
			}
		}
		return nil
	}))
	return units, err
}

func (l *Link) purge(ctx context.Context, stream, subjects string) error {
	return l.call(ctx, in(l.js.Stream, stream, func(ctx context.Context, s jetstream.Stream) error {
		return s.Purge(ctx, jetstream.WithPurgeSubject(subjects))
	}))
}
