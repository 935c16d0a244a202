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

// Decision is one decision of a game.
type Decision struct {
	Position, Move string // as [game.State] prints them
	Group          int    // decisions of a group are not independent, and are held out together
}

// data are decisions with the features of the positions after their moves.
type data struct {
	nodes     []node
	low, high float64
	units     []float64 // of each weight: 1 over the root mean square by which moves change its feature
}

// node is a decision. The sum after a move is that after the first plus that of what differs.
type node struct {
	first  models.Vector // as player 0 sees it
	moves  []after
	chosen int
	second bool    // the mover's value is the opposite of player 0's
	kept   float64 // probability that a slip does not replace the move
	group  int
}

type after struct {
	differs   models.Vector
	low, high float64 // of what the mover can still get: equal where the game is over
}

// Check refuses games that [Learn] cannot learn from.
func Check(g *game.Game) error {
	if base := g.Base(); base.Players != 2 || !features.OneValue(base) || math.IsInf(base.Max-base.Min, 0) {
		return fmt.Errorf("opponent: %s: want a game of two players with a constant sum in which nothing is hidden", g.Spec)
	}
	return nil
}

// extract computes the features for all decisions with two moves or more.
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
			return n, fmt.Errorf("opponent: chance answers a move in %s: want an evaluation of afterstates", g.Spec)
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

// less is x - y.
func less(x, y models.Vector) (out models.Vector) {
	x = slices.Clone(x)
	for _, t := range y {
		x = append(x, models.Term{Index: t.Index, Value: -t.Value})
	}
	return slices.Clone(slices.DeleteFunc(x.Merge(), func(t models.Term) bool { return t.Value == 0 }))
}

// values returns the values of a node's moves by m, as the mover sees them and in parts of the range
// of utilities, and their derivatives by the weighted sums. It leaves out what slips add to all moves
// alike, on which no choice depends. Both slices are written over.
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

// choices are the decisions of some groups, valued by m.
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
