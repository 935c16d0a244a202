package search

import (
	"context"
	"sync"

	"plyfit/game"
	"plyfit/internal/marks"
)

// helper returns the i-th additional thread of p. Helpers search the same position with the same
// table and return no result, but their table entries save work for p. Each helper orders moves
// slightly differently (lazy SMP) and defers moves that another thread is searching ([marks.Set]).
// An entry is valid only for its own depth unless it is a proof. At each depth p's value is
// therefore the same as with a single thread, but the number of nodes varies.
func (p *planner) helper(i int) *planner {
	c := p.cfg
	c.Threads, c.Nodes, c.Time, c.Complete, c.Ties, c.Iteration = 1, 0, 0, false, First, nil
	if c.Fork != nil {
		c.Eval = c.Fork()
	}
	h := &planner{name: p.name, cfg: c, nature: p.nature, helping: i}
	h.build(p.text.prune, false)
	h.Begin(0)
	return h
}

// patience is the number of nodes that a search visits before it starts helpers. Smaller searches
// take less time than the initialisation of a full-size table, which takes tens of milliseconds.
var patience = int64(1 << 17)

// startHelpers starts the helpers, each on its own clone of the world's position. The returned
// function stops the helpers, waits for them and returns the number of nodes that they visited.
func (p *planner) startHelpers(ctx context.Context, clones []game.State) func() int64 {
	ctx, cancel := context.WithCancel(ctx)
	nodes := make([]int64, len(p.helpers))
	var wait sync.WaitGroup
	p.fast.busy = new(marks.Set)
	t := p.fast.table
	for len(t.buckets) < t.limit {
		t.grow()
	}
	t.shared = true
	for i, h := range p.helpers {
		h.fast.table, h.fast.busy = p.fast.table, p.fast.busy
		if p.fast.solver != nil && h.fast.solver == nil {
			h.fast.solver = p.fast.solver.Fork(uint64(h.helping))
		}
		wait.Go(func() {
			r, _ := h.Search(ctx, clones[i])
			nodes[i] = r.Nodes
		})
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

const (
	minShared = 3  // minimum depth at which moves are deferred; smaller subtrees are too cheap
	maxShared = 12 // maximum number of plies from the root at which moves are deferred
)

// markOf returns the mark of a move at the position with this key.
func markOf(key uint64, m game.Move) uint64 { return game.Mix(key^uint64(m)+1) | 1 }
