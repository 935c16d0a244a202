package search

// expectation is the value of a position at which nature or a policy moves: the sum of P(r)
// Value(Result(s, r)) over the moves r (Expectiminimax: Michie 1966; Russell and Norvig, section
// 5.5). It needs every move's value, so it cuts nothing and the window is open.
func (t *textbook) expectation(depth int) float64 {
	var (
		pos    = &t.pos
		nature = &pos.Nature
		first  = len(pos.Moves)
		begin  = len(nature.Probs)
		path   = nature.Path
		sum    float64
	)
	pos.Moves = pos.State.Moves(pos.Moves)
	last := len(pos.Moves)
	pos.Weights(pos.Moves[first:])
	t.pv.down()
	for i := first; i < last && !pos.Effort.Stopped(); i++ {
		p := nature.Probs[begin+i-first]
		if p == 0 {
			continue
		}
		pos.Play(pos.Moves[i])
		nature.Path = path * p
		if nature.Path < nature.MinProb {
			sum += float64(p * pos.Unlikely())
		} else {
			sum += float64(p * t.value(depth, -inf, inf))
		}
		pos.Undo()
	}
	t.pv.up()
	nature.Path = path
	pos.Moves, nature.Probs = pos.Moves[:first], nature.Probs[:begin]
	return sum
}
