package pacman

import (
	"context"
	"fmt"
	"math/bits"

	"plyfit/game"
)

// nature is how ghosts move of their own.
type nature int8

const (
	random      nature = iota // every legal move alike
	directional               // four times of five towards Pacman, or away while scared
)

// attack is the share of a directional ghost's moves that it plays by distance.
const attack = 0.8

// odds are the probabilities of one position's moves.
type odds struct {
	serial uint64 // of the position; 0: none
	prob   [5]float64
	moves  []game.Move
	asked  []float64
}

// Prob implements [game.Chancer]. Where the ghosts follow a policy put in from
// outside it is 0 for moves that the policy never makes.
func (s *State) Prob(m game.Move) float64 {
	p := s.at()
	follows := s.rules.policy != nil && !s.thinking
	if s.nature == random && !follows {
		return oneOf[bits.OnesCount8(s.legal(p))&7]
	}
	if s.known.serial != p.serial {
		if follows {
			if err := s.consult(context.Background(), p.serial); err != nil {
				panic(fmt.Sprintf("pacman: a policy of ghosts has no answer: %v", err))
			}
		} else {
			s.known.serial = p.serial
			s.byDistance(p, &s.known.prob)
		}
	}
	return s.known.prob[m]
}

var oneOf = [8]float64{0, 1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 7}

// For implements [game.Chancer]: it is Pacman's luck.
func (s *State) For() game.Player { return 0 }

// byDistance is a directional ghost: attack in equal shares on the moves nearest to Pacman, in
// Manhattan's metric, or farthest while scared; the rest in equal shares on all legal moves.
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

// between is Manhattan's distance of two half-cell indices, in half cells.
func (r *rules) between(a, b int16) int {
	w := r.stride
	dx, dy := int(a)%w-int(b)%w, int(a)/w-int(b)/w
	return max(dx, -dx) + max(dy, -dy)
}

// Ponders implements [game.Ponderer]: ghosts that follow a policy put in from outside may think.
func (s *State) Ponders() bool { return s.rules.policy != nil }

func (s *State) Ponder(ctx context.Context) error {
	p := s.at()
	if s.rules.policy == nil || s.thinking || p.turn <= 0 || s.known.serial == p.serial {
		return nil
	}
	return s.consult(ctx, p.serial)
}

// consult asks the policy for its probabilities here. While it thinks, the ghosts
// of the position that it is given move as they would without it.
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
		panic(fmt.Sprintf("pacman: a policy of ghosts gives %d probabilities for %d moves", len(k.asked), len(k.moves)))
	}
	k.serial, k.prob = serial, [5]float64{}
	for i, m := range k.moves {
		k.prob[m] = k.asked[i]
	}
	return nil
}

// WithGhosts is g, a game of this package without wrappers, with ghosts that follow an external
// policy: a depth-limited agent (policy.FromAgent), a mixture. Each state makes its own policy at
// the first chance node whose probabilities are needed and asks it at every one; the policy sees
// that state as a State of g, a chance node at which the ghost [State.Mover] moves and later ghosts
// are g's own. Legal moves that the policy never makes are listed with probability 0, so that a
// planner with another model of the ghosts does not learn their intentions. name represents the
// policy in the game's Spec.
func WithGhosts(g *game.Game, name string, make func() game.Policy) (*game.Game, error) {
	s, ok := g.New().(*State)
	if !ok {
		return nil, fmt.Errorf("ghost=(%s): %s is no game of pacman without wrappers", name, g.Spec)
	}
	if s.rules.policy != nil || s.nature != random {
		return nil, fmt.Errorf("ghost=(%s): the ghosts of %s have a policy already", name, g.Spec)
	}
	r := *s.rules
	r.policy = make
	separator := ","
	if g.Spec == "pacman" {
		separator = ":"
	}
	return r.game(g.Spec + separator + "ghost=(" + name + ")"), nil
}
