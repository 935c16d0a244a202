package diagnose

import (
	"cmp"
	"context"
	"math"
	"slices"

	"plyfit/arena/stats"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/learn"
	"plyfit/models"
)

// Slope compares the evaluation's values with the outcomes of the games: in log odds of the range of
// utility by logistic regression if games come near its bounds, else in a straight line by least
// squares. The slope of an evaluation that means what it says is 1.
type Slope struct {
	Estimate stats.Estimate `json:"estimate"`
	LogOdds  bool           `json:"log_odds"`
	Sure     calibration    `json:"sure,omitempty"` // the meaning of the slope; "" if it is unknown
	// Curve is what the best increasing map of values gains more than the line does, in
	// the unit of the losses; nil if it was not measured.
	Curve *stats.Estimate `json:"curve,omitempty"`
}

// calibration is the meaning of a slope.
type calibration string

const (
	TooSure    calibration = "too sure of itself"
	AboutRight calibration = "about right"
	Unsure     calibration = "unsure of itself: leave it"
)

// CalibrationOf returns the meaning of a slope with its interval. Below 0.8 calibrating gains more than
// it risks; above 1 it loses, so that such a slope is always left alone.
func CalibrationOf(slope, low, high float64) calibration {
	switch {
	case slope < 0.8 && high < 1:
		return TooSure
	case slope > 1/0.8 && low > 1:
		return Unsure
	}
	return AboutRight
}

// link is a calibration: an increasing map of values.
type link struct {
	slope, shift float64
	odds         bool // of log odds between lo and hi
	lo, hi       float64
}

// identity returns the link that changes no value.
func (d *diagnosis) identity() link {
	l := link{slope: 1, lo: d.World.Min, hi: d.World.Max}
	_, points := game.As[game.Scorer](d.World.Base().New())
	l.odds = !math.IsInf(l.hi-l.lo, 0) && (!points || l.hi-l.lo <= 2) // no one comes near the most points
	return l
}

// logit is the log odds of a value; the ends of the range come out large, not infinite.
func (l link) logit(v float64) float64 {
	const least = 1e-15
	q := math.Min(math.Max((v-l.lo)/(l.hi-l.lo), least), 1-least)
	return elementary.Log(q) - elementary.Log1p(-q)
}

// of is the calibrated value. In games of two nothing is shifted, so that the views of players agree.
func (l link) of(v float64) float64 {
	switch {
	case !l.odds:
		return l.shift + float64(l.slope*v)
	case v <= l.lo || v >= l.hi:
		return v
	}
	return l.lo + (l.hi-l.lo)/(1+elementary.Exp(-(float64(l.slope*l.logit(v))+l.shift)))
}

// calibrate fits the slope to the games, and sets the link that makes it 1.
func (d *diagnosis) calibrate(ctx context.Context) error {
	d.link = d.identity()
	rows, games := d.rows()
	if games >= fewestCurved {
		d.curve = d.fitCurve(slices.Clone(rows))
	}
	s, shift := &d.report.Slope, 0.0
	s.LogOdds = d.link.odds
	switch {
	case games < stats.FewestPairs:
		s.Estimate.Lacks = "too few games with an end"
	case s.LogOdds:
		s.Estimate, shift = logistic(ctx, d.link, rows)
	default:
		s.Estimate, shift = line(rows, games)
	}
	if s.Estimate.Known {
		low, high := s.Estimate.Ends()
		s.Sure = CalibrationOf(s.Estimate.Value, low, high)
	}
	if s.Estimate.Value > 0 {
		d.link.slope, d.link.shift = s.Estimate.Value, shift
	}
	return context.Cause(ctx)
}

// row is a value on the way with the outcome of its game.
type row struct {
	game           int
	value, outcome float64
}

// rows returns the values of the games one decision ahead that have an outcome, and their number. In
// games of two each row comes from either player's side, so that no map of values favors one of them.
func (d *diagnosis) rows() (rows []row, games int) {
	total := d.World.Min + d.World.Max
	for _, g := range d.valued {
		if g.cut || len(g.values) == 0 {
			continue
		}
		for _, v := range g.values {
			rows = append(rows, row{games, v, g.outcome})
			if d.World.Players == 2 {
				rows = append(rows, row{games, total - v, total - g.outcome})
			}
		}
		games++
	}
	return rows, games
}

// logistic regresses outcomes on the log odds of values.
func logistic(ctx context.Context, l link, rows []row) (slope stats.Estimate, shift float64) {
	samples := make(datasets.Rows, len(rows))
	for i, r := range rows {
		x := models.Vector{{Index: 0, Value: float32(l.logit(r.value))}, {Index: models.Bias, Value: 1}}
		samples[i] = datasets.Sample{X: x, Y: (r.outcome - l.lo) / (l.hi - l.lo), Weight: 1, Kind: game.Exact, Episode: uint64(r.game)}
	}
	m := models.New("", "value", []models.Block{{Name: "log odds", Len: 1}})
	m.Link = models.Link{Kind: models.Logistic, Scale: 1}
	m.Weights[0] = 1
	p, err := learn.FitPlatt(ctx, m, samples, 0, 1, nil)
	if err != nil {
		return stats.Estimate{Lacks: "the values say nothing of what came of the games"}, 0
	}
	return stats.Around(p.Slope, float64(stats.TQuantile95(float64(p.Episodes-1))*p.SlopeError)), p.Shift
}

// line fits a line by least squares. The slope is a ratio of sums over games, which are independent.
func line(rows []row, games int) (slope stats.Estimate, shift float64) {
	var mx, my float64
	for _, r := range rows {
		mx, my = mx+r.value, my+r.outcome
	}
	n := float64(len(rows))
	mx, my = mx/n, my/n
	xy, xx := make([]float64, games), make([]float64, games)
	for _, r := range rows {
		xy[r.game] += float64((r.value - mx) * (r.outcome - my))
		xx[r.game] += float64((r.value - mx) * (r.value - mx))
	}
	if slope = stats.Ratio(xy, xx); !slope.Known {
		return stats.Estimate{Lacks: "the evaluation says the same of every position"}, 0
	}
	return slope, my - float64(slope.Value*mx)
}

// curve is an increasing map of values through points, straight between them and parallel to the identity
// beyond them. Ends of the range stay.
type curve struct {
	x, y  []float64
	turns bool    // in games of two: the map is the same from either side
	total float64 // of a value from both sides
}

// Limits of a curve.
const (
	curvePoints  = 48   // the maximum
	fewestCurved = 30   // finished games
	identityPart = 1e-3 // the share of the identity, which keeps it strictly increasing
)

// fitCurve finds the best increasing map of values to outcomes. It takes values in groups of equal number
// and pools their means if they fall. It is nil if all are pooled into one.
func (d *diagnosis) fitCurve(rows []row) *curve {
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.value, b.value) })
	var x, y, w []float64
	for k, from := 0, 0; k < curvePoints; k++ {
		to := max(from, len(rows)*(k+1)/curvePoints)
		for to > from && to < len(rows) && rows[to].value == rows[to-1].value {
			to++ // what is equal stays together
		}
		var sx, sy float64
		for _, r := range rows[from:to] {
			sx, sy = sx+r.value, sy+r.outcome
		}
		if n := float64(to - from); n > 0 {
			x, y, w = append(x, sx/n), append(y, sy/n), append(w, n)
		}
		from = to
	}
	c := &curve{turns: d.World.Players == 2, total: d.World.Min + d.World.Max}
	if c.x, c.y = learn.Isotonic(x, y, w); len(c.x) < 2 {
		return nil
	}
	for i, at := range c.x {
		c.y[i] = float64((1-identityPart)*c.y[i]) + float64(identityPart*at)
	}
	if ends := d.identity(); ends.odds {
		if c.x[0] > ends.lo {
			c.x, c.y = slices.Insert(c.x, 0, ends.lo), slices.Insert(c.y, 0, ends.lo)
		}
		if c.x[len(c.x)-1] < ends.hi {
			c.x, c.y = append(c.x, ends.hi), append(c.y, ends.hi)
		}
	}
	return c
}

func (c *curve) of(v float64) float64 {
	if c.turns {
		return (c.at(v) + (c.total - c.at(c.total-v))) / 2
	}
	return c.at(v)
}

func (c *curve) at(v float64) float64 {
	last := len(c.x) - 1
	switch {
	case v <= c.x[0]:
		return c.y[0] + (v - c.x[0])
	case v >= c.x[last]:
		return c.y[last] + (v - c.x[last])
	}
	i, _ := slices.BinarySearch(c.x, v)
	share := (v - c.x[i-1]) / (c.x[i] - c.x[i-1])
	return c.y[i-1] + float64(share*(c.y[i]-c.y[i-1]))
}
