package work

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
)

// Each does n pieces of work by so many workers, at least one; a piece's result does not depend on
// its worker, made by make and closed at the end if it is an [io.Closer]. After each piece it calls
// done, which may be nil, with the number of pieces that are ready, one call at a time. The first
// error ends the rest.
func Each[W any](ctx context.Context, workers, n int, make func() (W, error), do func(ctx context.Context, w W, i int) error, done func(n int)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var mu sync.Mutex
	ready := 0
	var all sync.WaitGroup
	for range min(max(1, workers), n) {
		all.Go(func() {
			w, err := make()
			if c, ok := any(w).(io.Closer); ok && err == nil {
				defer c.Close()
			}
			for err == nil && ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err = do(ctx, w, i); err == nil && done != nil {
					mu.Lock()
					ready++
					done(ready)
					mu.Unlock()
				}
			}
			if err != nil {
				stop(err) // the first one counts
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// Once makes a function that finds a value once for all callers. Others wait meanwhile, each as long
// as its context lasts; if find fails, the next caller tries again.
func Once[T any](find func(context.Context) (T, error)) func(context.Context) (T, error) {
	var value T
	found, turn := false, make(chan struct{}, 1)
	return func(ctx context.Context) (v T, err error) {
		select {
		case turn <- struct{}{}:
		case <-ctx.Done():
			return v, context.Cause(ctx)
		}
		defer func() { <-turn }()
		if !found {
			v, err = find(ctx)
			if err != nil {
				return v, err
			}
			value, found = v, true
		}
		return value, nil
	}
}
