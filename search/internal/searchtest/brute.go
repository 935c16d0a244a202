package searchtest

import (
	"math"
	"testing"

	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/search"
)

// A Rule computes the values of positions by brute force and thereby defines them. It uses no
// bounds and requires only the basic methods of a game. All players maximise their own utility. At
// nodes for which Draw returns no probabilities, nature minimises the utility of the player for
// whom it moves. In two-player zero-sum games this is minimax or expectimax, and in other games it
// is max^n.
type Rule struct {
	Game  *game.Game
	Eval  search.Evaluator
	Raw   bool                                            // evaluations may lie at a bound
	After bool                                            // chance nodes at the horizon are also evaluated
	Draw  func(s game.State, moves []game.Move) []float64 // returns the probabilities of the moves, or nil if someone chooses the move
	Alone game.Player                                     // with Paranoid, the player whom all others oppose
	// Paranoid selects the paranoid rule, with Alone as the planner.
	Paranoid bool
}

// Averages returns the probabilities of nature's moves. It can be used as [Rule.Draw].
func Averages(s game.State, moves []game.Move) (probs []float64) {
	if s.Turn() != game.Chance {
		return nil
	}
	c, _ := game.As[game.Chancer](s)
	return list.Map(moves, c.Prob)
}

// Uniform returns equal probabilities for nature's moves. It can be used as [Rule.Draw].
func Uniform(s game.State, moves []game.Move) (probs []float64) {
	if s.Turn() != game.Chance {
		return nil
	}
	for range moves {
		probs = append(probs, 1/float64(len(moves)))
	}
	return probs
}

// Values returns the value of s to each player for a search to the given depth, in decisions.
func (r Rule) Values(s game.State, depth int) []float64 {
	turn := s.Turn()
	if turn == game.Nobody || depth == 0 && (turn >= 0 || r.After) {
		return r.leaf(s)
	}
	who, sign, moves := turn, 1.0, s.Moves(nil)
	if turn >= 0 {
		depth--
	}
	var probs, v []float64
	if r.Draw != nil {
		probs = r.Draw(s, moves)
	}
	if turn == game.Chance && probs == nil {
		c, _ := game.As[game.Chancer](s)
		who, sign = c.For(), -1
	}
	if r.Paranoid && who != r.Alone {
		who, sign = r.Alone, -1
	}
	for i, m := range moves {
		s.Play(m)
		w := r.Values(s, depth)
		s.Undo()
		switch {
		case probs != nil:
			if v == nil {
				v = make([]float64, len(w))
			}
			for p, x := range w {
				v[p] += float64(probs[i] * x)
			}
		case v == nil || sign*(w[who]-v[who]) > 1e-14*max(1, math.Abs(v[who])): // the first of several equal averages is kept
			v = w
		}
	}
	return v
}

// Value returns the value of s to player 0.
func (r Rule) Value(s game.State, depth int) float64 { return r.Values(s, depth)[0] }

// Moves returns each player's value after each move at s. If a player moves at s, that move counts
// as one of the decisions.
func (r Rule) Moves(s game.State, depth int) (values [][]float64) {
	if s.Turn() >= 0 {
		depth--
	}
	for _, m := range s.Moves(nil) {
		s.Play(m)
		values = append(values, r.Values(s, depth))
		s.Undo()
	}
	return values
}

// leaf returns the values of a position at which the search ends.
func (r Rule) leaf(s game.State) (values []float64) {
	sh := game.ShapeOf(r.Game, s)
	for p := range game.Player(sh.Players) {
		if p == 1 && sh.Players == 2 && sh.Sum == game.Zero {
			return append(values, -values[0])
		}
		if s.Turn() == game.Nobody {
			values = append(values, s.Utility(p))
			continue
		}
		v, lo, hi := r.Eval.Evaluate(game.Base(s), p), sh.Min, sh.Max
		if b, ok := game.As[game.Bounder](s); ok {
			l, h := b.Bounds(p)
			lo, hi = max(lo, l), min(hi, h)
		}
		if _, ok := game.As[game.Scorer](s); ok || r.Raw {
			v = max(lo, min(hi, v))
		} else {
			v = game.Inside(v, lo, hi)
		}
		values = append(values, v)
	}
	return values
}

// HostileGame returns the game for a planner that opposes the first player of g. It is g with an
// adversary if g has one player, and g itself otherwise.
func HostileGame(t *testing.T, g *game.Game) *game.Game {
	t.Helper()
	if _, hostile := g.New().(*game.Adversary); hostile || g.Players > 1 {
		return g
	}
	h, err := game.WithAdversary(g)
	if err != nil {
		t.Fatal(err)
	}
	return h
}
