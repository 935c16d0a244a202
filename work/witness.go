package work

import "context"

// Witness is told of each unit that a crew of this process begins, once it has claimed
// it and found that it is not there; one call at a time for each run.
type Witness func(r Run, unit int)

type witnessKey struct{}

// WithWitness is a context in which crews tell w of the units that they begin, so that
// a test can count what is worked out twice.
func WithWitness(ctx context.Context, w Witness) context.Context {
	return context.WithValue(ctx, witnessKey{}, w)
}

func witnessOf(ctx context.Context) Witness {
	w, _ := ctx.Value(witnessKey{}).(Witness)
	return w
}
