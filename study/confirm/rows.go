package confirm

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"plyfit/study"
)

// Row is what one unit loses at one depth, as shares of the points, and what was measured
// of it before. Figures that were not measured are NaN.
type Row struct {
	World, Source string
	Seed          uint64
	Depth         int

	Slope      float64 // Platt's
	Variance   float64 // of [Pass], as the next two
	Curvature  float64
	Density    float64
	BySlope    float64 // predictors, before they are multiplied by the constant of the law
	ByOrder2   float64
	ByDirect   float64
	Minimax    float64
	Expectimax float64
	Platt      float64 // expectimax calibrated, whatever the slope
	Isotonic   float64
	// One decision farther.
	MinimaxMore, ExpectimaxMore float64
	// Of planted errors, beside the evaluation without them.
	NoiseMinimax, Noise, Steep float64
}

// rowHead names the columns of rows.
var rowHead = []string{"world", "source", "seed", "depth", "slope", "variance", "curvature", "density", "by_slope", "by_order2", "by_direct",
	"minimax", "expectimax", "platt", "isotonic", "minimax_more", "expectimax_more", "noise_minimax", "noise", "steep"}

// figures are the columns of numbers, in the order of the head.
func (r *Row) figures() []*float64 {
	return []*float64{&r.Slope, &r.Variance, &r.Curvature, &r.Density, &r.BySlope, &r.ByOrder2, &r.ByDirect,
		&r.Minimax, &r.Expectimax, &r.Platt, &r.Isotonic, &r.MinimaxMore, &r.ExpectimaxMore, &r.NoiseMinimax, &r.Noise, &r.Steep}
}

// ReadTable reads the table that a run of the protocol wrote, NAME-rows.csv.
func (p *Protocol) ReadTable(from io.Reader) (t Table, err error) {
	head, texts := rowHead, 2
	if p.Matches != nil {
		head, texts = batchHead, 1
	}
	lines, err := csv.NewReader(from).ReadAll()
	if err != nil {
		return t, err
	}
	if len(lines) == 0 || !slices.Equal(lines[0], head) {
		return t, fmt.Errorf("rows: want the columns %v", head)
	}
	for n, line := range lines[1:] {
		x := make([]float64, len(head))
		for i := texts; i < len(head); i++ {
			if x[i], err = strconv.ParseFloat(line[i], 64); err != nil {
				return t, fmt.Errorf("rows: line %d, column %s: want a number, not %q", n+2, head[i], line[i])
			}
		}
		if p.Matches != nil {
			t.Batches = append(t.Batches, Batch{line[0], int(x[1]), int(x[2]), x[3], x[4], int(x[5])})
			continue
		}
		r := Row{World: line[0], Source: line[1], Depth: int(x[3])}
		if r.Seed, err = strconv.ParseUint(line[2], 10, 64); err != nil {
			return t, fmt.Errorf("rows: line %d, column seed: want a whole number, not %q", n+2, line[2])
		}
		if p.world(r.World) == nil {
			return t, fmt.Errorf("rows: line %d: world %q is none of the protocol's", n+2, r.World)
		}
		for i, to := range r.figures() {
			*to = x[4+i]
		}
		t.Rows = append(t.Rows, r)
	}
	return t, nil
}

func rowData(rows []Row) study.Data {
	d := study.Data{Name: "rows", Head: rowHead}
	for i := range rows {
		r := &rows[i]
		cells := []any{r.World, r.Source, r.Seed, r.Depth}
		for _, x := range r.figures() {
			cells = append(cells, *x)
		}
		d.Row(cells...)
	}
	return d
}

// Blind are what planners lose without an evaluation, by training seed.
type Blind struct {
	World               string
	Depth               int
	Minimax, Expectimax []float64
}

// rowsOf are those of a unit.
func (u *unit) rowsOf(a *Arms) (out []Row) {
	at := func(list []float64, depth int) float64 {
		if depth > len(list) {
			return math.NaN()
		}
		return list[depth-1]
	}
	more := func(list []float64, depth int) float64 {
		if u.world.Measure == byRegret {
			return math.NaN()
		}
		return at(list, depth)
	}
	slope := u.calibration.Platt.Slope
	for _, d := range u.world.Depths {
		out = append(out, Row{
			World: u.world.ID, Source: u.source.ID, Seed: u.seed, Depth: d,
			Slope: slope, Variance: u.pass.Variance, Curvature: u.pass.Curvature, Density: u.pass.Density,
			BySlope: predictor("slope", slope, u.pass), ByOrder2: predictor("order2", slope, u.pass), ByDirect: predictor("direct", slope, u.pass),
			Minimax: at(a.Minimax, d), Expectimax: at(a.Expectimax, d), Platt: at(a.Platt, d), Isotonic: at(a.Isotonic, d),
			MinimaxMore: more(a.MinimaxMore, d), ExpectimaxMore: more(a.ExpectimaxMore, d),
			NoiseMinimax: at(a.NoiseMinimax, d), Noise: at(a.Noise, d), Steep: at(a.Steep, d),
		})
	}
	return out
}

// predicts is the predictor of that name.
func (r *Row) predicts(name string) float64 {
	return map[string]float64{"slope": r.BySlope, "order2": r.ByOrder2, "direct": r.ByDirect}[name]
}

// group are the rows of a source in a world at a depth.
type group struct {
	world  *World
	source *Source
	depth  int
	rows   []Row
}

// groups are those of the rows at tested depths that no exclusion leaves out, in the
// protocol's order.
func (p *Protocol) groups(rows []Row) (out []*group) {
	if p.null != nil {
		return p.null.groups
	}
	type place struct {
		world, source string
		depth         int
	}
	of := map[place][]Row{}
	for _, r := range rows {
		at := place{r.World, r.Source, r.Depth}
		of[at] = append(of[at], r)
	}
	for i := range p.Worlds {
		w := &p.Worlds[i]
		for _, id := range w.Sources {
			for _, d := range w.Tested {
				g := &group{world: w, source: p.source(id), depth: d, rows: of[place{w.ID, id, d}]}
				if len(g.rows) >= p.Exclusions.Units {
					out = append(out, g)
				}
			}
		}
	}
	return out
}

// mean is that of a figure over the units.
func (g *group) mean(of func(r *Row) float64) float64 {
	sum := 0.0
	for i := range g.rows {
		sum += of(&g.rows[i])
	}
	return sum / float64(len(g.rows))
}

func (g *group) minimax() float64    { return g.mean(func(r *Row) float64 { return r.Minimax }) }
func (g *group) expectimax() float64 { return g.mean(func(r *Row) float64 { return r.Expectimax }) }
func (g *group) platt() float64      { return g.mean(func(r *Row) float64 { return r.Platt }) }

// slope is the median.
func (g *group) slope() float64 {
	var all []float64
	for _, r := range g.rows {
		all = append(all, r.Slope)
	}
	slices.Sort(all)
	n := len(all)
	return (all[(n-1)/2] + all[n/2]) / 2
}
