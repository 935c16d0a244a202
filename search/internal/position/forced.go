package position

import (
	"math"

	"plyfit/game"
)

// Forced finds out whether a side can force the most that the game pays within so many decisions,
// whatever the other side does and nature draws; searches choose among certain wins by it. It is an
// AND/OR search (Nilsson 1980, Principles of Artificial Intelligence, section 3; the depth-first
// form of proof search): where the side chooses one move must do, where others choose or nature
// draws all must. It uses no evaluation, so it cannot be wrong about a win. Its depth is the
// distance: the number of decisions, of both sides, of the longest line that the other side and
// nature can enforce. At chance nodes that is the worst case, not the expected number.
//
// Searches use it once their value is a certain win or loss, to choose the shortest win or the
// longest loss among equal moves. Its nodes are counted apart from the search for the value.
type Forced struct {
	pos    *Position
	side   Role    // who forces: Maximum or Minimum
	target float64 // what pos.Me gets where that succeeds
	known  map[uint64]answers
	budget int64 // nodes that it may still visit
	spent  bool  // the budget, or a limit of the search, was used up: failures mean nothing
}

// answers is what is known of a position.
type answers struct {
	won  int32 // decisions within which it is forced; noAnswer: none known
	open int32 // decisions within which it is not; -1: none known
}

const noAnswer = math.MaxInt32

// mostKnown is how many positions are remembered before restarting: some 40 MB.
const mostKnown = 1 << 20

// NewForced asks on behalf of side, for ends worth target to pos.Me.
func NewForced(pos *Position, side Role, target float64) *Forced {
	f := &Forced{pos: pos, side: side, target: target, known: map[uint64]answers{}}
	f.Renew()
	return f
}

// Renew continues f with what it knows and a new budget: eight times the nodes that the search
// visited, at least 65,536. Where the table and known ends solved a game in few nodes, the shortest
// way can take far more than the value. Where nature is sampled nothing can be proven.
func (f *Forced) Renew() {
	f.budget, f.spent = max(1<<16, 8*f.pos.Effort.Nodes), f.pos.Nature.Samples > 0
}

// Asks reports whether f asks on behalf of side, for ends worth target.
func (f *Forced) Asks(side Role, target float64) bool {
	return f.side == side && f.target == target
}

// Within reports whether the present position is forced within depth decisions.
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
		return false // no end from here on is worth that much
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

// moves is the loop of Within: one of the side's own moves suffices, all others must do.
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
			continue // a policy that never plays it
		}
		ok = f.after(pos.Moves[i], below)
	}
	pos.Moves, pos.Nature.Probs = pos.Moves[:first], pos.Nature.Probs[:begin]
	return ok
}

// after is Within, for the position after m.
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

// Soonest are the root's moves after which the side to move there forces its win within the fewest
// decisions, from to to of them, the root's included; empty if there are none or a limit ended it.
// With one, the first is enough. spend is the decisions that the root's move costs: 1, or 0 where
// it does not count.
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

// Latest are those of the root's moves, all lost to the side within to+1 decisions, after which the
// side needs the most. If a limit ends it, those of the last finished number of decisions.
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
