package search

import "plyfit/game"

// Assume is what a planner takes the world for. The zero value is the
// planner's own: minimax and alpha-beta plan against an adversary, expectimax
// with nature's probabilities.
type Assume struct {
	Kind   AssumeKind
	Policy game.Policy // of AssumePolicy
}

// AssumeKind says who moves at nature's nodes in the planner's mind.
type AssumeKind int8

const (
	AssumeDefault   AssumeKind = iota // as the planner's kind has it
	AssumeChance                      // nature by its probabilities, whoever makes its moves in the world
	AssumeAdversary                   // the opponent of Chancer.For at every chance node, slips too
	AssumeWorld                       // as the world is: an adversary in an adversarial one, chance elsewhere
	AssumeUniform                     // nature draws uniformly from its moves
	AssumeBase                        // as if there were no slip; the rest as the planner's kind has it
	// AssumePolicy: in games of one nature's moves, in games of more the other
	// players' moves follow Policy (nature then keeps its probabilities).
	AssumePolicy
)

// plan is the position to search in place of s, the world's, and what nature is
// there. It works on s itself, not on a copy: wrappers that the planner does
// not know are taken off, so that the search pays nothing for them, and an
// adversary's node is a chance node again. At a slip's pending node a planner
// that knows no slip finds the intended move made; undo takes that back, and is
// to be called when the search is over.
func (a Assume) plan(s game.State, planner AssumeKind) (planned game.State, nature natureKind, undo func()) {
	undo = func() {}
	kind := a.Kind
	if kind == AssumeDefault || kind == AssumeBase {
		kind = planner
	}
	_, hostile := game.As[*game.Adversary](s)
	if kind == AssumeWorld {
		kind = AssumeChance
		if hostile {
			kind = AssumeAdversary
		}
	}
	if hostile {
		s = game.Base(s)
	}
	if slip, ok := s.(*game.Slip); ok && a.Kind == AssumeBase {
		s = slip.State
		if m, pending := slip.Intended(); pending {
			s.Play(m)
			undo = s.Undo
		}
	}
	switch kind {
	case AssumeUniform:
		nature = natureUniform
	case AssumeAdversary:
		nature = natureOpposes
	case AssumePolicy:
		nature = natureFollows
	}
	return s, nature, undo
}
