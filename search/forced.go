package search

import (
	"math"

	"plyfit/game"
)

// forced asks one question of a position: can one side bring about an end of the
// game that is worth the most it can get, within so many decisions, whatever the
// other side does and whatever nature draws? It is an AND/OR search (Nilsson 1980,
// Principles of Artificial Intelligence, section 3; the depth-first form of
// proof search): where the side chooses one move must do, where others choose or
// nature draws all must. It asks no evaluation, so it cannot be wrong about a
// win, and its depth is the distance: the number of decisions, of both sides, of
// the longest line that the other side and nature can make of it. At chance nodes
// that is the worst case, not the expected number.
//
// The searches use it once their value is that of a certain win or loss, to choose
// the shortest win or the longest loss among moves of the same value. What it
// visits is counted apart from the search for the value.
type forced struct {
	pos    *position
	side   role    // who forces: maximum or minimum
	target float64 // what pos.me gets where that succeeds
	known  map[uint64]answers
	budget int64 // nodes that it may still visit
	spent  bool  // the budget, or a limit of the search, was used up: failures mean nothing
}

// answers are what is known of a position.
type answers struct {
	won  int32 // decisions within which it is forced; noAnswer: none known
	open int32 // decisions within which it is not; -1: none known
}

const noAnswer = math.MaxInt32

// mostKnown is how many positions are remembered before it starts anew: some
// 40 MB.
const mostKnown = 1 << 20

// newForced asks on behalf of side, for ends worth target to pos.me, and visits at
// most budget nodes. Where nature is sampled nothing can be proven.
func newForced(pos *position, side role, target float64, budget int64) *forced {
	return &forced{pos: pos, side: side, target: target, budget: budget, known: map[uint64]answers{}, spent: pos.nature.samples > 0}
}

// within reports whether the present position is forced within depth decisions.
func (f *forced) within(depth int) bool {
	pos := f.pos
	if f.budget--; f.spent || f.budget < 0 || !pos.effort.visit() {
		f.spent = true
		return false
	}
	turn := pos.state.Turn()
	r, counts := pos.role(turn, depth)
	if r == over {
		return f.reached(pos.utility())
	}
	if lo, hi := pos.bounds(); f.side == maximum && hi < f.target || f.side == minimum && lo > f.target {
		return false // no end from here on is worth that much
	} else if r == leaf {
		return lo == hi && f.reached(lo)
	}
	key := pos.state.Hash()
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

// moves is the loop of within: one of the side's own moves is enough, of all
// other moves that are ever made each must be.
func (f *forced) moves(r role, below int) bool {
	pos := f.pos
	first, begin := len(pos.moves), len(pos.nature.probs)
	pos.moves = pos.state.Moves(pos.moves)
	last := len(pos.moves)
	if r == average {
		pos.weights(pos.moves[first:])
	}
	all := r != f.side
	ok := all
	for i := first; i < last && ok == all && !f.spent; i++ {
		if r == average && pos.nature.probs[begin+i-first] == 0 {
			continue // a policy that never plays it
		}
		ok = f.after(pos.moves[i], below)
	}
	pos.moves, pos.nature.probs = pos.moves[:first], pos.nature.probs[:begin]
	return ok
}

// after is within, for the position after m.
func (f *forced) after(m game.Move, depth int) bool {
	f.pos.state.Play(m)
	ok := f.within(depth)
	f.pos.state.Undo()
	return ok
}

func (f *forced) reached(v float64) bool {
	if f.side == maximum {
		return v >= f.target
	}
	return v <= f.target
}

// soonest are those of the root's moves after which the one who moves there, the
// side, forces its win within the fewest decisions, from to to of them, the
// root's own included; none where there are none, or it could not be found out.
// With one, the first of them is enough. spend is what the root's move takes off
// the decisions: 1, or 0 where it does not count.
func (f *forced) soonest(moves []game.Move, from, to, spend int, one bool) (found []game.Move) {
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

// latest are those of the root's moves, all of them lost to the side within to+1
// decisions at the latest, after which the side needs the most. Where a limit
// ends it, they are those of the last number of decisions that was finished.
func (f *forced) latest(moves []game.Move, from, to, spend int) []game.Move {
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

// budgetOf is how many nodes the choice among equal moves may visit after a
// search of so many: where a game was solved in few, thanks to a table and to
// what is known of its ends, the shortest way could take far more than the value.
func budgetOf(nodes int64) int64 { return max(1<<16, 8*nodes) }
