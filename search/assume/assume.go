// Package assume is the planner's model of the other players and of chance. Other players choose
// what is best for them, or follow a policy. Chance follows its probabilities, an adversary or a
// policy. The model is independent of what really moves in the world, so worlds and planners are
// separate factors of a comparison.
package assume

import "plyfit/game"

// Assumption is the planner's model of the world. The zero value is the planner's own: an adversary
// for minimax and alpha-beta, nature's probabilities for expectimax.
type Assumption struct {
	Kind   Kind
	Policy game.Policy // of Kind Policy
}

// Kind says who moves at nature's nodes in the planner's mind.
type Kind int8

// The kinds of assumptions.
const (
	Default   Kind = iota // as the planner's kind has it
	Chance                // nature by its probabilities, no matter who makes its moves in the world
	Adversary             // the opponent of Chancer.For at every chance node, slips too
	World                 // as the world is: an adversary in an adversarial one, chance elsewhere
	Uniform               // nature draws uniformly from its moves
	Base                  // as if there were no slip; the rest as the planner's kind has it
	// Policy: in games of one nature's moves, in games of more the other
	// players' moves follow Policy (nature then keeps its probabilities).
	Policy
)

// Nature is how a search treats a chance node of the state that it plans on.
type Nature int8

// What nature does, in the planner's mind.
const (
	NatureAverages Nature = iota // by Chancer.Prob
	NatureUniform                // all moves alike
	NatureOpposes                // the opponent of Chancer.For chooses
	NatureFollows                // by the policy
)

// Plan is the position to search in place of s, the world's, and its nature. It works on s itself,
// not on a copy: wrappers unknown to the planner are removed, so that the search pays nothing for
// them, and an adversary's node is a chance node again. At a slip's pending node a planner without
// slips finds the intended move made; call undo, which takes it back, when the search is over.
// planner is what Default means.
func (a Assumption) Plan(s game.State, planner Kind) (planned game.State, nature Nature, undo func()) {
	undo = func() {}
	kind := a.Kind
	if kind == Default || kind == Base {
		kind = planner
	}
	_, hostile := game.As[*game.Adversary](s)
	if kind == World {
		kind = Chance
		if hostile {
			kind = Adversary
		}
	}
	if hostile {
		s = game.Base(s)
	}
	if slip, ok := s.(*game.Slip); ok && a.Kind == Base {
		s = slip.State
		if m, pending := slip.Intended(); pending {
			s.Play(m)
			undo = s.Undo
		}
	}
	switch kind {
	case Uniform:
		nature = NatureUniform
	case Adversary:
		nature = NatureOpposes
	case Policy:
		nature = NatureFollows
	}
	return s, nature, undo
}
