package bootstrap

import (
	"plyfit/game"
	"plyfit/search"
)

// rootstrap moves the evaluation of the position at hand toward the value of its
// search (Veness, Silver, Uther and Blair 2009, "Bootstrapping from Game Tree
// Search", section 3.1): with H the evaluation and V the search's value,
//
//	delta_t = V(s_t) - H(s_t)
//	delta theta = alpha * delta_t * phi(s_t)
//
// That is lambda 0. Search by search, news of the end of a game comes no farther than the search is
// deep; what holds for a whole game, as an extra piece does, is learned slowly. So with lambda
// above 0 the target is the lambda-return of the searches to come, as in TD(lambda) (Sutton 1988),
// which is V(s_t) for lambda 0 and the outcome for 1:
//
//	G_t = (1 - lambda) V(s_t) + lambda G_{t+1}, the last G being the outcome.
//
// A random move ends the return, since what follows it is not what the player
// meant; so does the end of a game that was cut off.
type rootstrap struct {
	sweep          // without steps where lambda is 0
	weight float64 // of a sample
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
