package equilibrium

import (
	"plyfit/game"
	"plyfit/internal/elementary"
)

// A Label is the target value of an evaluation at a position, from one player's point of view.
type Label struct {
	State  game.State // includes the hidden information; valid until tell returns
	Player game.Player
	Chose  bool // Player made the move that led to State
	// Value is the player's expected utility if all players follow the strategy.
	//
	// If Chose is set, Value is instead the value before the player's move plus the temperature
	// times the logarithm of the move's probability. A softmax over the information set with the
	// same temperature then reproduces the strategy. Expected utilities would not, because all
	// moves that are played in an equilibrium have the same expected utility and differ only in
	// their probabilities.
	Value float64
	// Weight is the probability that nature and the players reach the position if the players
	// occasionally make random moves. If Chose is set, the probability of the player's own move is
	// not included.
	Weight float64
}

const (
	leastChosen = 1e-4 // lower bound on the probability of a move when its Label is computed
	mistakes    = 0.01 // fraction of random moves assumed in the weight of a Label
)

// Labels calls tell with the labels of the positions below the root, in tree order. An unfinished
// position has a label for each player. A finished position has a single label, for the player
// whose move ended the game. The temperature is in the game's units.
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

// expected returns player 0's expected utility at each node of a two-player game.
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

// labels computes labels while playing through the game tree.
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
