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

// An evalError is a kind of error at a fixed strength, or a yardstick.
type evalError struct {
	Name  string
	Draws []evaluation.Damage
}

func single(name string, d evaluation.Damage) *evalError {
	return &evalError{name, []evaluation.Damage{d}}
}

var (
	// Controls must have no effect.
	controls = []*evalError{single("identity", evaluation.IdentityControl), single("3z - 0.7", evaluation.AffineControl)}

	// Yardsticks are planners of known weakness.
	blind      = single("no evaluation at all", evaluation.Damage{Kind: evaluation.Blind})
	random     = single("random moves", evaluation.Damage{Kind: evaluation.Random})
	onePly     = single("one ply less", evaluation.Damage{Kind: evaluation.OnePly})
	twoPlies   = single("two plies less", evaluation.Damage{Kind: evaluation.TwoPlies})
	yardsticks = []*evalError{blind, random, onePly, twoPlies}
)

// Warps reports whether the error affects only the scale of values. By a theorem, such an error
// does not affect minimax.
func (e *evalError) Warps() bool { return e.Draws[0].Warps() }

// A grid is a factorial in one game.
type grid struct {
	Name    string // name of the game in titles and sentences
	Subject *evaluation.Subject
	Errors  []*evalError
	Size    float64 // common misfit of the errors; 0 if their sizes differ
	Worlds  []study.World
	Depths  []int // depths in decisions, in ascending order
	Pairs   int   // number of pairs per cell
	Played  []measure.Played

	board   *board              // set if cells are solved rather than played
	assumed []float64           // slips that planners can assume on the board, in ascending order
	losses  map[arm][][]float64 // losses on a board, with one row per draw; a single row for played games
}

// An arm identifies the cells of an error: a planner in a world, playing against itself without the
// error.
type arm struct {
	World   study.World
	Assumes study.World // the planner's model of the world
	Depth   int         // in decisions
	Error   string
}

func (a arm) with(e *evalError) arm {
	a.Error = e.Name
	return a
}

// newGrid returns a grid of played games without errors. If the game has chance moves, its only
// world is the game itself. Otherwise there is a world for each slip. The user's slips replace the
// default ones.
func newGrid(ctx context.Context, s *study.Session, spec string, slips []float64, depths []int, pairs int) (*grid, error) {
	u, err := evaluation.LoadSubject(ctx, s, spec)
	if err != nil {
		return nil, err
	}
	spec = u.Base.Spec
	g := &grid{Name: spec, Subject: u, Pairs: pairs, Depths: slices.Sorted(slices.Values(study.Or(s.Over.Depths, depths))), losses: map[arm][][]float64{}}
	if g.chancy() {
		if s.Over.Slips != nil {
			return nil, fmt.Errorf("%s already has chance moves; omit --slip", spec)
		}
		g.Worlds = []study.World{{}}
		u.Leaf = models.Afterstate // positions are evaluated before the dice, so that depth 1 does not average
		return g, nil
	}
	for _, p := range study.Or(s.Over.Slips, slips) {
		if p == 0 {
			return nil, fmt.Errorf("%s: --slip 0: without slips, expectimax is the same as minimax; want slips above 0", spec)
		}
		g.Worlds = append(g.Worlds, study.World{Slip: p})
	}
	return g, nil
}

func (g *grid) chancy() bool { return g.Subject.Base.Chancy() }
func (g *grid) last() int    { return g.Depths[len(g.Depths)-1] }

// Minimax returns the world that minimax assumes, whatever the actual world is.
func (g *grid) Minimax() study.World { return study.World{Hostile: g.chancy()} }

// Expectimax returns the world that expectimax assumes in w. This is w itself, except on a solved
// board if w has no slips or no planner assumes the slip of w. In that case, it is the world with
// the largest assumed slip.
func (g *grid) Expectimax(w study.World) study.World {
	if g.board == nil || w.Slip > 0 && slices.Contains(g.assumed, w.Slip) {
		return w
	}
	return study.World{Slip: g.assumed[len(g.assumed)-1]}
}

// arms yields all planners in all worlds, with no error set. Minimax comes first.
func (g *grid) arms(yield func(arm) bool) {
	for _, w := range g.Worlds {
		planners := []study.World{g.Minimax(), w}
		if g.board != nil {
			planners = list.Map(g.assumed, func(p float64) study.World { return study.World{Slip: p} })
		}
		for _, d := range g.Depths {
			for _, assumes := range planners {
				if !yield(arm{w, assumes, d, ""}) {
					return
				}
			}
		}
	}
}

// theorem reports whether a theorem implies that an error causes no loss in a cell.
func (g *grid) theorem(e *evalError, assumes study.World) bool {
	return slices.Contains(controls, e) || e.Warps() && !assumes.Averages(g.chancy())
}

func (g *grid) yardsticks(depth int) []*evalError {
	return slices.DeleteFunc(slices.Clone(yardsticks), func(e *evalError) bool {
		return depth <= e.Draws[0].Less() || e == random && g.board != nil
	})
}

// all returns the errors, the controls and the yardsticks for a depth.
func (g *grid) all(depth int) []*evalError {
	return slices.Concat(g.Errors, controls, g.yardsticks(depth))
}

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
				pairs = min(pairs, 50) // all moves are equal
			}
			for _, draw := range m.Draws(e.Draws, pairs) {
				matches, of = append(matches, draw), append(of, a.with(e))
			}
		}
	}
	var err error
	g.Played, err = measure.PlayAll(ctx, s, "matches in "+g.Name, g.Subject, matches)
	for i, p := range g.Played {
		if g.losses[of[i]] == nil {
			g.losses[of[i]] = make([][]float64, 1)
		}
		row := &g.losses[of[i]][0]
		*row = append(*row, p.Points.Losses()...)
	}
	return err
}

// loss returns what one error (the parameter of) costs the planner. The loss is measured on the
// openings of another error, e, and has a row for each draw of e. If a theorem implies that there
// is no loss, only some pairs were played, and the others count as 0.
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
		out.Rows = append(out.Rows, whole[part.From:part.From+part.Count])
	}
	return out
}

// contrast returns the losses of both planners in a world. Its last two parameters have the same
// meaning as those of [grid.loss].
func (g *grid) contrast(e, of *evalError, w study.World, depth int) study.Contrast {
	return study.Contrast{Expectimax: g.loss(e, of, arm{w, g.Expectimax(w), depth, ""}), Minimax: g.loss(e, of, arm{w, g.Minimax(), depth, ""})}
}

// planners contains the names of the planners in the order of [sides].
var planners = [2]string{"minimax", "expectimax"}

func sides(c study.Contrast) [2]stats.Sample { return [2]stats.Sample{c.Minimax, c.Expectimax} }

// plies returns the losses of both planners in plies. A ply is half of what the same planner loses
// by searching two decisions shallower. Two decisions are used because odd and even depths differ.
// The result is unknown unless two plies are clearly worth at least .002 of the points to both
// planners.
func (g *grid) plies(e *evalError, w study.World, depth int) (out [2]stats.Estimate) {
	if depth <= twoPlies.Draws[0].Less() {
		return out
	}
	worth := sides(g.contrast(e, twoPlies, w, depth))
	for _, side := range worth {
		if two := side.Estimate(); !two.Above(0) || two.Value < 0.002 {
			return out
		}
	}
	for i, side := range sides(g.contrast(e, e, w, depth)) {
		out[i] = side.Over(worth[i]).Map(2, 0)
	}
	return out
}

// SizeAll gives all kinds of errors the same misfit: the given size or, if size is 0, the largest
// that all kinds can reach.
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
		g.Errors = append(g.Errors, &evalError{name, damages})
	}
	return nil
}

func (g *grid) warps(s *study.Session) (out []*evalError, err error) {
	for _, text := range s.Over.Warps {
		d, err := evaluation.ParseWarp(text)
		if err != nil {
			return nil, err
		}
		out = append(out, single(d.String(), d))
	}
	return out, nil
}
