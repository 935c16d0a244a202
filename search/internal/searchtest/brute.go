package searchtest

import (
	"math"
	"testing"

	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/search"
)

// Rule is a definition of what positions are worth, followed by brute force: without bounds, and
// asking nothing but the contract of a game. All players want the most for themselves, and nature
// at a node where Draw has no probabilities wants little for whom it moves. In games of two with a
// sum of zero that is minimax and expectimax, in others max^n.
type Rule struct {
	Game  *game.Game
	Eval  search.Evaluator
	Raw   bool                                            // evaluations may stand at a bound
	After bool                                            // nature's positions, too, are evaluated at the horizon
	Draw  func(s game.State, moves []game.Move) []float64 // of moves that are drawn, their probabilities
	Alone game.Player                                     // with Paranoid, the one for whom all others want little
	// Paranoid is for one player alone.
	Paranoid bool
}

// Averages draws nature's moves by their probabilities.
func Averages(s game.State, moves []game.Move) (probs []float64) {
	if s.Turn() != game.Chance {
		return nil
	}
	c, _ := game.As[game.Chancer](s)
	return list.Map(moves, c.Prob)
}

// Uniform draws nature's moves as if all were alike.
func Uniform(s game.State, moves []game.Move) (probs []float64) {
	if s.Turn() != game.Chance {
		return nil
	}
	for range moves {
		probs = append(probs, 1/float64(len(moves)))
	}
	return probs
}

// Values is what each player gets from s in a search of depth decisions.
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
		case v == nil || sign*(w[who]-v[who]) > 1e-14*max(1, math.Abs(v[who])): // of averages that are equal the first
			v = w
		}
	}
	return v
}

// Value is player 0's share.
func (r Rule) Value(s game.State, depth int) float64 { return r.Values(s, depth)[0] }

// Moves is what each player gets after each move of s, which is one of the depth
// decisions where a player makes it.
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

// leaf is the report of a position where the search ends.
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

// HostileGame is the game in which a ghost of g plans: that with an adversary
// where g is a game of one, g itself where the other player is the ghost.
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
