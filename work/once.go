package work

import "context"

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
