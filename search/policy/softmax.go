package policy

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/search"
)

// Temperature is the default temperature of [NewSoftmax], as a fraction of the utility range.
const Temperature = 0.01

// Softmax is a policy that draws each move with a probability that depends on the value of the
// position after the move. If one move is worth T less than another, its probability is lower by a
// factor of e, where T is the temperature (the logit choice of McKelvey and Palfrey, "Quantal
// response equilibria for normal form games", Games and Economic Behavior 10, 1995). Like people,
// the policy makes more errors if moves are nearly equal. It also mixes moves, as equilibria of
// games with hidden cards require.
type Softmax struct {
	eval        search.Evaluator
	temperature float64 // in the game's units
	random      float64 // fraction of moves that are drawn uniformly
	values      func(s game.State, moves []game.Move, dst []float64) []float64
	source      rand.PCG
	rng         *rand.Rand
}

var _ game.Policy = (*Softmax)(nil)

// NewSoftmax returns the softmax policy for the evaluation o.Eval in the game o.Game. The
// temperature is a fraction of the utility range; 0 means [Temperature]. The parameter random is
// the fraction of moves that are drawn uniformly.
//
// If nothing is hidden, moves have the same values as in [search.NewGreedy] with the options o.
// With hidden information, moves are tried in a position drawn from those that the mover considers
// possible. It is always the same position, so a move that reveals cards reveals the drawn ones.
// Finished positions are evaluated too, because the mover does not know the result of a call or a
// fold. Evaluations are from the mover's point of view and are not clipped to the game's bounds.
func NewSoftmax(o search.Options, temperature, random float64) (*Softmax, error) {
	g := o.Game
	switch {
	case g == nil || o.Eval == nil:
		return nil, fmt.Errorf("softmax: want a game and an evaluation")
	case !(temperature >= 0) || math.IsInf(temperature, 1):
		return nil, fmt.Errorf("softmax: temperature=%v: want a positive number", temperature)
	case !(random >= 0 && random <= 1):
		return nil, fmt.Errorf("softmax: random=%v: want a number from 0 to 1", random)
	case math.IsInf(g.Max-g.Min, 0):
		return nil, fmt.Errorf("softmax: the utilities of %s have no bounds; use a game with bounded utilities", g.Spec)
	}
	if hostile, ok := game.As[*game.Adversary](g.New()); ok && hostile.Solo() {
		return nil, fmt.Errorf("softmax: the only opponent in %s is chance; use an agent that searches", g.Spec)
	}
	p := &Softmax{eval: o.Eval, temperature: cmp.Or(temperature, Temperature) * (g.Max - g.Min), random: random}
	if p.rng, p.values = rand.New(&p.source), p.unseen; !g.Hidden {
		greedy, err := search.NewGreedy(o)
		if err != nil {
			return nil, err
		}
		p.values = func(s game.State, moves []game.Move, dst []float64) []float64 {
			r, err := greedy.Search(context.Background(), s)
			if err != nil || len(r.Root) != len(moves) {
				panic(fmt.Sprintf("policy: softmax: %d values for %d moves of %s: %v", len(r.Root), len(moves), s, err))
			}
			for _, m := range r.Root {
				dst = append(dst, m.Value)
			}
			return dst
		}
	}
	return p, nil
}

// unseen appends the values of the moves at a position with hidden information.
func (p *Softmax) unseen(s game.State, moves []game.Move, dst []float64) []float64 {
	turn := s.Turn()
	h, _ := game.As[game.HiddenState](s)
	seed := uint64(turn)
	for _, c := range []byte(h.Info(turn)) {
		seed = game.Mix(seed ^ uint64(c))
	}
	p.source.Seed(seed, seed)
	drawn := h.Sample(turn, p.rng)
	for _, m := range moves {
		drawn.Play(m)
		dst = append(dst, p.eval.Evaluate(drawn, turn))
		drawn.Undo()
	}
	return dst
}

func (p *Softmax) Probs(s game.State, moves []game.Move, dst []float64) []float64 {
	at := len(dst)
	dst = p.values(s, moves, dst)
	probs, sum := dst[at:], 0.0
	most := slices.Max(probs)
	for i, v := range probs {
		probs[i] = elementary.Exp((v - most) / p.temperature)
		sum += probs[i]
	}
	for i := range probs {
		probs[i] = float64((1-p.random)*(probs[i]/sum)) + p.random/float64(len(probs))
	}
	return dst
}
