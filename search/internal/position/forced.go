package position

import (
	"math"

	"plyfit/game"
)

// Forced determines whether a side can force a given utility within a number of decisions, whatever
// the other side does and whatever nature draws. It is an AND/OR search (Nilsson 1980, Principles
// of Artificial Intelligence, section 3; the depth-first form of proof search). At nodes at which
// the side chooses, a single successful move is enough. At nodes at which others choose or nature
// draws, all moves must succeed. Forced uses no evaluation, so its wins are proofs. Its depth is
// the distance to the end of the game: the number of decisions, of both sides, on the longest line
// that the other side and nature can enforce. At chance nodes this is the worst case, not the
// expected number.
//
// When the value of a search is a certain win or loss, the search uses Forced to choose the
// shortest win or the longest loss among equal moves. Forced's nodes are counted separately from
// those of the search for the value.
type Forced struct {
	pos    *Position
	side   Role    // forcing side: Maximum or Minimum
	target float64 // utility to Pos.Me that the side tries to force
	known  map[uint64]answers
	budget int64 // number of nodes that the search may still visit
	spent  bool  // the budget is used up, a limit was reached or nature is sampled, so failures prove nothing
}

// answers contains the results for a position.
type answers struct {
	won  int32 // number of decisions within which the target is forced; noAnswer if unknown
	open int32 // number of decisions within which it is not forced; -1 if unknown
}

const noAnswer = math.MaxInt32

// mostKnown is the number of stored positions at which the cache is cleared. They take about 40 MB.
const mostKnown = 1 << 20

// NewForced returns a proof search that tests whether the given side can force the given utility
// for pos.Me.
func NewForced(pos *Position, side Role, target float64) *Forced {
	f := &Forced{pos: pos, side: side, target: target, known: map[uint64]answers{}}
	f.Renew()
	return f
}

// Renew gives f a new budget and keeps its results. The budget is eight times the number of nodes
// that the search has visited, and at least 65,536, because finding the shortest win can take many
// more nodes than finding the value, if a table or the game's own knowledge solved the game in few
// nodes. After a long search, it is only slightly more than an eighth of these nodes. If nature is
// sampled, nothing can be proved, so f is marked as spent.
func (f *Forced) Renew() {
	nodes := f.pos.Effort.Nodes
	f.budget, f.spent = max(1<<16, min(8*nodes, 1<<22+nodes/8)), f.pos.Nature.Samples > 0
}

// Seeks reports whether f is a proof search for the given side and target.
func (f *Forced) Seeks(side Role, target float64) bool {
	return f.side == side && f.target == target
}

// Within reports whether the target is forced from the current position within the given number of
// decisions.
func (f *Forced) Within(depth int) bool {
	pos := f.pos
	if f.budget--; f.spent || f.budget < 0 || !pos.Effort.Visit() {
		f.spent = true
		return false
	}
	turn := pos.State.Turn()
	r, counts := pos.Role(turn, depth)
	if r == Over {
		return f.reached(pos.Utility())
	}
	if lo, hi := pos.Bounds(); f.side == Maximum && hi < f.target || f.side == Minimum && lo > f.target {
		return false // no end of the game below this position reaches the target
	} else if r == Leaf {
		return lo == hi && f.reached(lo)
	}
	key := pos.State.Hash()
	a, found := f.known[key]
	if !found {
		a = answers{won: noAnswer, open: -1}
	}
	switch {
	case depth >= int(a.won):
		return true
	case depth <= int(a.open):
		return false
	}
	below := depth
	if counts {
		below--
	}
	ok := f.moves(r, below)
	if f.spent {
		return false
	}
	if ok {
		a.won = int32(depth)
	} else {
		a.open = int32(depth)
	}
	if len(f.known) >= mostKnown && !found {
		clear(f.known)
	}
	f.known[key] = a
	return ok
}

// moves tests the moves of a node for Within. If the side chooses, one successful move is enough;
// otherwise all moves must succeed.
func (f *Forced) moves(r Role, below int) bool {
	pos := f.pos
	first, begin := len(pos.Moves), len(pos.Nature.Probs)
	pos.Moves = pos.State.Moves(pos.Moves)
	last := len(pos.Moves)
	if r == Average {
		pos.Weights(pos.Moves[first:])
	}
	all := r != f.side
	ok := all
	for i := first; i < last && ok == all && !f.spent; i++ {
		if r == Average && pos.Nature.Probs[begin+i-first] == 0 {
			continue // the move has probability 0
		}
		ok = f.after(pos.Moves[i], below)
	}
	pos.Moves, pos.Nature.Probs = pos.Moves[:first], pos.Nature.Probs[:begin]
	return ok
}

// after calls Within for the position after the move m.
func (f *Forced) after(m game.Move, depth int) bool {
	f.pos.State.Play(m)
	ok := f.Within(depth)
	f.pos.State.Undo()
	return ok
}

func (f *Forced) reached(v float64) bool {
	if f.side == Maximum {
		return v >= f.target
	}
	return v <= f.target
}

// Soonest returns the root moves with which the side to move at the root forces its win within the
// fewest decisions, including the root's own. It considers only wins whose number of decisions lies
// between the parameters from and to. It returns nil if there are no such moves or a limit ended
// the search. If the parameter one is set, it returns a single move. The parameter spend is the
// number of decisions that the root move counts as, 1 or 0.
func (f *Forced) Soonest(moves []game.Move, from, to, spend int, one bool) (found []game.Move) {
	for depth := max(from, spend); depth <= to && len(found) == 0; depth++ {
		for _, m := range moves {
			if f.after(m, depth-spend) {
				if found = append(found, m); one {
					break
				}
			}
			if f.spent {
				return nil
			}
		}
	}
	return found
}

// Latest returns the root moves that delay the loss the longest. The caller must know that the side
// loses within to+1 decisions after every move. If a limit ends the search, Latest returns the
// moves that remained after the last completed number of decisions.
func (f *Forced) Latest(moves []game.Move, from, to, spend int) []game.Move {
	for depth := max(from, spend); depth <= to; depth++ {
		var left []game.Move
		for _, m := range moves {
			lost := f.after(m, depth-spend)
			if f.spent {
				return moves
			}
			if !lost {
				left = append(left, m)
			}
		}
		if len(left) == 0 {
			break
		}
		moves = left
	}
	return moves
}
