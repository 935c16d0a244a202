package search

import "plyfit/game"

// nature is who moves at chance nodes, and who else moves by probabilities, in the
// planner's mind.
type nature struct {
	kind    natureKind
	chancer game.Chancer // nil: no chance nodes
	policy  *policyCache // nil: nobody follows one
	others  bool         // the other players follow the policy, too

	samples int     // of nature's moves at a node; 0: all
	minProb float64 // below which a chance node is evaluated at once
	seed    uint64  // of samples

	path  float64   // the probability of the chance moves along the line
	probs []float64 // all lists of probabilities along the line, one after the other
}

// natureKind is how a search treats a chance node of the state that it plans on.
type natureKind int8

const (
	natureAverages natureKind = iota // by Chancer.Prob
	natureUniform                    // all moves alike
	natureOpposes                    // the opponent of Chancer.For chooses
	natureFollows                    // by the policy
)

// averages reports whether there may be nodes whose value is an average.
func (p *position) averages() bool {
	return p.nature.chancer != nil && p.nature.kind != natureOpposes || p.nature.others
}

// weights appends to nature.probs the probabilities of moves at an average node.
// Sampled ones are shares of the draws, most of them zero.
func (p *position) weights(moves []game.Move) {
	n := &p.nature
	begin := len(n.probs)
	switch {
	case n.policy != nil && (p.state.Turn() >= 0 || n.kind == natureFollows && p.base.Turn() == game.Chance):
		// A slip is nobody's choice: it keeps its probabilities.
		n.probs = n.policy.probs(p.state, p.base, moves, n.probs)
	case n.kind == natureUniform:
		for range moves {
			n.probs = append(n.probs, 1/float64(len(moves)))
		}
	default:
		for _, m := range moves {
			n.probs = append(n.probs, n.chancer.Prob(m))
		}
	}
	if q := n.probs[begin:]; n.samples > 0 && len(q) > n.samples {
		n.sample(q, game.Mix(p.state.Hash()^n.seed))
		p.effort.estimates++
	}
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
	for range n.samples {
		random = game.Mix(random)
		x := float64(random>>11) / (1 << 53) * sum
		i := 0
		for i < len(q)-1 && cumulative[i] <= x {
			i++
		}
		q[i] += 1 / float64(n.samples)
	}
}

// policyCache asks a policy once a position.
type policyCache struct {
	policy game.Policy
	known  map[uint64][]float64
}

func newPolicyCache(p game.Policy) policyCache {
	return policyCache{policy: p, known: map[uint64][]float64{}}
}

// maxPolicies is how many positions a policyCache remembers before it starts
// anew: some 100 MB of policies over ten moves.
const maxPolicies = 1 << 20

func (c *policyCache) probs(s, base game.State, moves []game.Move, dst []float64) []float64 {
	key := s.Hash()
	p, ok := c.known[key]
	if !ok || len(p) != len(moves) {
		p = c.policy.Probs(base, moves, nil)
		if len(c.known) >= maxPolicies {
			clear(c.known)
		}
		c.known[key] = p
	}
	return append(dst, p...)
}

// unlikely is the value of a position that is too improbable to be searched.
func (p *position) unlikely() float64 {
	p.effort.nodes++
	if p.state.Turn() == game.Nobody {
		return p.utility()
	}
	return p.evaluate()
}
