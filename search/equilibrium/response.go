package equilibrium

import (
	"math"
	"slices"

	"plyfit/game"
)

// Exploitability measures the distance of a strategy from an equilibrium.
type Exploitability struct {
	Values    []float64 `json:"values"`         // expected utility of each player if all players follow the strategy
	Responses []float64 `json:"best_responses"` // each player's utility if only that player deviates and plays a best response
	// NashConv is the sum of the amounts that the players gain by playing best responses. It is 0
	// only in an equilibrium (Lanctot et al., NIPS 2017).
	NashConv float64 `json:"nash_conv"`
	// Exploitability is NashConv divided by the number of players. In two-player zero-sum games, it
	// is the expected loss against the worst opponent relative to the value of the game, averaged
	// over the seats.
	Exploitability float64 `json:"exploitability"`
}

// Exploitability returns the exploitability of s, a strategy for this tree.
func (t *Tree) Exploitability(s *Strategy) Exploitability {
	e := Exploitability{Values: t.Value(s)}
	for p := range game.Player(t.game.Players) {
		best, _ := t.BestResponse(s, p)
		e.Responses = append(e.Responses, best)
		e.NashConv += max(0, best-e.Values[p]) // negative only because of rounding errors
	}
	e.Exploitability = e.NashConv / float64(t.game.Players)
	return e
}

// Value returns the expected utility of each player if all players follow the strategy s.
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

// reach returns the probability of reaching each node if player p plays towards it, that is, the
// product of the probabilities of all moves except p's own.
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

// BestResponse returns player p's highest expected utility against the others' strategy, and a copy
// of s in which p's decisions are replaced by the best response. In each information set, the
// response plays the move with the best average over the positions. The average is weighted by p's
// belief, which is the probability that the others' and nature's moves lead to each position.
func (t *Tree) BestResponse(s *Strategy, p game.Player) (float64, *Strategy) {
	r := &response{Tree: t, player: p, reach: t.reach(s.probs, p), best: slices.Repeat([]int32{-1}, len(t.sets)), answer: s.clone()}
	return r.value(0), r.answer
}

// BestResponses returns the strategy in which each player plays the best response to the others in
// s.
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

// response is a best response under construction.
type response struct {
	*Tree
	player game.Player
	reach  []float64 // probability of each node due to nature and the other players
	best   []int32   // chosen move in each of the player's information sets, or -1 if none has been chosen yet
	answer *Strategy
}

// value returns the expected utility below a node, multiplied by the probability that nature's and
// the others' moves lead to the node.
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
