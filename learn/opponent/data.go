package opponent

import (
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
	"plyfit/work"
)

// A Decision is one decision in a game.
type Decision struct {
	Position, Move string // in the notation of [game.State]
	Group          int    // decisions in the same group are dependent and are held out together
}

// data contains decisions, with the features of the positions after each move.
type data struct {
	nodes     []node
	low, high float64
	units     []float64 // for each weight, the reciprocal of the root mean square of the changes that moves make to its feature
}

// A node is a decision. The weighted sum after a move is the sum after the first move plus the
// contribution of the features that differ.
type node struct {
	first  models.Vector // features after the first move, from player 0's point of view
	moves  []after
	chosen int
	second bool    // whether the mover is player 1, whose value is the opposite of player 0's
	kept   float64 // probability that a slip does not replace the move
	group  int
}

type after struct {
	differs   models.Vector
	low, high float64 // bounds of the mover's utility; equal if the game is over
}

// Check returns an error if [Learn] does not support the game.
func Check(g *game.Game) error {
	if base := g.Base(); base.Players != 2 || !features.OneValue(base) || math.IsInf(base.Max-base.Min, 0) {
		return fmt.Errorf("opponent: %s: want a two-player constant-sum game without hidden information", g.Spec)
	}
	return nil
}

// extract computes the features of all decisions with at least two moves.
func extract(ctx context.Context, g *game.Game, set features.Set, m *models.Linear, list []Decision, workers int) (*data, error) {
	base := g.Base()
	nodes := make([]node, len(list))
	own := func() (features.Set, error) { return features.Own(set), nil }
	err := work.Each(ctx, workers, len(list), own, func(_ context.Context, set features.Set, i int) (err error) {
		nodes[i], err = list[i].extract(g, set, m.Leaves)
		return err
	}, nil)
	d := &data{low: base.Min, high: base.Max, units: make([]float64, len(m.Weights))}
	d.nodes = slices.DeleteFunc(nodes, func(n node) bool { return len(n.moves) < 2 })
	moves := 0.0
	for _, n := range d.nodes {
		moves += float64(len(n.moves))
		for _, a := range n.moves {
			for _, t := range a.differs {
				if int(t.Index) < len(d.units) {
					d.units[t.Index] += float64(t.Value * t.Value)
				}
			}
		}
	}
	for i, sum := range d.units {
		if sum > 0 {
			d.units[i] = math.Sqrt(moves / sum)
		}
	}
	return d, err
}

func (d *Decision) extract(g *game.Game, set features.Set, leaves models.Leaves) (n node, err error) {
	s, err := g.Parse(d.Position)
	if err != nil {
		return n, err
	}
	played, err := g.ParseMove(s, d.Move)
	if err != nil {
		return n, err
	}
	mover := s.Turn()
	n.second, n.group = mover == 1, d.Group
	moves := s.Moves(nil)
	n.chosen, n.kept = slices.Index(moves, played), 1
	for k, move := range moves {
		if slip, ok := s.(*game.Slip); ok && len(moves) > 1 {
			s.Play(move)
			n.kept = slip.Prob(move) - slip.Prob(moves[(k+1)%len(moves)])
			s.Undo()
		}
		plies := game.PlayIntended(s, move)
		a := after{low: math.Inf(-1), high: math.Inf(1)}
		if b, ok := game.As[game.Bounder](s); ok {
			a.low, a.high = b.Bounds(mover)
		}
		switch turn := s.Turn(); {
		case turn == game.Nobody:
			a.low, a.high = s.Utility(mover), s.Utility(mover)
		case turn == game.Chance && leaves != models.Afterstate:
			return n, fmt.Errorf("opponent: chance moves follow moves in %s; want an evaluation of afterstates", g.Spec)
		default:
			at := game.Base(s)
			view := set.View(at)
			x := set.Extract(at, view, nil).Merge()
			for k := range x {
				if view == 1 {
					x[k].Value = -x[k].Value
				}
			}
			if n.first == nil {
				n.first = x
			}
			a.differs = less(x, n.first)
		}
		n.moves = append(n.moves, a)
		for range plies {
			s.Undo()
		}
	}
	return n, nil
}

// less returns x - y.
func less(x, y models.Vector) (out models.Vector) {
	x = slices.Clone(x)
	for _, t := range y {
		x = append(x, models.Term{Index: t.Index, Value: -t.Value})
	}
	return slices.Clone(slices.DeleteFunc(x.Merge(), func(t models.Term) bool { return t.Value == 0 }))
}

// values returns the values of a node's moves to the mover according to m, as fractions of the
// utility range. It also returns their derivatives with respect to the weighted sums. It omits the
// contribution of slips, which is the same for all moves and therefore affects no choice. The
// slices values and slopes are overwritten.
func (d *data) values(n *node, m *models.Linear, values, slopes []float64) (v, s []float64) {
	values, slopes = values[:0], slopes[:0]
	first, width := m.Bias+m.Dot(n.first), d.high-d.low
	for i := range n.moves {
		a := &n.moves[i]
		sum := first + m.Dot(a.differs)
		v, slope := m.Link.Apply(sum, d.low, d.high), m.Link.Slope(sum, d.low, d.high)
		if n.second {
			v, slope = d.low+d.high-v, -slope
		}
		if v < a.low || v > a.high {
			v, slope = min(max(v, a.low), a.high), 0
		}
		values, slopes = append(values, n.kept*v/width), append(slopes, n.kept*slope/width)
	}
	return values, slopes
}

// choices returns the decisions in the selected groups, with m's values of the moves.
func (d *data) choices(m *models.Linear, in func(group int) bool) *Choices {
	c := &Choices{}
	var v, s []float64
	for i := range d.nodes {
		if n := &d.nodes[i]; in(n.group) {
			v, s = d.values(n, m, v, s)
			c.Add(n.group, v, n.chosen)
		}
	}
	return c
}
