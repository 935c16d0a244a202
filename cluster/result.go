package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"plyfit/internal/text"
	"plyfit/work"
)

// Headers of messages.
const (
	digestHeader = "Plyfit-Sha256" // SHA-256 of a result
	objectHeader = "Plyfit-Object" // object that contains a result too large for a message
	triesHeader  = "Plyfit-Tries"  // number of times that a unit had been started when it was published again
	hostHeader   = "Plyfit-Host"   // worker that computed a unit

	excludedHeader = "Plyfit-Besides" // worker that has computed a unit and must leave it to others
)

// errOccupied means that the result of a unit has already been published.
var errOccupied = errors.New("result already exists")

// deliver publishes the result of a unit. It returns errOccupied if a result has already been
// published.
func (l *Link) deliver(ctx context.Context, job string, unit int, host string, result []byte) error {
	m := nats.NewMsg(doneSubject(job, unit))
	m.Header.Set(digestHeader, work.Digest(result))
	m.Header.Set(hostHeader, host)
	m.Data = result
	if int64(len(result)) > l.nc.MaxPayload()-4096 {
		object := fmt.Sprintf("%s.%d.%s", job, unit, nuid.Next())
		put := in(l.js.ObjectStore, resultBucket, func(ctx context.Context, bucket jetstream.ObjectStore) error {
			_, err := bucket.PutBytes(ctx, object, result)
			return err
		})
		if err := l.retryWithin(ctx, bulk, "store a large result", put); err != nil {
			return err
		}
		m.Header.Set(objectHeader, object)
		m.Data = nil
	}
	err := l.retry(ctx, "publish a result", func(ctx context.Context) error {
		_, err := l.js.PublishMsg(ctx, m)
		if occupied(err) {
			return permanent{errOccupied}
		}
		return err
	})
	if errors.Is(err, errOccupied) {
		l.discard(ctx, m.Header)
	}
	return err
}

// errWrong means that a result cannot be the result of its unit.
var errWrong = errors.New("wrong result")

// receive returns the result that m contains or refers to. It reads at most one byte of a large
// result beyond the given limit.
func (l *Link) receive(ctx context.Context, job string, unit int, m jetstream.Msg, most int64) (result []byte, err error) {
	result = m.Data()
	if object := m.Headers().Get(objectHeader); object != "" {
		if !strings.HasPrefix(object, fmt.Sprintf("%s.%d.", job, unit)) {
			object = text.Printable(object)
			return nil, fmt.Errorf("%w: its message refers to the large result %s of another unit", errWrong, object)
		}
		get := in(l.js.ObjectStore, resultBucket, func(ctx context.Context, bucket jetstream.ObjectStore) (err error) {
			result, err = large(ctx, bucket, object, most)
			return err
		})
		if err = within(ctx, bulk, get); err != nil {
			return nil, fmt.Errorf("large result %s: %w", text.Printable(object), err)
		}
	}
	if int64(len(result)) > most {
		return nil, fmt.Errorf("%w: %d bytes, want at most %d", errWrong, len(result), most)
	}
	if got, want := work.Digest(result), m.Headers().Get(digestHeader); got != want {
		return nil, fmt.Errorf("%w: its SHA-256 is %.12s, but its message contains %.12s", errWrong, got, text.Printable(want))
	}
	return result, nil
}

// large reads a large result. It reads at most one byte beyond the given limit.
func large(ctx context.Context, bucket jetstream.ObjectStore, object string, most int64) ([]byte, error) {
	r, err := bucket.Get(ctx, object)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	info, err := r.Info()
	switch {
	case err != nil:
		return nil, err
	case info.Bucket != resultBucket || info.Name != object:
		return nil, fmt.Errorf("%w: its object is a link to another object", errWrong)
	case info.Size > uint64(most):
		return nil, fmt.Errorf("%w: %d bytes, want at most %d", errWrong, info.Size, most)
	}
	return io.ReadAll(io.LimitReader(r, most+1))
}

// discard removes a large result that is no longer needed. If this fails, the hub deletes the
// result when it expires.
func (l *Link) discard(ctx context.Context, h nats.Header) {
	if object := h.Get(objectHeader); object != "" {
		_ = l.call(ctx, in(l.js.ObjectStore, resultBucket, func(ctx context.Context, bucket jetstream.ObjectStore) error {
			return bucket.Delete(ctx, object)
		}))
	}
}

// tries returns the number of times that a unit was started, including this time.
func tries(m jetstream.Msg) int {
	n := readCount(m.Headers().Get(triesHeader), mostTries)
	meta, err := m.Metadata()
	if err != nil {
		return n + 1
	}
	return n + int(meta.NumDelivered)
}

// requeue hands back a unit that this process received but did not finish, so that other workers
// can compute it. This does not count as a try.
func (l *Link) requeue(ctx context.Context, m jetstream.Msg) error {
	again := nats.NewMsg(m.Subject())
	again.Header.Set(triesHeader, strconv.Itoa(tries(m)-1))
	if excluded := m.Headers().Get(excludedHeader); excluded != "" {
		again.Header.Set(excludedHeader, excluded)
	}
	if err := l.call(ctx, m.DoubleAck); err != nil {
		return err
	}
	return l.call(ctx, l.publishOnce(again))
}

// giveUp publishes the reason why a unit is given up, and removes the unit from the queue.
func (l *Link) giveUp(ctx context.Context, m jetstream.Msg, job string, unit int, why string) error {
	notice := nats.NewMsg(deadSubject(job, unit))
	notice.Data = []byte(text.Printable(strings.Join(strings.Fields(why), " ")))
	if err := l.retry(ctx, "give up a unit", l.publishOnce(notice)); err != nil {
		return err
	}
	return l.call(ctx, m.DoubleAck)
}

// publishOnce returns a function that publishes a message unless its subject already has one.
func (l *Link) publishOnce(m *nats.Msg) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := l.js.PublishMsg(ctx, m)
		if occupied(err) {
			return nil
		}
		return err
	}
}
