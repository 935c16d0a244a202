package equilibrium

import (
	"plyfit/game"
	"plyfit/internal/elementary"
)

// Label is what an evaluation should say of a position in a player's view.
type Label struct {
	State  game.State // with all that is hidden; valid until the next one
	Player game.Player
	Chose  bool // the player made the move that led here
	// Value is the player's expected utility when all follow the strategy. Where he chose it is the
	// value before his move plus the temperature times the logarithm of the move's probability, so
	// that a softmax of that temperature over the information set is the strategy: in an
	// equilibrium all moves played are worth the same and only their probabilities differ.
	Value float64
	// Weight is how likely it is that nature and players lead here who now and then move
	// at random, the move apart that the player chose.
	Weight float64
}

const (
	leastChosen = 1e-4 // the probability that a Label takes rarer moves for
	mistakes    = 0.01 // the share of random moves of the players by whom Labels weigh
)

// Labels calls tell with the values of positions by the strategy, in the order of the tree: for
// both players where the game goes on, at its end for the last mover. The temperature is in the
// game's units.
func (s *Strategy) Labels(temperature float64, tell func(label *Label)) {
	t := s.tree
	blurred := make([][]float64, len(s.probs))
	for i, probs := range s.probs {
		for _, p := range probs {
			blurred[i] = append(blurred[i], float64((1-mistakes)*p)+mistakes/float64(len(probs)))
		}
	}
	l := &labels{s, temperature, t.reach(blurred, game.Nobody), t.expected(s.probs), t.game.New(), tell}
	l.below(0)
}

// expected is what player 0 gets below each node of a game of two.
func (t *Tree) expected(probs [][]float64) []float64 {
	value := make([]float64, len(t.nodes))
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		if n.turn == game.Nobody {
			value[i] = n.utility[0]
		}
		for k, child := range n.children {
			p := n.probs
			if n.turn >= 0 {
				p = probs[n.set]
			}
			value[i] += float64(p[k] * value[child])
		}
	}
	return value
}

// labels walks the game beside its tree.
type labels struct {
	*Strategy
	temperature float64
	reach       []float64
	value       []float64 // to player 0
	state       game.State
	tell        func(j *Label)
}

func (l *labels) below(at int32) {
	n := &l.tree.nodes[at]
	moves := l.state.Moves(nil)
	for k, child := range n.children {
		l.state.Play(moves[k])
		over := l.tree.nodes[child].turn == game.Nobody
		for p := range game.Player(2) {
			sign := float64(1 - 2*p)
			switch {
			case n.turn == p:
				chosen := elementary.Log(max(leastChosen, l.probs[n.set][k]))
				l.tell(&Label{l.state, p, true, float64(sign*l.value[at]) + float64(l.temperature*chosen), l.reach[at]})
			case !over:
				l.tell(&Label{l.state, p, false, sign * l.value[child], l.reach[child]})
			}
		}
		l.below(child)
		l.state.Undo()
	}
}
