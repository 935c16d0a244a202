package bootstrap

import (
	"math"

	"plyfit/game"
	"plyfit/search"
)

// tdleaf implements TDLeaf(lambda) (Baxter, Tridgell and Weaver 2000, "Learning to Play Chess Using
// Temporal Differences"). x_t^l is the leaf of the principal variation of the search at x_t, whose
// evaluation J is the value of the search. With
//
//	d_t = J(x_{t+1}^l) - J(x_t^l), with the outcome in place of the last J,
//	delta w = alpha * sum over t of grad J(x_t^l) * (sum over j >= t of lambda^(j-t) d_j)
//
// A random move ends the sum, because the positions after it do not result from the player's
// choice. The end of a game that was cut off also ends the sum.
type tdleaf struct{ sweep }

func (t *tdleaf) searched(p *searcher, s game.State, r *search.Result) {
	step := step{value: r.Values[0]}
	for _, m := range r.PV {
		s.Play(m)
	}
	line := p.quiescenceLine(s, step.value)
	if step.noLeaf = s.Turn() == game.Nobody || !p.isStaticValue(s, step.value); !step.noLeaf {
		t.extract(p, s, &step)
	}
	for range len(r.PV) + line {
		s.Undo()
	}
	t.steps = append(t.steps, step)
}

func (t *tdleaf) ended(p *searcher, s game.State, truncated bool) {
	n := len(t.steps)
	trace := 0.0 // sum over j >= t of lambda^(j-t) d_j
	for i := n - 1; i >= 0; i-- {
		step := &t.steps[i]
		switch {
		case step.explored, i == n-1 && truncated:
			trace = 0
		case i == n-1:
			trace = s.Utility(0) - step.value
		default:
			trace = t.steps[i+1].value - step.value + float64(t.lambda*trace)
		}
		if !step.noLeaf {
			p.learn(t.of(step), step.sign, step.z, p.value.of(step.z)+trace, 1)
		}
	}
}

// isStaticValue reports whether value is the evaluation of s that a search would compute.
func (p *searcher) isStaticValue(s game.State, value float64) bool {
	return math.Abs(p.evaluate(s)-value) <= 1e-9*math.Max(1, math.Abs(value))
}

// evaluate returns player 0's static value of s, clamped to the bounds of the position.
func (p *searcher) evaluate(s game.State) float64 {
	if s.Turn() == game.Nobody {
		return s.Utility(0)
	}
	lo, hi := p.value.lo, p.value.hi
	if b, ok := game.As[game.Bounder](s); ok {
		lo, hi = b.Bounds(0)
	}
	return max(lo, min(hi, p.evaluator.Evaluate(s, 0)))
}

// quiescenceLine plays the noisy moves of the quiescence search from the end of a principal
// variation, if value comes from that search. It returns the number of moves made.
func (p *searcher) quiescenceLine(s game.State, value float64) int {
	noisy, ok := game.As[game.Noisy](s)
	if !ok || s.Turn() < 0 || p.isStaticValue(s, value) {
		return 0
	}
	_, line := p.quiescence(s, noisy, math.Inf(-1), math.Inf(1))
	for _, m := range line {
		s.Play(m)
	}
	return len(line)
}

// quiescence performs the same quiescence search as the agent. It also returns the line that leads
// to the value.
func (p *searcher) quiescence(s game.State, noisy game.Noisy, alpha, beta float64) (best float64, line []game.Move) {
	best = p.evaluate(s)
	turn := s.Turn()
	if turn < 0 {
		return best, nil
	}
	for _, m := range noisy.Noisy(nil) {
		if turn == 0 {
			alpha = max(alpha, best)
		} else {
			beta = min(beta, best)
		}
		if alpha >= beta {
			break
		}
		s.Play(m)
		v, below := p.quiescence(s, noisy, alpha, beta)
		s.Undo()
		if turn == 0 && v > best || turn == 1 && v < best {
			best, line = v, append([]game.Move{m}, below...)
		}
	}
	return best, line
}
