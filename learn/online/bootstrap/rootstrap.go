package bootstrap

import (
	"math"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
)

// rootstrap moves the evaluation of the current position towards its search value (Veness, Silver,
// Uther and Blair 2009, "Bootstrapping from Game Tree Search", section 3.1). With H the evaluation
// and V the value of the search,
//
//	delta_t = V(s_t) - H(s_t)
//	delta theta = alpha * delta_t * phi(s_t)
//
// This applies if lambda is 0. In that case, information about the end of a game travels backwards
// only by the depth of a search, and effects that last for a whole game, such as an extra piece,
// are learned slowly. If lambda is above 0, the target is the lambda-return of the later searches,
// as in TD(lambda) (Sutton 1988). It is V(s_t) for lambda 0 and the outcome for lambda 1:
//
//	G_t = (1 - lambda) V(s_t) + lambda G_{t+1}, where the last G is the outcome.
//
// A random move ends the return, because the positions after it do not result from the player's
// choice. The end of a game that was cut off also ends the return.
type rootstrap struct {
	sweep          // without steps if lambda is 0
	weight float64 // weight of a sample
}

func (r *rootstrap) searched(p *searcher, s game.State, found *search.Result) {
	if !p.value.covers(s) {
		return
	}
	step := step{value: found.Values[0]}
	r.extract(p, s, &step)
	if r.lambda == 0 {
		p.learn(r.of(&step), step.sign, step.z, step.value, r.weight)
		r.terms = r.terms[:step.first]
		return
	}
	r.steps = append(r.steps, step)
}

func (r *rootstrap) ended(p *searcher, s game.State, truncated bool) {
	target := 0.0
	if !truncated {
		target = s.Utility(0)
	}
	for i := len(r.steps) - 1; i >= 0; i-- {
		step := &r.steps[i]
		if step.explored || truncated && i == len(r.steps)-1 {
			target = step.value
		} else {
			target = float64((1-r.lambda)*step.value) + float64(r.lambda*target)
		}
		p.learn(r.of(step), step.sign, step.z, target, r.weight)
	}
}

// treestrap moves the evaluation of every searched position to which the model applies towards the
// value that the search found for it (Veness, Silver, Uther and Blair 2009, "Bootstrapping from
// Game Tree Search", sections 3.2 and 3.3). Let H be the evaluation and V the value of the search.
// Then for each position s of the tree, except leaves and ends of the game,
//
//	minimax:    delta_t(s) = V(s) - H(s)
//	alpha-beta: delta_t(s) = a(s) - H(s) if H(s) < a(s), b(s) - H(s) if H(s) > b(s), else 0
//	delta theta = alpha * sum over s of delta_t(s) * phi(s)
//
// where a(s) and b(s) are the bounds that the search found for s. The bounds are equal if the
// planner does not prune, for example at the chance nodes of expectimax. The root is treated as in
// [RootStrap], with its lambda. Its weight is Root times the weight of any other position, because
// the other positions are numerous and few of them occur in games.
type treestrap struct{ rootstrap }

func (t *treestrap) searched(p *searcher, s game.State, r *search.Result) {
	t.rootstrap.searched(p, s, r) // the observer does not report the root
	h := p.recorder
	for i := range h.nodes {
		n := &h.nodes[i]
		v := p.value.of(n.z)
		p.learn(h.terms[n.first:n.last], n.sign, n.z, max(n.lo, min(n.hi, v)), 1)
	}
}

// nodeRecorder records the nodes of a search. It stores each position once, with the bounds from
// the deepest search of the position.
type nodeRecorder struct {
	value *valueFunction
	at    map[uint64]int32
	nodes []recordedNode
	terms models.Vector
}

type recordedNode struct {
	first, last int // range in terms
	depth       int
	sign, z     float64
	lo, hi      float64 // bounds on player 0's value
}

func (l *nodeRecorder) Node(v *search.Visit) {
	s, depth := v.State, v.Depth
	if depth < 1 || !l.value.covers(s) {
		return
	}
	h := s.Hash()
	i, known := l.at[h]
	if !known {
		i = int32(len(l.nodes))
		l.at[h] = i
		n := recordedNode{first: len(l.terms), lo: math.Inf(-1), hi: math.Inf(1)}
		l.terms, n.sign, n.z = l.value.extract(s, l.terms)
		n.last = len(l.terms)
		l.nodes = append(l.nodes, n)
	}
	n := &l.nodes[i]
	if depth < n.depth {
		return
	}
	if depth > n.depth {
		n.depth, n.lo, n.hi = depth, math.Inf(-1), math.Inf(1)
	}
	if v.Kind != search.Upper {
		n.lo = max(n.lo, v.Value)
	}
	if v.Kind != search.Lower {
		n.hi = min(n.hi, v.Value)
	}
}
