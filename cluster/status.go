package cluster

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// Status is the state of a hub.
type Status struct {
	Jobs    []JobStatus   `json:"jobs"`
	Workers []WorkerSign  `json:"workers"`
	Builds  []BuildStatus `json:"builds"` // queues, one for each build that has had workers
	Queued  uint64        `json:"queued"` // unfinished units, including running ones
	Results uint64        `json:"results"`
	Dead    uint64        `json:"dead"`
	Bytes   uint64        `json:"bytes"` // total of all streams and buckets
}

// JobStatus is the state of a job.
type JobStatus struct {
	JobSign
	Queued  int     `json:"queued"`  // units on the hub, including running ones
	Results int     `json:"results"` // results that the coordinator has not stored yet
	Rate    float64 `json:"rate"`    // units per second since the start of the run
	Left    float64 `json:"left"`    // remaining seconds at that rate; negative if unknown
}

// BuildStatus is the state of the queue of a build.
type BuildStatus struct {
	Class       string `json:"class"`
	UnderWay    int    `json:"under_way"`
	Waiting     uint64 `json:"waiting"`
	Redelivered int    `json:"redelivered"` // running units that were started before
}

// ReadStatus returns the state of a hub and its jobs. The status is empty if the hub has not been
// used.
func ReadStatus(ctx context.Context, l *Link) (s Status, err error) {
	there := false // whether there is a bucket of heartbeats
	err = l.call(ctx, func(ctx context.Context) error {
		streams := l.js.ListStreams(ctx)
		for info := range streams.Info() {
			state := info.State
			s.Bytes += state.Bytes
			switch info.Config.Name {
			case "KV_" + signBucket:
				there = true
			case workStream:
				s.Queued = state.Msgs
			case doneStream:
				s.Results = state.Msgs
			case deadStream:
				s.Dead = state.Msgs
			}
		}
		return streams.Err()
	})
	if err != nil {
		return s, err
	}
	if !there {
		return s, nil
	}
	jobs, workers, err := l.signs(ctx)
	if err != nil {
		return s, err
	}
	slices.SortFunc(workers, func(a, b WorkerSign) int { return strings.Compare(a.Name, b.Name) })
	s.Workers = workers
	for _, sign := range jobs {
		j, err := l.jobStatus(ctx, sign)
		if err != nil {
			return s, err
		}
		s.Jobs = append(s.Jobs, j)
	}
	slices.SortFunc(s.Jobs, func(a, b JobStatus) int {
		return cmp.Or(cmp.Compare(b.Seconds, a.Seconds), strings.Compare(a.Job, b.Job))
	})
	s.Builds, err = l.builds(ctx)
	return s, err
}

func (l *Link) jobStatus(ctx context.Context, sign JobSign) (JobStatus, error) {
	j := JobStatus{JobSign: sign, Left: -1}
	queued, err := l.units(ctx, workStream, workSubject(class(sign.Build), sign.Job, allUnits))
	if err != nil {
		return j, err
	}
	done, err := l.units(ctx, doneStream, doneSubject(sign.Job, allUnits))
	if err != nil {
		return j, err
	}
	j.Queued, j.Results = len(queued), len(done)
	if sign.Done > 0 && sign.Seconds > 0 {
		j.Rate = float64(sign.Done) / sign.Seconds
		j.Left = max(0, float64(sign.Units-sign.Done-sign.Dead)) / j.Rate
	}
	return j, nil
}

func (l *Link) builds(ctx context.Context) (builds []BuildStatus, err error) {
	err = l.call(ctx, in(l.js.Stream, workStream, func(ctx context.Context, s jetstream.Stream) error {
		list := s.ListConsumers(ctx)
		for info := range list.Info() {
			builds = append(builds, BuildStatus{Class: info.Name, UnderWay: info.NumAckPending, Waiting: info.NumPending, Redelivered: info.NumRedelivered})
		}
		return list.Err()
	}))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		err = nil
	}
	slices.SortFunc(builds, func(a, b BuildStatus) int { return strings.Compare(a.Class, b.Class) })
	return builds, err
}
