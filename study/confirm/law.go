package confirm

import (
	"context"
	"math"
	"slices"

	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/study/damage"
)

// The law. A calibration g of an evaluation v makes a planner that averages choose
// otherwise, since E g(v) is not g(E v): to second order a move is worth, in units of v,
//
//	S = g''/(2 g') (m) Var
//
// more, where m and Var are mean and variance of v below it, over what chance decides.
// With h the density at 0 of the gap between the values of the best two moves, and D how
// far their shifts differ, a decision without the calibration gives away
//
//	h/2 E[g' D^2]
//
// (Farahmand 2011 has the density of the action gap in this place). With noise in the
// place of g the same formula holds with its own variance. For g = tanh(slope atanh v),
// Platt's calibration, g''/(2 g') = (v - slope g) / (1 - v^2), which is 0 where the slope
// is 1. All parts come from one pass over positions that the evaluation's own games meet.

// Pass is what one pass over positions says of an evaluation: a cell's result.
type Pass struct {
	Variance  float64 `json:"variance"`  // mean over best moves
	Curvature float64 `json:"curvature"` // root mean square of g''/(2g') there
	Density   float64 `json:"density"`   // of the gap at 0, either sign
	Order2    float64 `json:"order2"`    // what a decision gives away by the law, of the points
	// Direct is the same without the expansion: at how many positions, and how much, the
	// choice by E v gives away by E g(v).
	Direct    float64 `json:"direct"`
	Decisions float64 `json:"decisions"` // of a side in a game
}

// passKey is a cell's key.
type passKey struct {
	Game      string  `json:"game"`
	Eval      string  `json:"eval"`
	Slope     float64 `json:"slope"`
	Positions int     `json:"positions"`
	Depth     int     `json:"depth"`
	Plies     int     `json:"plies"`
	Seed      uint64  `json:"seed"`
}

// measure makes the pass.
func (u *unit) measure(ctx context.Context, k passKey) (Pass, error) {
	list, err := met(ctx, u.subject, u.world, k.Positions, k.Plies, k.Seed)
	if err != nil {
		return Pass{}, err
	}
	platt := u.calibration.Platt
	l := &probe{leaf: leafOf(u.subject), slope: k.Slope}
	var all []choice
	for _, s := range list {
		if err := ctx.Err(); err != nil {
			return Pass{}, err
		}
		all = append(all, l.choose(s, k.Depth))
	}
	out := passOf(all, k.Slope)
	if platt.Episodes > 0 {
		out.Decisions = float64(platt.Rows) / float64(platt.Episodes) / 2
	}
	return out, nil
}

// leafOf is what the evaluation says of a position for player 0, in half ranges, as its
// planners have it.
func leafOf(u *damage.Subject) func(game.State) float64 {
	arg := u.Argument(u.Model)
	clean := u.Damaged(damage.Damage{})
	return func(s game.State) float64 {
		if s.Turn() == game.Nobody {
			return clean.Terminal(u.Terminal(s.Utility(0)), 1)
		}
		lo, hi := -damage.Grades, damage.Grades
		if b, ok := game.As[game.Bounder](s); ok {
			l, h := b.Bounds(0)
			lo, hi = u.Terminal(l), u.Terminal(h)
		}
		return clean.Leaf(s.Hash(), arg.Of(s), lo, hi, 1)
	}
}

// below is what is found below a position, in the view of the player at the root: mean
// and mean square of v, and the mean of g(v).
type below struct{ mean, square, bent float64 }

// probe is a search that keeps the distribution of what chance leads to.
type probe struct {
	leaf  func(game.State) float64
	slope float64
	me    game.Player
}

// gOf is the calibration.
func gOf(slope, v float64) float64 {
	if math.Abs(v) >= 1 {
		return v
	}
	return elementary.Tanh(slope * elementary.Atanh(v))
}

// choice is a decision: what its moves lead to, the best by mean first, the others in
// their order; shrink is what a slip of the decision itself leaves of a difference.
type choice struct {
	moves  []below
	shrink float64
}

// choose looks so many decisions ahead.
func (l *probe) choose(s game.State, depth int) choice {
	l.me = s.Turn()
	out := choice{shrink: 1}
	_, slippery := s.(*game.Slip)
	for _, m := range s.Moves(nil) {
		s.Play(m)
		if slippery && s.Turn() == game.Chance { // the move itself; slips lead to the same for all
			c, _ := game.As[game.Chancer](s)
			if n := float64(len(s.Moves(nil))); n > 1 {
				out.shrink = (c.Prob(m) - 1/n) / (1 - 1/n) // what is meant has 1-slip + slip/n
			}
			s.Play(m)
			out.moves = append(out.moves, l.below(s, depth-1))
			s.Undo()
		} else {
			out.moves = append(out.moves, l.below(s, depth-1))
		}
		s.Undo()
	}
	best := 0
	for i, m := range out.moves {
		if m.mean > out.moves[best].mean+damage.Tolerance {
			best = i
		}
	}
	first := out.moves[best]
	out.moves = slices.Insert(slices.Delete(out.moves, best, best+1), 0, first)
	return out
}

func (l *probe) below(s game.State, depth int) below {
	turn := s.Turn()
	if turn == game.Nobody || depth == 0 && turn >= 0 {
		v := l.leaf(game.Base(s))
		if l.me == 1 {
			v = -v
		}
		return below{v, v * v, gOf(l.slope, v)}
	}
	var out below
	moves := s.Moves(nil)
	if turn == game.Chance {
		c, _ := game.As[game.Chancer](s)
		for _, m := range moves {
			p := c.Prob(m)
			s.Play(m)
			b := l.below(s, depth)
			s.Undo()
			out.mean += float64(p * b.mean)
			out.square += float64(p * b.square)
			out.bent += float64(p * b.bent)
		}
		return out
	}
	for i, m := range moves {
		s.Play(m)
		b := l.below(s, depth-1)
		s.Undo()
		if i == 0 || (turn == l.me) == (b.mean > out.mean) && b.mean != out.mean {
			out = b
		}
	}
	return out
}

// Widths of the gaps that count for their density: that of the nearest fifth, and one
// grade at least.
const (
	nearest = 0.2
	grade   = 1.0 / damage.Grades
)

// steepest is where the expansion ends: beyond it values are as good as decided.
const steepest = 0.98

// passOf makes the figures of choices.
func passOf(all []choice, slope float64) Pass {
	var out Pass
	var gaps []float64
	n := float64(len(all))
	for _, c := range all {
		a, b := c.moves[0], second(c.moves)
		if gap := c.shrink * (a.mean - b.mean); gap > damage.Tolerance { // else both lead to the same
			gaps = append(gaps, gap)
		}
		da, ka, va := shift(a, slope)
		db, _, _ := shift(b, slope)
		middle := max(-steepest, min(steepest, (a.mean+b.mean)/2))
		g := gOf(slope, middle)
		rise := slope * (1 - float64(g*g)) / (1 - float64(middle*middle))
		d := c.shrink * (da - db)
		out.Order2 += float64(rise*float64(d*d)) / n
		out.Variance += va / n
		out.Curvature += float64(ka*ka) / n
		most := a.bent
		for _, m := range c.moves {
			most = max(most, m.bent)
		}
		out.Direct += float64(float64(c.shrink*(most-a.bent)) / n / 2)
	}
	out.Curvature = math.Sqrt(out.Curvature)
	if len(gaps) == 0 {
		out.Order2 = 0
		return out
	}
	slices.Sort(gaps)
	width := max(grade, gaps[int(nearest*float64(len(gaps)))])
	within, _ := slices.BinarySearchFunc(gaps, width, func(x, w float64) int {
		if x <= w {
			return -1
		}
		return 1
	})
	out.Density = float64(within) / n / width / 2
	out.Order2 = out.Density / 2 * out.Order2 / 2 // the second half: of the points, not of half ranges
	return out
}

// second is the best of the other moves.
func second(moves []below) below {
	best := moves[1]
	for _, m := range moves[2:] {
		if m.mean > best.mean {
			best = m
		}
	}
	return best
}

// shift is how much more a move is worth by the calibration, with the curvature and the
// variance that make it.
func shift(b below, slope float64) (s, curvature, variance float64) {
	m := max(-steepest, min(steepest, b.mean))
	variance = max(0, b.square-float64(b.mean*b.mean))
	curvature = (m - float64(slope*gOf(slope, m))) / (1 - float64(m*m))
	return float64(curvature * variance), curvature, variance
}

// Predictors of what calibrating gains in a game, to be multiplied by a constant.
var predictors = []string{"slope", "order2", "direct"}

// predictor is the one of that name; a slope of 0 or less has none.
func predictor(name string, slope float64, p Pass) float64 {
	switch name {
	case "slope":
		if slope <= 0 {
			return math.NaN()
		}
		l := elementary.Log(slope)
		return l * l
	case "order2":
		return p.Decisions * p.Order2
	}
	return p.Decisions * p.Direct
}
