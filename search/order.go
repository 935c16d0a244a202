package search

import (
	"plyfit/game"
	"plyfit/search/internal/position"
)

// An orderer sorts moves so that those likely to be best are searched first. The move from the
// table comes first. The other moves are sorted by the game's [game.Ranker], by the killers of the
// ply (moves that caused cutoffs at sibling nodes: Akl and Newborn 1977) and by the history (how
// often and at what depth a move caused cutoffs anywhere: Schaeffer 1983).
type orderer struct {
	ranker  game.Ranker // nil if there is none
	natural bool        // keep the game's order
	ranks   []int64     // ranks of the moves being searched, in the order of Position.Moves
	killers [][2]game.Move
	history [2][1 << 12]uint32
	written bool // history has been modified since it was last cleared
}

const (
	tableRank  = int64(1) << 62
	rankUnit   = int64(1) << 26
	killerRank = int64(1) << 25
	historyCap = 1 << 24
)

func (o *orderer) reset(s game.State, natural bool) {
	o.ranker, _ = game.As[game.Ranker](s)
	o.natural = natural
	o.ranks = o.ranks[:0]
	for i := range o.killers {
		o.killers[i] = [2]game.Move{game.NoMove, game.NoMove}
	}
	if o.written { // clearing 32 KB is expensive for a small search
		clear(o.history[0][:])
		clear(o.history[1][:])
		o.written = false
	}
}

// stir gives moves without a history an order that depends on the seed, so that different threads
// begin with different moves.
func (o *orderer) stir(seed uint64) {
	o.written = true
	for side := range o.history {
		for i := range o.history[side] {
			o.history[side][i] = uint32(game.Mix(seed<<20+uint64(side<<16+i)) & 15)
		}
	}
}

func historySlot(m game.Move) uint32 { return uint32(m) * 2654435761 >> 20 }

func (o *orderer) killersAt(ply int) *[2]game.Move {
	for len(o.killers) <= ply {
		o.killers = append(o.killers, [2]game.Move{game.NoMove, game.NoMove})
	}
	return &o.killers[ply]
}

func (o *orderer) rank(moves []game.Move, table game.Move, ply int, own position.View) {
	killers, history, ranks := *o.killersAt(ply), &o.history[own.Side()], o.ranks
	for _, m := range moves {
		r := int64(history[historySlot(m)])
		if m == killers[0] || m == killers[1] {
			r += killerRank
		}
		if o.ranker != nil {
			r += int64(o.ranker.Rank(m)) * rankUnit
		}
		if m == table {
			r = tableRank
		}
		ranks = append(ranks, r)
	}
	o.ranks = ranks
}

// pick moves the highest-ranked move to the front. Among moves of equal rank, it takes the first in
// the game's order.
func pick(moves []game.Move, ranks []int64) {
	best := 0
	for i := 1; i < len(ranks); i++ {
		if ranks[i] > ranks[best] {
			best = i
		}
	}
	m, r := moves[best], ranks[best]
	copy(moves[1:best+1], moves[:best])
	copy(ranks[1:best+1], ranks[:best])
	moves[0], ranks[0] = m, r
}

// cut records that the move m caused a cutoff.
func (o *orderer) cut(m game.Move, ply int, own position.View, depth int) {
	k := o.killersAt(ply)
	if k[0] != m {
		k[1], k[0] = k[0], m
	}
	o.written = true
	h := &o.history[own.Side()][historySlot(m)]
	*h += uint32(min(depth, 64) * min(depth, 64))
	if *h >= historyCap {
		for s := range o.history {
			for i := range o.history[s] {
				o.history[s][i] /= 2
			}
		}
	}
}

// A list describes the remaining moves of a node during its search.
type list struct {
	ranked   int  // index of the first move's rank in orderer.ranks
	deferred int  // index of the first deferred move, which another thread is searching
	sorted   bool // the search picks the best remaining move at each step
	shared   bool // moves that other threads are searching are deferred
}

// list generates the moves of a node, if they have not been listed yet, and ranks them.
func (s *pvs) list(n *node) list {
	pos := &s.text.pos
	if n.first == len(pos.Moves) {
		pos.Moves = pos.State.Moves(pos.Moves)
	}
	l := list{ranked: len(s.order.ranks), deferred: len(pos.Moves)}
	if l.sorted = !s.order.natural && l.deferred-n.first > 1; l.sorted {
		s.order.rank(pos.Moves[n.first:], n.try, s.text.pv.ply, n.own)
	}
	l.shared = s.busy != nil && n.depth >= minShared && s.text.pv.ply < maxShared
	return l
}

// first returns the move of n that a search would try first.
func (s *pvs) first(n *node) game.Move {
	l := s.list(n)
	if l.sorted {
		pick(s.text.pos.Moves[n.first:], s.order.ranks[l.ranked:])
	}
	m := s.text.pos.Moves[n.first]
	s.text.pos.Moves, s.order.ranks = s.text.pos.Moves[:n.first], s.order.ranks[:l.ranked]
	return m
}

// enter returns the i-th move to search at a position that several threads search. If possible, it
// chooses a move that no other thread is searching. It swaps the chosen move into position i and
// marks it. The result deferred is the new index of the first deferred move.
func (s *pvs) enter(n *node, l list, i int) (m game.Move, deferred int) {
	moves, ranks := s.text.pos.Moves, s.order.ranks[l.ranked:]
	m = moves[i]
	for i > n.first && i < l.deferred && s.busy.Has(markOf(n.key, m)) {
		// Another thread is searching this move. Defer it: by then, its value may be in the table.
		l.deferred--
		moves[i], moves[l.deferred] = moves[l.deferred], m
		if l.sorted {
			ranks[i-n.first], ranks[l.deferred-n.first] = ranks[l.deferred-n.first], ranks[i-n.first]
			if i < l.deferred {
				pick(moves[i:l.deferred], ranks[i-n.first:l.deferred-n.first])
			}
		}
		m = moves[i]
	}
	s.busy.Enter(markOf(n.key, m))
	return m, l.deferred
}
