package ask

import (
	"context"
	"fmt"
	"slices"

	"plyfit/arena/stats"
	"plyfit/internal/list"
	"plyfit/models"
	"plyfit/study"
	"plyfit/study/evaluation"
	"plyfit/study/measure"
)

// evalError is a kind of error at its strength, or a yardstick of known weakness.
type evalError struct {
	Name    string
	Draws   []evaluation.Damage
	Control bool // must change nothing
}

func single(name string, d evaluation.Damage) *evalError {
	return &evalError{Name: name, Draws: []evaluation.Damage{d}}
}

// yardsticks are what errors are compared with, by kind.
var yardsticks = map[evaluation.Kind]*evalError{
	evaluation.OnePly:   single("one ply less", evaluation.Damage{Kind: evaluation.OnePly}),
	evaluation.TwoPlies: single("two plies less", evaluation.Damage{Kind: evaluation.TwoPlies}),
	evaluation.Blind:    single("no evaluation at all", evaluation.Damage{Kind: evaluation.Blind}),
	evaluation.Random:   single("random moves", evaluation.Damage{Kind: evaluation.Random}),
}

// Warps reports whether the error is of scale alone. A strictly increasing map keeps the order of
// all values, so minimax cannot notice it: a theorem and a check of the instrument, no finding.
func (e *evalError) Warps() bool { return e.Draws[0].Warps() }

func controls() []*evalError {
	same, affine := single(evaluation.Identity, evaluation.IdentityControl), single(evaluation.AffineMap, evaluation.AffineControl)
	same.Control, affine.Control = true, true
	return []*evalError{same, affine}
}

// grid is a factorial in one game.
type grid struct {
	Name    string // what it is about, in titles and sentences
	Subject *evaluation.Subject
	Errors  []*evalError
	Size    float64 // the errors' common misfit; 0: each has its own
	Worlds  []study.World
	Depths  []int // decisions, rising
	Pairs   int   // of games, a cell

	Played []measure.Played // all matches, once they are

	board   *board              // its cells are solved; nil: played
	assumed []float64           // slips that planners assume there, rising
	losses  map[arm][][]float64 // on a board a row a draw, of games one for all
}

// arm is the cells of an error: one planner in one world against itself without the error.
type arm struct {
	World   study.World
	Assumes study.World // what the planner takes the world for
	Depth   int         // decisions
	Error   string
}

// with returns the arm of an error.
func (a arm) with(e *evalError) arm {
	a.Error = e.Name
	return a
}

// newGrid returns a grid of played games: the game itself if it has chance of its own, else one world
// for each slip of the user, or for the usual ones.
func newGrid(s *study.Session, u *evaluation.Subject, usual []float64) (*grid, error) {
	spec := u.Base.Spec
	g := &grid{Name: spec, Subject: u, losses: map[arm][][]float64{}}
	if g.chancy() {
		if s.Over.Slips != nil {
			return nil, fmt.Errorf("%s has chance of its own: takes no --slip", spec)
		}
		g.Worlds = []study.World{{}}
		u.Evaluation.Leaves = models.Afterstate // asked before the dice, so that depth 1 averages nothing
		return g, nil
	}
	for _, p := range study.Or(s.Over.Slips, usual) {
		if p == 0 {
			return nil, fmt.Errorf("%s: --slip 0: there expectimax is minimax; want slips above 0", spec)
		}
		g.Worlds = append(g.Worlds, study.World{Slip: p})
	}
	return g, nil
}

func (g *grid) chancy() bool { return g.Subject.Base.Chancy() }
func (g *grid) last() int    { return g.Depths[len(g.Depths)-1] }

// Minimax is what minimax takes every world of the game for.
func (g *grid) Minimax() study.World { return study.World{Hostile: g.chancy()} }

// Expectimax returns the world that expectimax assumes in w: w itself, or on a board the largest slip
// that a planner assumes if none assumes the slip of w.
func (g *grid) Expectimax(w study.World) study.World {
	most := w
	for _, p := range g.assumed {
		if most.Slip = p; p == w.Slip && p > 0 {
			break
		}
	}
	return most
}

// planners are those that are measured in a world, minimax first.
func (g *grid) planners(w study.World) []study.World {
	if g.board == nil {
		return []study.World{g.Minimax(), w}
	}
	return list.Map(g.assumed, func(p float64) study.World { return study.World{Slip: p} })
}

// arms yields all planners in all worlds, without an error.
func (g *grid) arms(yield func(arm) bool) {
	for _, w := range g.Worlds {
		for _, d := range g.Depths {
			for _, assumes := range g.planners(w) {
				if !yield(arm{w, assumes, d, ""}) {
					return
				}
			}
		}
	}
}

// theorem reports whether a cell is one of which a theorem says that nothing is lost.
func (g *grid) theorem(e *evalError, assumes study.World) bool {
	return e.Control || e.Warps() && !assumes.Averages(g.chancy())
}

// yardsticks returns the yardsticks of a depth.
func (g *grid) yardsticks(depth int) (list []*evalError) {
	for _, kind := range []evaluation.Kind{evaluation.Blind, evaluation.Random, evaluation.OnePly, evaluation.TwoPlies} {
		if e := yardsticks[kind]; depth > e.Draws[0].Less() && (kind != evaluation.Random || g.board == nil) {
			list = append(list, e)
		}
	}
	return list
}

// all returns the errors, then the yardsticks of a depth.
func (g *grid) all(depth int) []*evalError {
	return append(slices.Clone(g.Errors), g.yardsticks(depth)...)
}

// controlPairs are enough where no move changes.
const controlPairs = 50

// Measure computes all cells.
func (g *grid) Measure(ctx context.Context, s *study.Session) error {
	if g.board != nil {
		return g.solve(ctx, s)
	}
	var matches []measure.Match
	var of []arm
	for a := range g.arms {
		for _, e := range g.all(a.Depth) {
			m, pairs := measure.Match{World: a.World, Assumes: a.Assumes, Depth: a.Depth}, g.Pairs
			if g.theorem(e, a.Assumes) {
				pairs = min(pairs, controlPairs)
			}
			for _, draw := range m.Draws(e.Draws, pairs) {
				if draw.Pairs > 0 {
					matches, of = append(matches, draw), append(of, a.with(e))
				}
			}
		}
	}
	var err error
	if g.Played, err = measure.PlayAll(ctx, s, "matches in "+g.Name, g.Subject, matches); err != nil {
		return err
	}
	for i, p := range g.Played {
		if g.losses[of[i]] == nil {
			g.losses[of[i]] = make([][]float64, 1)
		}
		row := &g.losses[of[i]][0]
		*row = append(*row, p.Points.Losses()...)
	}
	return nil
}

// loss returns what the planner loses by an error of, on the openings of the error e: a row a draw of
// e. Where a theorem says that nothing is lost only some pairs were played; the others count as 0.
func (g *grid) loss(e, of *evalError, a arm) stats.Sample {
	rows, found := g.losses[a.with(of)]
	if !found {
		panic(fmt.Sprintf("grid: no cell of %v", a))
	}
	if g.board != nil {
		for e != of && len(rows) < len(e.Draws) {
			rows = append(rows[:len(rows):len(rows)], rows[0])
		}
		return stats.Sample{Rows: rows, Exact: e != of || len(rows) == 1}
	}
	out := stats.Sample{Exact: e == of && g.theorem(e, a.Assumes)}
	whole := rows[0]
	if out.Exact {
		whole = make([]float64, g.Pairs)
	}
	for _, part := range (measure.Match{}).Draws(e.Draws, g.Pairs) {
		if part.Pairs > 0 {
			out.Rows = append(out.Rows, whole[part.From:part.From+part.Pairs])
		}
	}
	return out
}

// Contrast returns what the error costs both planners in one world: in a world with more luck every
// mistake costs less, no matter who plans.
func (g *grid) Contrast(e *evalError, w study.World, depth int) study.Contrast {
	return g.contrast(e, e, w, depth)
}

// Beside returns the same of a yardstick, on the error's openings.
func (g *grid) Beside(e *evalError, w study.World, depth int, kind evaluation.Kind) study.Contrast {
	return g.contrast(e, yardsticks[kind], w, depth)
}

func (g *grid) contrast(e, of *evalError, w study.World, depth int) study.Contrast {
	return study.Contrast{Expectimax: g.loss(e, of, arm{w, g.Expectimax(w), depth, ""}), Minimax: g.loss(e, of, arm{w, g.Minimax(), depth, ""})}
}

// leastWorth is the least share of the points that two plies are worth where plies are counted.
const leastWorth = 0.002

// Plies are the losses x of a planner in plies: over half of what the same planner loses
// that searches two decisions less deep, since odd and even depths differ. They are unknown unless
// two plies are clearly worth something to both planners.
func (g *grid) Plies(e *evalError, x stats.Sample, w study.World, depth int, expectimax bool) stats.Estimate {
	if depth <= 2 {
		return stats.Estimate{}
	}
	worth := g.Beside(e, w, depth, evaluation.TwoPlies)
	for _, side := range sides(worth) {
		if two := side.Estimate(); !two.Above(0) || two.Value < leastWorth {
			return stats.Estimate{}
		}
	}
	of := worth.Minimax
	if expectimax {
		of = worth.Expectimax
	}
	return x.Over(of).Map(2, 0)
}

// SizeAll brings kinds of error to one misfit: the user's, or for 0 the largest that all reach.
func (g *grid) SizeAll(ctx context.Context, size float64, kinds []evaluation.Tunable) (err error) {
	u := g.Subject
	if g.Size = size; size == 0 {
		if g.Size, err = u.CommonSize(ctx, kinds); err != nil {
			return err
		}
	}
	for _, t := range kinds {
		damages, err := u.Sized(ctx, t, g.Size)
		if err != nil {
			return err
		}
		name := t.Name
		if len(damages) == 1 {
			name = fmt.Sprintf("%s (%.3g)", t.Name, damages[0].By)
		}
		g.Errors = append(g.Errors, &evalError{Name: name, Draws: damages})
	}
	return nil
}
