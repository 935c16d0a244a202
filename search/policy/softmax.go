package policy

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/search"
)

// Temperature is the default of [NewSoftmax], in parts of the range of utilities.
const Temperature = 0.01

// Softmax draws moves by an evaluation of the positions after them: a move worth T less than
// another has 1/e of its probability (the logit choice of McKelvey and Palfrey, "Quantal response
// equilibria for normal form games", Games and Economic Behavior 10, 1995). It mixes moves of
// similar worth, as equilibria with hidden cards need; a search never mixes.
type Softmax struct {
	eval        search.Evaluator
	temperature float64 // in units of the game
	source      rand.PCG
	rng         *rand.Rand
}

var _ game.Policy = (*Softmax)(nil)

// NewSoftmax is the softmax of an evaluation of g, a game with hidden information. The temperature
// is in parts of the range of utilities, above 0; 0: [Temperature].
//
// Finished positions are evaluated, too, since the mover does not know what a call or a fold leads
// to, as the mover sees them and without clipping to the game's bounds. Moves are tried in a
// position drawn from what the mover knows, always the same one, so a move that reveals cards shows
// drawn ones. With perfect information use a search.
func NewSoftmax(g *game.Game, eval search.Evaluator, temperature float64) (*Softmax, error) {
	switch {
	case g == nil || eval == nil:
		return nil, fmt.Errorf("softmax: want a game and an evaluation")
	case !g.Hidden:
		return nil, fmt.Errorf("softmax: nothing is hidden in %s: want a search", g.Spec)
	case !(temperature >= 0) || math.IsInf(temperature, 1):
		return nil, fmt.Errorf("softmax: temperature=%v: want a positive number", temperature)
	case math.IsInf(g.Max-g.Min, 0):
		return nil, fmt.Errorf("softmax: the utilities of %s have no bounds: want a game whose have", g.Spec)
	}
	p := &Softmax{eval: eval, temperature: cmp.Or(temperature, Temperature) * (g.Max - g.Min)}
	p.rng = rand.New(&p.source)
	return p, nil
}

// Probs implements [game.Policy].
func (p *Softmax) Probs(s game.State, moves []game.Move, dst []float64) []float64 {
	at, turn, most := len(dst), s.Turn(), math.Inf(-1)
	h, _ := game.As[game.HiddenState](s)
	seed := uint64(turn)
	for _, c := range []byte(h.Info(turn)) {
		seed = game.Mix(seed ^ uint64(c))
	}
	p.source.Seed(seed, seed)
	drawn := h.Sample(turn, p.rng)
	for _, m := range moves {
		drawn.Play(m)
		v := p.eval.Evaluate(drawn, turn)
		drawn.Undo()
		dst = append(dst, v)
		most = max(most, v)
	}
	probs, sum := dst[at:], 0.0
	for i, v := range probs {
		probs[i] = elementary.Exp((v - most) / p.temperature)
		sum += probs[i]
	}
	for i := range probs {
		probs[i] /= sum
	}
	return dst
}
