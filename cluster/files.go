package cluster

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"plyfit/internal/lru"
	"plyfit/work"
)

// keptFiles are a process's latest files by their SHA-256: successive matches of a command share
// models.
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
			return permanent{fmt.Errorf("%w: the hub has no file of SHA-256 %s", errNotPosted, digest)}
		}
		if err == nil && work.Digest(data) != digest {
			err = fmt.Errorf("file of SHA-256 %s came as one of %s", digest, work.Digest(data))
		}
		return err
	})
	if err = f.link.insistFor(f.ctx, bulk, "read a file of the job", read); err == nil {
		f.kept.Put(digest, data)
	}
	return data, err
}
