package position

import (
	"context"

	"plyfit/game"
	"plyfit/search/assume"
)

// nature is the planner's model of who moves at chance nodes, or elsewhere by probabilities.
type nature struct {
	Kind    assume.Nature
	Chancer game.Chancer // nil: no chance nodes
	Policy  *PolicyCache // nil: none follows one
	Others  bool         // the other players follow the policy, too

	Samples int     // of nature's moves at a node; 0: all
	MinProb float64 // below which a chance node is evaluated at once
	Seed    uint64  // of samples

	Path  float64   // the probability of the chance moves along the line
	Probs []float64 // all lists of probabilities along the line, one after the other

	ponderer game.Ponderer // nil: nature never thinks
}

// Averages reports whether there may be nodes whose value is an average.
func (p *Position) Averages() bool {
	return p.Nature.Chancer != nil && p.Nature.Kind != assume.NatureOpposes || p.Nature.Others
}

// Weights appends to Nature.Probs the probabilities of moves at an average node. Sampled ones are
// shares of the draws, most of them zero. If they come from a searching agent and the search's
// context ends, the search stops and the appended values are meaningless.
func (p *Position) Weights(moves []game.Move) {
	n := &p.Nature
	begin := len(n.Probs)
	var err error
	switch {
	case n.Policy != nil && (p.State.Turn() >= 0 || n.Kind == assume.NatureFollows && p.Base.Turn() == game.Chance):
		// A slip is no one's choice: it keeps its probabilities.
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

// sample replaces the probabilities q by the frequencies of samples draws, which
// follow from random alone.
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

// PolicyCache asks a policy once a position.
type PolicyCache struct {
	policy game.Policy
	known  map[uint64][]float64
}

// NewPolicyCache asks p.
func NewPolicyCache(p game.Policy) PolicyCache {
	return PolicyCache{policy: p, known: map[uint64][]float64{}}
}

// maxPolicies is a PolicyCache's limit of positions: some 100 MB for ten moves each.
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

// Unlikely is the value of a position that is too improbable to be searched.
func (p *Position) Unlikely() float64 {
	p.Effort.Nodes++
	if p.State.Turn() == game.Nobody {
		return p.Utility()
	}
	return p.Evaluate()
}
