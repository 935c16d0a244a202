package search

// expectation is the value of a position at which nature is to move, or someone
// who follows a policy: the sum of P(r) Value(Result(s, r)) over the moves r
// (Expectiminimax: Michie 1966; Russell and Norvig, section 5.5). Nothing is cut on
// account of it: what every move is worth is needed, so the window is open.
func (t *textbook) expectation(depth int) float64 {
	var (
		pos    = &t.pos
		nature = &pos.nature
		first  = len(pos.moves)
		begin  = len(nature.probs)
		path   = nature.path
		sum    float64
	)
	pos.moves = pos.state.Moves(pos.moves)
	last := len(pos.moves)
	pos.weights(pos.moves[first:])
	t.pv.down()
	for i := first; i < last && !pos.effort.meter.stopped; i++ {
		p := nature.probs[begin+i-first]
		if p == 0 {
			continue
		}
		pos.play(pos.moves[i])
		nature.path = path * p
		if nature.path < nature.minProb {
			sum += float64(p * pos.unlikely())
		} else {
			sum += float64(p * t.value(depth, -inf, inf))
		}
		pos.undo()
	}
	t.pv.up()
	nature.path = path
	pos.moves, nature.probs = pos.moves[:first], nature.probs[:begin]
	return sum
}
