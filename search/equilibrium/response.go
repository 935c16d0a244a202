package equilibrium

import (
	"math"
	"slices"

	"plyfit/game"
)

// Exploitability is how far a strategy is from an equilibrium.
type Exploitability struct {
	Values    []float64 `json:"values"`         // of each player, where all follow the strategy
	Responses []float64 `json:"best_responses"` // of each player who alone plays his best against it
	// NashConv is the sum of what the players gain by that: 0 in an equilibrium and
	// nowhere else (Lanctot et al., NIPS 2017).
	NashConv float64 `json:"nash_conv"`
	// Exploitability is NashConv by the number of players: in zero-sum games of
	// two, what the strategy loses on average over the seats to the worst
	// opponent, where the game's value is 0 over both.
	Exploitability float64 `json:"exploitability"`
}

// Exploitability measures a strategy of this tree.
func (t *Tree) Exploitability(s *Strategy) Exploitability {
	e := Exploitability{Values: t.Value(s)}
	for p := range game.Player(t.game.Players) {
		best, _ := t.BestResponse(s, p)
		e.Responses = append(e.Responses, best)
		e.NashConv += max(0, best-e.Values[p]) // less than 0 by rounding alone
	}
	e.Exploitability = e.NashConv / float64(t.game.Players)
	return e
}

// Value is what each player gets where all follow the strategy.
func (t *Tree) Value(s *Strategy) []float64 {
	sum := make([]float64, t.game.Players)
	reach := t.reach(s.probs, game.Nobody)
	for i, n := range t.nodes {
		for p, u := range n.utility {
			sum[p] += float64(reach[i] * u)
		}
	}
	return sum
}

// reach is the probability of each node, p's own decisions not counting.
func (t *Tree) reach(probs [][]float64, p game.Player) []float64 {
	reach := make([]float64, len(t.nodes))
	reach[0] = 1
	for i := range t.nodes {
		n := &t.nodes[i]
		for k, child := range n.children {
			r := reach[i]
			switch {
			case n.turn == game.Chance:
				r *= n.probs[k]
			case n.turn != p:
				r *= probs[n.set][k]
			}
			reach[child] = r
		}
	}
	return reach
}

// BestResponse is the most that p can get against the others' strategy, and the strategy with p's
// decisions replaced: in each information set the move best on average over its positions, weighted
// by how likely the others and nature reach them. That is p's belief.
func (t *Tree) BestResponse(s *Strategy, p game.Player) (float64, *Strategy) {
	r := &response{Tree: t, player: p, reach: t.reach(s.probs, p), best: slices.Repeat([]int32{-1}, len(t.sets)), answer: s.clone()}
	return r.value(0), r.answer
}

// BestResponses is a strategy of each player's best response to the others' part of s.
func (t *Tree) BestResponses(s *Strategy) *Strategy {
	all := s.clone()
	for p := range game.Player(t.game.Players) {
		_, answer := t.BestResponse(s, p)
		for i := range t.sets {
			if t.sets[i].player == p {
				all.probs[i] = answer.probs[i]
			}
		}
	}
	return all
}

// response is a best response in the making.
type response struct {
	*Tree
	player game.Player
	reach  []float64 // by nature and the others
	best   []int32   // move of each information set of player; -1: not known yet
	answer *Strategy
}

// value is what comes of a node, times the probability that the others lead there.
func (r *response) value(at int32) (sum float64) {
	n := &r.nodes[at]
	switch {
	case n.turn == game.Nobody:
		return float64(r.reach[at] * n.utility[r.player])
	case n.turn == r.player:
		return r.value(n.children[r.decide(n.set)])
	}
	for _, child := range n.children {
		sum += r.value(child)
	}
	return sum
}

func (r *response) decide(at int32) int32 {
	if r.best[at] >= 0 {
		return r.best[at]
	}
	set := &r.sets[at]
	most := math.Inf(-1)
	for k := range set.moves {
		sum := 0.0
		for _, n := range set.nodes {
			sum += r.value(r.nodes[n].children[k])
		}
		if sum > most {
			most, r.best[at] = sum, int32(k)
		}
	}
	pure := make([]float64, len(set.moves))
	pure[r.best[at]] = 1
	r.answer.probs[at] = pure
	return r.best[at]
}
