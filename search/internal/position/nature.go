package position

import (
	"context"

	"plyfit/game"
	"plyfit/search/assume"
)

// nature is the planner's model of the moves that are made with given probabilities, mainly at
// chance nodes.
type nature struct {
	Kind    assume.Nature
	Chancer game.Chancer // nil if there are no chance nodes
	Policy  *PolicyCache // nil if no policy is assumed
	Others  bool         // the other players also follow the policy

	Samples int     // number of nature's moves sampled at a node; 0 means all
	MinProb float64 // chance nodes with a lower probability are evaluated without a search
	Seed    uint64  // seed of the samples

	Path  float64   // probability of the chance moves along the current line
	Probs []float64 // probabilities at all nodes along the current line, in order

	ponderer game.Ponderer // nil if nature does not search for its moves
}

// Averages reports whether the search can reach nodes whose value is an average.
func (p *Position) Averages() bool {
	return p.Nature.Chancer != nil && p.Nature.Kind != assume.NatureOpposes || p.Nature.Others
}

// Weights appends the probabilities of the moves at an averaging node to Nature.Probs. If nature is
// sampled, the values are the relative frequencies of the draws, and many of them are zero. If the
// probabilities come from an agent that searches and the search's context ends, the search stops
// and the appended values are meaningless.
func (p *Position) Weights(moves []game.Move) {
	n := &p.Nature
	begin := len(n.Probs)
	var err error
	switch {
	case n.Policy != nil && (p.State.Turn() >= 0 || n.Kind == assume.NatureFollows && p.Base.Turn() == game.Chance):
		// A slip is not a player's choice, so its probabilities do not change.
		n.Probs, err = n.Policy.probs(p.Effort.Context(), p.State, p.Base, moves, n.Probs)
	case n.Kind == assume.NatureUniform:
		n.Probs = uniform(moves, n.Probs)
	default:
		if n.ponderer != nil {
			err = n.ponderer.Ponder(p.Effort.Context())
		}
		for i := 0; err == nil && i < len(moves); i++ {
			n.Probs = append(n.Probs, n.Chancer.Prob(moves[i]))
		}
	}
	if err != nil {
		p.Effort.Fail(err)
		n.Probs = uniform(moves, n.Probs[:begin])
	}
	if q := n.Probs[begin:]; n.Samples > 0 && len(q) > n.Samples {
		n.sample(q, game.Mix(p.State.Hash()^n.Seed))
		p.Effort.Estimates++
	}
}

func uniform(moves []game.Move, dst []float64) []float64 {
	for range moves {
		dst = append(dst, 1/float64(len(moves)))
	}
	return dst
}

// sample replaces the probabilities q with the relative frequencies of n.Samples draws. The
// parameter random determines the draws.
func (n *nature) sample(q []float64, random uint64) {
	cumulative := make([]float64, len(q))
	sum := 0.0
	for i, x := range q {
		sum += x
		cumulative[i] = sum
		q[i] = 0
	}
	for range n.Samples {
		random = game.Mix(random)
		x := float64(random>>11) / (1 << 53) * sum
		i := 0
		for i < len(q)-1 && cumulative[i] <= x {
			i++
		}
		q[i] += 1 / float64(n.Samples)
	}
}

// PolicyCache calls a policy once for each position and stores the result.
type PolicyCache struct {
	policy game.Policy
	known  map[uint64][]float64
}

// NewPolicyCache returns an empty cache for p.
func NewPolicyCache(p game.Policy) PolicyCache {
	return PolicyCache{policy: p, known: map[uint64][]float64{}}
}

// maxPolicies is the number of positions at which the cache is cleared. They take about 160 MB with
// ten moves per position.
const maxPolicies = 1 << 20

func (c *PolicyCache) probs(ctx context.Context, s, base game.State, moves []game.Move, dst []float64) ([]float64, error) {
	key := s.Hash()
	p, ok := c.known[key]
	if !ok || len(p) != len(moves) {
		var err error
		if p, err = game.ProbsWithin(ctx, c.policy, base, moves, nil); err != nil {
			return dst, err
		}
		if len(c.known) >= maxPolicies {
			clear(c.known)
		}
		c.known[key] = p
	}
	return append(dst, p...), nil
}

// Unlikely returns the value of a position that is too improbable to be searched.
func (p *Position) Unlikely() float64 {
	p.Effort.Nodes++
	if p.State.Turn() == game.Nobody {
		return p.Utility()
	}
	return p.Evaluate()
}
