package pacman

import (
	"context"
	"fmt"
	"math/bits"

	"plyfit/game"
)

// nature is the built-in behaviour of the ghosts.
type nature int8

const (
	random      nature = iota // uniform over the legal moves
	directional               // 80% towards Pacman, or away from Pacman while the ghost is scared
)

// attack is the probability with which a directional ghost considers the distance to Pacman.
const attack = 0.8

// odds caches the move probabilities in one position.
type odds struct {
	serial uint64 // serial number of the position; 0 if the cache is empty
	prob   [5]float64
	moves  []game.Move
	asked  []float64
}

// Prob implements [game.Chancer]. If the ghosts follow an external policy, Prob returns 0 for moves
// that the policy never makes.
func (s *State) Prob(m game.Move) float64 {
	p := s.at()
	follows := s.rules.policy != nil && !s.thinking
	if s.nature == random && !follows {
		return oneOf[bits.OnesCount8(s.legal(p))&7]
	}
	if s.known.serial != p.serial {
		if follows {
			if err := s.consult(context.Background(), p.serial); err != nil {
				panic(fmt.Sprintf("pacman: the policy of the ghosts failed: %v", err))
			}
		} else {
			s.known.serial = p.serial
			s.byDistance(p, &s.known.prob)
		}
	}
	return s.known.prob[m]
}

var oneOf = [8]float64{0, 1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 7}

// For implements [game.Chancer]. The chance nodes belong to Pacman.
func (s *State) For() game.Player { return 0 }

// byDistance computes the move probabilities of a directional ghost. The probability attack is
// divided equally among the moves that end nearest to Pacman in the Manhattan metric, or, while the
// ghost is scared, farthest from Pacman. The rest is divided equally among all legal moves.
func (s *State) byDistance(p *position, prob *[5]float64) {
	set := s.legal(p)
	g := &p.ghosts[p.turn-1]
	far := [5]int{}
	best, ties := 0, 0
	for rest := set; rest != 0; rest &= rest - 1 {
		d := bits.TrailingZeros8(rest)
		by := s.step[d]
		sign := 1
		if g.timer == 0 {
			by *= 2
			sign = -1
		}
		far[d] = sign * s.between(g.at+by, p.pacman)
		if ties == 0 || far[d] > best {
			best, ties = far[d], 0
		}
		if far[d] == best {
			ties++
		}
	}
	rest := (1 - attack) / float64(bits.OnesCount8(set))
	for d := range prob {
		prob[d] = rest
		if far[d] == best {
			prob[d] += attack / float64(ties)
		}
	}
}

// between returns the Manhattan distance between two half-cell indices, in half-cells.
func (r *rules) between(a, b int16) int {
	w := r.stride
	dx, dy := int(a)%w-int(b)%w, int(a)/w-int(b)/w
	return max(dx, -dx) + max(dy, -dy)
}

// Ponders implements [game.Ponderer]. Ghosts with an external policy may search.
func (s *State) Ponders() bool { return s.rules.policy != nil }

func (s *State) Ponder(ctx context.Context) error {
	p := s.at()
	if s.rules.policy == nil || s.thinking || p.turn <= 0 || s.known.serial == p.serial {
		return nil
	}
	return s.consult(ctx, p.serial)
}

// consult calls the policy for the probabilities in the current position. During the call, the
// ghosts in the position passed to the policy follow the built-in behaviour.
func (s *State) consult(ctx context.Context, serial uint64) error {
	if s.policy == nil {
		s.policy = s.rules.policy()
	}
	s.thinking = true
	k := &s.known
	k.moves = s.Moves(k.moves[:0])
	asked, err := game.ProbsWithin(ctx, s.policy, s, k.moves, k.asked[:0])
	s.thinking = false
	if err != nil {
		return err
	}
	k.asked = asked
	if len(k.asked) != len(k.moves) {
		panic(fmt.Sprintf("pacman: the policy of the ghosts returns %d probabilities for %d moves", len(k.asked), len(k.moves)))
	}
	k.serial, k.prob = serial, [5]float64{}
	for i, m := range k.moves {
		k.prob[m] = k.asked[i]
	}
	return nil
}

// WithGhosts returns a copy of g whose ghosts follow an external policy, such as a depth-limited
// agent (policy.FromAgent) or a mixture. g must be a game of this package without wrappers and
// without such a policy.
//
// Each state calls make to create its own policy when it first needs probabilities. The policy is
// called at each chance node whose probabilities are needed. It receives the state as a State of g
// in which a ghost is to move and later ghosts follow the behaviour of g.
//
// Legal moves that the policy never makes are listed with probability 0. A planner that models the
// ghosts differently therefore learns nothing about their intentions. name represents the policy in
// the game's Spec.
func WithGhosts(g *game.Game, name string, make func() game.Policy) (*game.Game, error) {
	s, ok := g.New().(*State)
	if !ok {
		return nil, fmt.Errorf("ghost=(%s): %s is not a pacman game without wrappers", name, g.Spec)
	}
	if s.rules.policy != nil || s.nature != random {
		return nil, fmt.Errorf("ghost=(%s): the ghosts of %s already have a policy", name, g.Spec)
	}
	r := *s.rules
	r.policy = make
	separator := ","
	if g.Spec == "pacman" {
		separator = ":"
	}
	return r.game(g.Spec + separator + "ghost=(" + name + ")"), nil
}
