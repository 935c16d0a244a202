package search

import (
	"plyfit/game"
)

// expectation returns the value of a position at which nature or a policy moves: the sum of P(r)
// Value(Result(s, r)) over the moves r (Expectiminimax: Michie 1966; Russell and Norvig, section
// 5.5). It needs the exact value of every move, so it searches every move with an open window.
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

// slip returns the value and the best move of a decision that may slip. With probability p the
// chosen move is replaced by a random one, so the value is (1-p) max v + p mean v, taken over the
// values v of the successors. slip searches each successor only once. With explicit chance nodes,
// all successors would be searched again for every move.
func (s *pvs) slip(n *node) (float64, game.Move) {
	pos := &s.text.pos
	first := len(pos.Moves)
	pos.Moves = pos.State.Moves(pos.Moves)
	last := len(pos.Moves)
	best, sum, move := -inf, 0.0, game.NoMove
	s.text.pv.down()
	for i := first; i < last && !pos.Effort.Stopped(); i++ {
		m := pos.Moves[i]
		pos.Play(m) // the intended move
		pos.Play(m) // the move that is made instead
		v := s.search(n.own, n.below, -inf, inf)
		pos.Undo()
		pos.Undo()
		if sum += v; v > best {
			best, move = v, m
		}
	}
	s.text.pv.up()
	pos.Moves = pos.Moves[:first]
	s.text.pv.lines[s.text.pv.ply] = append(s.text.pv.lines[s.text.pv.ply][:0], move)
	p := pos.Slip.Probability()
	return float64((1-p)*best) + float64(p*(sum/float64(last-first))), move
}
