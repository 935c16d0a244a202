package work

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
)

// Each calls do for each i in [0, n), using the given number of workers (at least one). The
// callback make creates a worker's state, which is closed at the end if it implements [io.Closer].
// The result of do must not depend on the worker.
//
// After each successful call to do, Each calls done, if it is not nil, with the number of such
// calls so far. Calls to done are serialised. The first error stops all workers and is returned.
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
				stop(err) // only the first call sets the cause
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

// Once returns a function that calls find when it is first called and returns the same value
// thereafter. Concurrent callers wait for the value until their context is done. If find returns an
// error, the next caller tries again.
func Once[T any](find func(context.Context) (T, error)) func(context.Context) (T, error) {
	var value T
	computed, turn := false, make(chan struct{}, 1)
	return func(ctx context.Context) (v T, err error) {
		select {
		case turn <- struct{}{}:
		case <-ctx.Done():
			return v, context.Cause(ctx)
		}
		defer func() { <-turn }()
		if !computed {
			v, err = find(ctx)
			if err != nil {
				return v, err
			}
			value, computed = v, true
		}
		return value, nil
	}
}
