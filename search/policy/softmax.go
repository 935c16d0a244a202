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

// Temperature is the default of [NewSoftmax], in parts of the range of utilities.
const Temperature = 0.01

// Softmax draws moves by an evaluation of the positions after them: a move worth T less than
// another has 1/e of its probability (the logit choice of McKelvey and Palfrey, "Quantal response
// equilibria for normal form games", Games and Economic Behavior 10, 1995). It errs more where
// moves are nearly equal, as people do, and mixes as equilibria with hidden cards need.
type Softmax struct {
	eval        search.Evaluator
	temperature float64 // in units of the game
	random      float64 // the share of moves drawn uniformly
	values      func(s game.State, moves []game.Move, dst []float64) []float64
	source      rand.PCG
	rng         *rand.Rand
}

var _ game.Policy = (*Softmax)(nil)

// NewSoftmax is the softmax of o.Eval in o.Game. The temperature is in parts of the range of
// utilities, above 0; 0: [Temperature]. The share random, from 0 to 1, of all moves is drawn
// uniformly.
//
// Where nothing is hidden, moves have the values that [search.NewGreedy] of o gives them. With
// hidden information, finished positions are evaluated, too, since the mover does not know what a
// call or a fold leads to, as the mover sees them and without clipping to the game's bounds. Moves
// are tried in a position drawn from what the mover knows, always the same one, so a move that
// reveals cards shows drawn ones.
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
		return nil, fmt.Errorf("softmax: the utilities of %s have no bounds: want a game whose have", g.Spec)
	}
	if hostile, ok := game.As[*game.Adversary](g.New()); ok && hostile.Solo() {
		return nil, fmt.Errorf("softmax: no player but chance opposes in %s: want an agent that searches", g.Spec)
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

// unseen appends the values of moves where something is hidden.
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
