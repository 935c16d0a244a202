// Package assume describes how a planner models the other players and chance. In the model, each of
// the other players either chooses what is best for that player or follows a policy. Chance moves
// are drawn according to their probabilities, chosen by an adversary, or drawn from a policy. The
// model is independent of who actually moves in the world, so worlds and planners can be compared
// as separate factors.
package assume

import "plyfit/game"

// Assumption is the planner's model of the world. The zero value selects the planner's default: an
// adversary for minimax and alpha-beta, and nature's probabilities for all others.
type Assumption struct {
	Kind   Kind
	Policy game.Policy // used if Kind is Policy
}

// Kind is the planner's assumption about nature's moves.
type Kind int8

// The kinds of assumptions.
const (
	Default   Kind = iota // the default for this kind of planner
	Chance                // nature follows its probabilities, regardless of who makes its moves in the world
	Adversary             // the opponent of Chancer.For chooses at every chance node, including slips
	World                 // as in the world: an adversary if the world has one, otherwise chance
	Uniform               // nature draws uniformly from its moves
	Base                  // moves never slip; otherwise like Default
	// With Policy, nature's moves follow Assumption.Policy in single-player games. In games with
	// several players, the other players' moves follow it, and nature keeps its probabilities.
	Policy
)

// Nature selects how a search treats the chance nodes of the planned state.
type Nature int8

// The models of nature.
const (
	NatureAverages Nature = iota // weighted by Chancer.Prob
	NatureUniform                // all moves equally likely
	NatureOpposes                // the opponent of Chancer.For chooses
	NatureFollows                // weighted by the policy
)

// Plan returns the planned position, which is searched instead of the world's position s, and the
// model of nature to use. The parameter planner is the kind that Default stands for.
//
// Plan works on s itself, not on a copy. It removes wrappers that the planner does not model, so
// that the search does not spend time on them. A node at which an adversary moves becomes a chance
// node again. If a slip is pending at s and the planner ignores slips, Plan plays the intended
// move. The caller must call undo after the search to restore s.
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
