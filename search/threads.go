package search

import (
	"context"
	"sync"

	"plyfit/game"
	"plyfit/internal/marks"
)

// helper is the i-th extra thread. Helpers search the same position with the same table and return
// no result: their table entries spare p work. Each ranks moves a little differently (lazy SMP) and
// defers those that another thread is searching ([marks.Set]). An entry is valid only for its own depth,
// or to the end of the game, so p's value at a depth is that of one thread; the number of nodes
// varies.
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

// patience is how many nodes a search visits before it starts helpers: small searches are over in
// less than the tens of milliseconds that filling a full-size table's pages takes.
var patience = int64(1 << 17)

// summon starts the helpers, each on a clone of the world's position of its
// own. What it returns stops them, waits, and tells how many nodes they visited.
func (p *planner) summon(ctx context.Context, clones []game.State) func() int64 {
	ctx, cancel := context.WithCancel(ctx)
	nodes := make([]int64, len(p.helpers))
	var wait sync.WaitGroup
	p.fast.busy = new(marks.Set)
	p.fast.table.share()
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
	minShared = 3  // decisions before the horizon, below which a subtree is too small to be put off
	maxShared = 12 // plies from the root, likewise
)

// markOf is the mark of a move at the position with this key.
func markOf(key uint64, m game.Move) uint64 { return game.Mix(key^uint64(m)+1) | 1 }
