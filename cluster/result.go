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
	digestHeader = "Plyfit-Sha256" // of a result
	objectHeader = "Plyfit-Object" // where a result is that is too large for a message
	triesHeader  = "Plyfit-Tries"  // how often a unit was begun before it was published again
	hostHeader   = "Plyfit-Host"   // who computed a unit

	besidesHeader = "Plyfit-Besides" // the worker that has computed a unit, and leaves it to others
)

// errOccupied says that someone else has published the result of a unit.
var errOccupied = errors.New("result is there already")

// deliver publishes the result of a unit. It is errOccupied where there is one, which is the same.
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
		if err := l.insistFor(ctx, bulk, "store a large result", put); err != nil {
			return err
		}
		m.Header.Set(objectHeader, object)
		m.Data = nil
	}
	err := l.insist(ctx, "publish a result", func(ctx context.Context) error {
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

// errWrong says that a result cannot be the one of its unit.
var errWrong = errors.New("wrong result")

// receive is the result of a unit that a message brings. Of one that is wrong or larger
// than most, no more than that is read.
func (l *Link) receive(ctx context.Context, job string, unit int, m jetstream.Msg, most int64) (result []byte, err error) {
	result = m.Data()
	if object := m.Headers().Get(objectHeader); object != "" {
		if !strings.HasPrefix(object, fmt.Sprintf("%s.%d.", job, unit)) {
			object = text.Printable(object)
			return nil, fmt.Errorf("%w: it names the large result %s, which is of another unit", errWrong, object)
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
		return nil, fmt.Errorf("%w: it has the SHA-256 %.12s, its message says %.12s", errWrong, got, text.Printable(want))
	}
	return result, nil
}

// large reads a large result, at most one byte more than most.
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
		return nil, fmt.Errorf("%w: it is a link to something else", errWrong)
	case info.Size > uint64(most):
		return nil, fmt.Errorf("%w: %d bytes, want at most %d", errWrong, info.Size, most)
	}
	return io.ReadAll(io.LimitReader(r, most+1))
}

// discard removes a large result that is not needed any more. What stays is forgotten
// by the hub in time.
func (l *Link) discard(ctx context.Context, h nats.Header) {
	if object := h.Get(objectHeader); object != "" {
		_ = l.call(ctx, in(l.js.ObjectStore, resultBucket, func(ctx context.Context, bucket jetstream.ObjectStore) error {
			return bucket.Delete(ctx, object)
		}))
	}
}

// tries is how often a unit was begun, this time included.
func tries(m jetstream.Msg) int {
	n := readCount(m.Headers().Get(triesHeader), mostTries)
	meta, err := m.Metadata()
	if err != nil {
		return n + 1
	}
	return n + int(meta.NumDelivered)
}

// handBack lets others compute a unit that this process has received and not begun, or
// was told to leave. It does not count as a try.
func (l *Link) handBack(ctx context.Context, m jetstream.Msg) error {
	again := nats.NewMsg(m.Subject())
	again.Header.Set(triesHeader, strconv.Itoa(tries(m)-1))
	if besides := m.Headers().Get(besidesHeader); besides != "" {
		again.Header.Set(besidesHeader, besides)
	}
	if err := l.call(ctx, m.DoubleAck); err != nil {
		return err
	}
	return l.call(ctx, l.unlessThere(again))
}

// bury publishes a dead letter for a unit that is given up, and takes the unit from the queue.
func (l *Link) bury(ctx context.Context, m jetstream.Msg, job string, unit int, why string) error {
	letter := nats.NewMsg(deadSubject(job, unit))
	letter.Data = []byte(text.Printable(strings.Join(strings.Fields(why), " ")))
	if err := l.insist(ctx, "publish a dead letter", l.unlessThere(letter)); err != nil {
		return err
	}
	return l.call(ctx, m.DoubleAck)
}

// unlessThere returns a call that publishes a message unless its subject has one.
func (l *Link) unlessThere(m *nats.Msg) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := l.js.PublishMsg(ctx, m)
		if occupied(err) {
			return nil
		}
		return err
	}
}
