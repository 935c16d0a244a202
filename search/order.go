package search

import "plyfit/game"

// orderer looks for the moves that are likely to be best: the table's move,
// then by the game's [game.Ranker], then the killers of the ply (moves that cut
// siblings: Akl and Newborn 1977), then by history (how often and how deep a
// move cut anywhere: Schaeffer 1983).
type orderer struct {
	ranker  game.Ranker // nil: none
	natural bool        // leave the game's order alone
	ranks   []int64     // beside walker.moves
	killers [][2]game.Move
	history [2][1 << 12]uint32
	written bool // to history, since it was cleared
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
	if o.written { // 32 KB, which is much to a small search
		clear(o.history[0][:])
		clear(o.history[1][:])
		o.written = false
	}
}

// stir makes the order of moves that nothing is known of another one for every
// seed, so that threads look at different things first.
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

// rank appends to o.ranks a rank for each of the moves.
func (o *orderer) rank(moves []game.Move, table game.Move, ply int, side int) {
	killers := *o.killersAt(ply)
	for _, m := range moves {
		r := int64(o.history[side][historySlot(m)])
		if m == killers[0] || m == killers[1] {
			r += killerRank
		}
		if o.ranker != nil {
			r += int64(o.ranker.Rank(m)) * rankUnit
		}
		if m == table {
			r = tableRank
		}
		o.ranks = append(o.ranks, r)
	}
}

// pick moves the highest-ranked of moves to the front; among equals the first
// in the game's order.
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

// cut remembers that m made the rest of its siblings needless.
func (o *orderer) cut(m game.Move, ply, side, depth int) {
	k := o.killersAt(ply)
	if k[0] != m {
		k[1], k[0] = k[0], m
	}
	o.written = true
	h := &o.history[side][historySlot(m)]
	*h += uint32(min(depth, 64) * min(depth, 64))
	if *h >= historyCap {
		for s := range o.history {
			for i := range o.history[s] {
				o.history[s][i] /= 2
			}
		}
	}
}
