package search

import (
	"context"
	"sync"
	"sync/atomic"

	"plyfit/game"
)

// helper is the i-th extra thread. Helpers search the same position with the same table and return
// no result: their table entries spare p work. Each ranks moves a little differently (lazy SMP) and
// defers those that another thread is searching ([busy]). An entry is valid only for its own depth,
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
	p.fast.busy = new(busy)
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

// busy lists the moves at positions that threads are searching, so that each defers what another
// has begun, until nothing else is left at the node and most of it is in the table (Kerrigan,
// "Simplified ABDADA", after Weill 1996, "The ABDADA distributed minimax-search algorithm"). It is
// advice: a mark overwritten or left over costs time and changes no value.
type busy struct {
	slots [1 << 12]atomic.Uint64 // marks, 0 where there is none
}

const (
	minShared = 3  // decisions before the horizon, below which a subtree is too small to be put off
	maxShared = 12 // plies from the root, likewise
)

func mark(key uint64, m game.Move) uint64 { return game.Mix(key^uint64(m)+1) | 1 }

func (b *busy) slot(mark uint64) *atomic.Uint64 { return &b.slots[mark>>52] }

// has reports whether a thread is at m in the position with this key.
func (b *busy) has(key uint64, m game.Move) bool {
	k := mark(key, m)
	return b.slot(k).Load() == k
}

func (b *busy) enter(key uint64, m game.Move) {
	k := mark(key, m)
	b.slot(k).CompareAndSwap(0, k)
}

func (b *busy) leave(key uint64, m game.Move) {
	k := mark(key, m)
	b.slot(k).CompareAndSwap(k, 0)
}
