package experiments

import (
	"context"
	"fmt"

	"plyfit/arena/stats"
	"plyfit/internal/list"
	"plyfit/models"
	"plyfit/study"
	"plyfit/study/damage"
)

// evalError is a kind of error at its strength.
type evalError struct {
	Name    string
	Draws   []damage.Damage
	Control bool // must change nothing
}

func single(name string, d damage.Damage) evalError {
	return evalError{Name: name, Draws: []damage.Damage{d}}
}

// Warps reports whether the error is of scale alone. A strictly increasing map keeps the order of
// all values, so minimax cannot notice it: a theorem and a check of the instrument, no finding.
func (e *evalError) Warps() bool { return e.Draws[0].Warps() }

func controls() []evalError {
	same, affine := single(damage.Identity, damage.IdentityControl), single(damage.AffineMap, damage.AffineControl)
	same.Control, affine.Control = true, true
	return []evalError{same, affine}
}

// grid is a factorial in one game.
type grid struct {
	Name    string // what it is about, in titles and sentences
	Subject *damage.Subject
	Errors  []evalError
	Size    float64 // the errors' common misfit; 0: each has its own
	Worlds  []study.World
	Depths  []int // decisions, rising
	Pairs   int   // of games, a cell

	Played []damage.Played // all matches, once they are

	board   *board                    // its cells are solved; nil: played
	assumed []float64                 // slips that planners assume there, rising
	losses  map[study.Arm][][]float64 // on a board a row a draw, of games one for all
}

// newGrid is a grid of played games, in a game with chance of its own as it is, else with
// the slips that the user wants, or the usual ones.
func newGrid(s *study.Session, u *damage.Subject, usual []float64) (*grid, error) {
	spec := u.Base.Spec
	g := &grid{Name: spec, Subject: u, losses: map[study.Arm][][]float64{}}
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
func (g *grid) spec() string { return g.Subject.Base.Spec }
func (g *grid) last() int    { return g.Depths[len(g.Depths)-1] }

// Minimax is what minimax takes every world of the game for.
func (g *grid) Minimax() study.World { return study.World{Hostile: g.chancy()} }

// Expectimax is what expectimax takes a world for: what it is, or on a board where
// no one assumes its slip the largest that anyone assumes.
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

// Arm is the cell of an error, or of an anchor by its name.
func (g *grid) Arm(w, assumes study.World, depth int, name string) study.Arm {
	return study.Arm{Game: g.spec(), World: w, Assumes: assumes, Error: name, Depth: depth}
}

// theorem reports whether a cell is one of which a theorem says that nothing is lost.
func (g *grid) theorem(e *evalError, assumes study.World) bool {
	return e.Control || e.Warps() && !assumes.Averages(g.chancy())
}

// anchors are the yardsticks of a depth.
func (g *grid) anchors(depth int) []damage.Anchor {
	list := []damage.Anchor{damage.Zero}
	if g.board == nil {
		list = append(list, damage.Random)
	}
	for _, a := range []damage.Anchor{damage.OnePly, damage.TwoPlies} {
		if depth > a.Less() {
			list = append(list, a)
		}
	}
	return list
}

// controlPairs are enough where no move changes.
const controlPairs = 50

// Measure computes all cells.
func (g *grid) Measure(ctx context.Context, s *study.Session) error {
	if g.board != nil {
		return g.solve(ctx, s)
	}
	subjects := damage.Subjects{}
	subjects.Add(g.Subject)
	var matches []damage.Match
	var of []study.Arm
	for _, w := range g.Worlds {
		for _, d := range g.Depths {
			for _, assumes := range g.planners(w) {
				m := damage.Match{Game: g.spec(), Eval: g.Subject.Digest, World: w, Assumes: assumes, Depth: d, Plies: damage.OpeningPlies, Pairs: g.Pairs}
				put := func(m damage.Match, name string) {
					if m.Pairs > 0 {
						matches, of = append(matches, m), append(of, g.Arm(w, assumes, d, name))
					}
				}
				for n := range g.Errors {
					e, pairs := &g.Errors[n], m.Pairs
					if g.theorem(e, assumes) {
						pairs = min(pairs, controlPairs)
					}
					for _, draw := range m.Draws(e.Draws, pairs) {
						put(draw, e.Name)
					}
				}
				for _, a := range g.anchors(d) {
					m.Anchor = a
					put(m, string(a))
				}
			}
		}
	}
	var err error
	if g.Played, err = damage.PlayAll(ctx, s, "matches in "+g.Name, subjects, matches); err != nil {
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

// Loss is what was lost in the cell of an error, or of an anchor on its openings: a row a draw.
// Where a theorem says that nothing is lost only some pairs were played; the others count as 0.
func (g *grid) Loss(e *evalError, a study.Arm) stats.Sample {
	rows, found := g.losses[a]
	if !found {
		panic(fmt.Sprintf("grid: no cell of %v", a))
	}
	anchor := a.Error != e.Name
	if g.board != nil {
		for anchor && len(rows) < len(e.Draws) {
			rows = append(rows[:len(rows):len(rows)], rows[0])
		}
		return stats.Sample{Rows: rows, Exact: anchor || len(rows) == 1}
	}
	out := stats.Sample{Exact: !anchor && g.theorem(e, a.Assumes)}
	whole := rows[0]
	if out.Exact {
		whole = make([]float64, g.Pairs)
	}
	for _, part := range (damage.Match{}).Draws(e.Draws, g.Pairs) {
		if part.Pairs > 0 {
			out.Rows = append(out.Rows, whole[part.From:part.From+part.Pairs])
		}
	}
	return out
}

// Contrast is what the error costs both planners, in one world: in a world with more luck
// every mistake costs less, no matter who plans.
func (g *grid) Contrast(e *evalError, w study.World, depth int) study.Contrast {
	return g.contrast(e, w, depth, e.Name)
}

// Beside is the same of an anchor, on the error's openings.
func (g *grid) Beside(e *evalError, w study.World, depth int, anchor damage.Anchor) study.Contrast {
	return g.contrast(e, w, depth, string(anchor))
}

func (g *grid) contrast(e *evalError, w study.World, depth int, name string) study.Contrast {
	return study.Contrast{Expectimax: g.Loss(e, g.Arm(w, g.Expectimax(w), depth, name)), Minimax: g.Loss(e, g.Arm(w, g.Minimax(), depth, name))}
}

// leastWorth is the least share of the points that two plies are worth where plies are counted.
const leastWorth = 0.002

// Plies are the losses x of a planner in plies: over half of what the same planner loses
// that searches two decisions less deep, since odd and even depths differ. They are unknown unless
// two plies are clearly worth something to both planners.
func (g *grid) Plies(e *evalError, x stats.Sample, w study.World, depth int, expectimax bool) stats.Estimate {
	if depth <= damage.TwoPlies.Less() {
		return stats.Estimate{}
	}
	worth := g.Beside(e, w, depth, damage.TwoPlies)
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
func (g *grid) SizeAll(ctx context.Context, size float64, kinds []damage.Tunable) (err error) {
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
		g.Errors = append(g.Errors, evalError{Name: name, Draws: damages})
	}
	return nil
}
