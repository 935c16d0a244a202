package experiments

import (
	"context"
	"fmt"

	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/grid"
)

var depth = described(study.Experiment{
	Name:    "depth",
	Takes:   []string{"game", "eval", "depth", "slip", "error", "pairs"},
	Minutes: [3]float64{0.1, 2, 90},
	Run:     runDepth,
})

// sized is a kind of error by its share of the common size; half is the place of the
// error of half its size, -1 where there is none.
type sized struct {
	name  string
	share float64
	half  int
}

// shares of the common size.
var shares = []float64{1, 0.5, 0.25}

func runDepth(ctx context.Context, s *study.Session) (*study.Results, error) {
	f := &study.Results{}
	var played []damage.Played
	for _, spec := range study.Or(s.Over.Games, []string{"connect4"}) {
		g, kinds, err := newSizes(ctx, s, spec)
		if err != nil {
			return nil, err
		}
		if err := g.Measure(ctx, s); err != nil {
			return nil, err
		}
		f.Tables = append(f.Tables, halvings(g, kinds))
		if err := g.Report(f); err != nil {
			return nil, err
		}
		cures(f, g, kinds)
		played = append(played, g.Played...)
	}
	f.Data = damage.PairData("matches", played)
	return f, nil
}

// newSizes is a grid of three kinds of error in three sizes.
func newSizes(ctx context.Context, s *study.Session, spec string) (*grid.Grid, []sized, error) {
	g, err := gameGrid(ctx, s, spec, []float64{0.2}, [][]int{{2, 3}, {2, 3, 4}, {2, 3, 4, 5}}[s.Effort], s.Pairs(100, 800, 4000))
	if err != nil {
		return nil, nil, err
	}
	u := g.Units[0]
	randoms := u.Randoms(min(g.Pairs, s.Pick(5, 20, 20)))
	list := []damage.Tunable{damage.Scales()[0], randoms[0], randoms[2]}
	common := s.Over.Error
	if common == 0 {
		if common, err = u.CommonSize(ctx, list); err != nil {
			return nil, nil, err
		}
	}
	var kinds []sized
	for _, t := range list {
		for i, share := range shares {
			damages, err := u.Sized(ctx, t, share*common)
			if err != nil {
				return nil, nil, err
			}
			k := sized{t.Name, share, len(kinds) + 1}
			if i == len(shares)-1 {
				k.half = -1
			}
			kinds = append(kinds, k)
			g.Errors = append(g.Errors, grid.Error{Name: fmt.Sprintf("%s, size %.3f", t.Name, share*common), Draws: [][]damage.Damage{damages}})
		}
	}
	return g, kinds, nil
}

// halvings is what half of each error is worth to either planner, beside a ply.
func halvings(g *grid.Grid, kinds []sized) report.Table {
	t := report.Table{Head: []string{"halving", "world", "depth", "minimax gains", "expectimax gains", "a ply: minimax", "expectimax"}, Words: 1,
		Caption: g.Name + ": what half of an error is worth: the points that halving it gains either planner, on the same openings, and beside it what one ply more gains the same planner without the error."}
	for _, w := range g.Worlds {
		for i, k := range kinds {
			for _, d := range g.Depths {
				if k.half < 0 || d == 1 {
					continue
				}
				gain, ply := halving(g, i, k.half, w, d), g.Beside(&g.Errors[i], w, d, damage.OnePly)
				t.Rows = append(t.Rows, []string{g.Errors[i].Name, w.String(), fmt.Sprint(d), gain.Minimax.Interval().Format(4), gain.Expectimax.Interval().Format(4), ply.Minimax.Interval().Format(4), ply.Expectimax.Interval().Format(4)})
			}
		}
	}
	return t
}

// halving is what the planners gain where the error at place i shrinks to the one at half.
func halving(g *grid.Grid, i, half int, w study.World, d int) study.Contrast {
	whole, less := g.Contrast(&g.Errors[i], w, d), g.Contrast(&g.Errors[half], w, d)
	return study.Contrast{Expectimax: whole.Expectimax.Less(less.Expectimax), Minimax: whole.Minimax.Less(less.Minimax)}
}

// fades is the share of the loss that is left at the greatest depth, below which a
// deeper search counts as a cure.
const fades = 0.5

// cures says how much of the loss of the whole errors is left at the greatest depth.
func cures(f *study.Results, g *grid.Grid, kinds []sized) {
	least, last := g.Depths[0], g.Depths[len(g.Depths)-1]
	w := g.Worlds[len(g.Worlds)-1]
	for i, k := range kinds {
		if k.share != 1 || last == least {
			continue
		}
		e := &g.Errors[i]
		shallow, deep := g.Contrast(e, w, least), g.Contrast(e, w, last)
		for _, planner := range []struct {
			name          string
			shallow, deep study.Losses
		}{{"minimax", shallow.Minimax, deep.Minimax}, {"expectimax", shallow.Expectimax, deep.Expectimax}} {
			if planner.deep.Exact {
				continue // a theorem says that nothing is lost
			}
			left, known := planner.deep.Over(planner.shallow)
			if !known {
				f.Notes = append(f.Notes, fmt.Sprintf("%s under %s: what it loses at depth %d is not clearly above 0, so no share of it is given.", k.name, planner.name, least))
				continue
			}
			f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("in %s with %v a search of %d decisions in place of %d cures more than half of %s under %s", g.Name, w, last, least, k.name, planner.name), left, study.Below, fades, "share of the loss left "+left.Format(2)))
		}
	}
}
