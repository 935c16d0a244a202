package search

import (
	"context"
	"math/rand/v2"
	"slices"

	"plyfit/game"
	"plyfit/search/internal/position"
)

// NewGreedy is an agent of one ply: it plays each move and evaluates the position right after it by
// o.Eval, or by its utility if finished. Where nature moves next it averages over nature's moves,
// or follows o.Assume; with afterstates for leaves it evaluates at once. Root holds the exact
// values of all moves.
func NewGreedy(o Options) (Agent, error) {
	c, err := o.config("greedy")
	if err != nil {
		return nil, err
	}
	c.Depth, c.Prune = 1, NoPrune // one ply is always finished
	if err := c.validate("greedy"); err != nil {
		return nil, err
	}
	return &greedy{newMaxN(c)}, nil
}

type greedy struct{ *many }

func (g *greedy) Search(ctx context.Context, s game.State) (Result, error) {
	within := context.Background() // one ply is finished, unless others have to search for it
	if _, thinks := game.Pondering(s); thinks || g.cfg.Assume.Policy != nil {
		within = ctx
	}
	defer g.bind(within, s)()
	r := g.answer(1, true)
	if g.all.Pos.Effort.Stopped() {
		return Result{Move: game.NoMove}, ctx.Err()
	}
	return r, nil
}

// newRand is a source of random numbers that follows from seed alone.
func newRand(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, game.Mix(seed)))
}

// choose is the index of one of the root moves that are exact and as good as
// best, or of those in pool where there are any: the first, or one drawn by rng.
func choose(root []RootMove, best float64, pool []game.Move, ties Ties, rng *rand.Rand) int {
	chosen, equal := 0, 0
	for i, m := range root {
		switch {
		case len(pool) > 0 && !slices.Contains(pool, m.Move):
			continue
		case len(pool) == 0 && (m.Kind != Exact || !(m.Value >= best-position.Rounding(best))):
			continue
		}
		// The k-th of equal moves takes the place of the one kept so far with
		// probability 1/k: each is drawn with the same probability.
		if equal++; equal == 1 || ties == Random && rng.IntN(equal) == 0 {
			chosen = i
		}
	}
	return chosen
}
