package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"plyfit/work"
)

// mostKept is how many bytes of files a worker caches: successive matches of a command share
// models.
const mostKept = 256 << 20

// keptFiles caches a process's files by their SHA-256.
type keptFiles struct {
	mu    sync.Mutex
	files work.Memory
	bytes int
}

func newKeptFiles() *keptFiles { return &keptFiles{files: work.Memory{}} }

// find returns a cached file, or nil.
func (k *keptFiles) find(digest string) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.files[digest]
}

// keep caches a file, in place of all others if there is no room for it. A file that is too large
// is not cached.
func (k *keptFiles) keep(digest string, data []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.files[digest] != nil || len(data) > mostKept {
		return
	}
	if k.bytes += len(data); k.bytes > mostKept {
		clear(k.files)
		k.bytes = len(data)
	}
	k.files[digest] = data
}

type hubFiles struct {
	link *Link
	ctx  context.Context
	kept *keptFiles
}

func (f hubFiles) Read(digest string) (data []byte, err error) {
	if data := f.kept.find(digest); data != nil {
		return data, nil
	}
	err = f.link.insistFor(f.ctx, bulk, "read a file of the job", func(ctx context.Context) error {
		bucket, err := f.link.js.ObjectStore(ctx, fileBucket)
		if err != nil {
			return err
		}
		data, err = bucket.GetBytes(ctx, digest)
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			return permanent{fmt.Errorf("%w: the hub has no file of SHA-256 %s", errNotPosted, digest)}
		}
		if err == nil && work.Digest(data) != digest {
			err = fmt.Errorf("file of SHA-256 %s came as one of %s", digest, work.Digest(data))
		}
		return err
	})
	if err == nil {
		f.kept.keep(digest, data)
	}
	return data, err
}
