package search

import (
	"context"
	"sync"

	"plyfit/game"
)

// helper is the i-th thread beside p's own. Helpers search the same position
// with the same table, each in an order of its own, and never answer: what they
// store in the table spares p work (lazy SMP). Since an entry answers only for
// the depth it was made with, or to the end of the game, p's value at a depth
// is that of one thread; the number of nodes varies.
func (p *planner) helper(i int) *planner {
	c := p.cfg
	c.Threads, c.Nodes, c.Time, c.Complete, c.Ties, c.Iteration = 1, 0, 0, false, First, nil
	if c.Fork != nil {
		c.Eval = c.Fork()
	}
	h := &planner{name: p.name, cfg: c, nature: p.nature, helping: i}
	h.w.prune, h.w.cuts = p.w.prune, p.w.cuts
	h.Begin(0)
	return h
}

// summon starts the helpers, each on a clone of the world's position of its
// own. What it returns stops them, waits, and tells how many nodes they visited.
func (p *planner) summon(ctx context.Context, clones []game.State) func() int64 {
	ctx, cancel := context.WithCancel(ctx)
	nodes := make([]int64, len(p.helpers))
	var wait sync.WaitGroup
	for i, h := range p.helpers {
		h.w.table = p.w.table
		wait.Add(1)
		go func() {
			defer wait.Done()
			r, _ := h.Search(ctx, clones[i])
			nodes[i] = r.Nodes
		}()
	}
	return func() int64 {
		cancel()
		wait.Wait()
		sum := int64(0)
		for _, n := range nodes {
			sum += n
		}
		return sum
	}
}
