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

// Slope compares the values of the evaluation with the outcomes of the games. It is computed by
// logistic regression on log odds if games come close to the bounds of utility, and by least
// squares otherwise. A calibrated evaluation has the slope 1.
type Slope struct {
	Estimate stats.Estimate `json:"estimate"`
	LogOdds  bool           `json:"log_odds"`
	Sure     calibration    `json:"sure,omitempty"` // interpretation of the slope; empty if it is unknown
	// Curve is the gain of the best increasing map beyond that of the line, in the unit of the
	// losses. It is nil if it was not measured.
	Curve *stats.Estimate `json:"curve,omitempty"`
}

// calibration is the interpretation of a slope.
type calibration string

const (
	TooSure    calibration = "too sure of itself"
	AboutRight calibration = "about right"
	Unsure     calibration = "underconfident; leave it unchanged"
)

// CalibrationOf returns the interpretation of a slope with its interval. If the slope is below 0.8,
// calibration gains more than it risks. If the slope is above 1, calibration would lose, so it is
// never recommended.
func CalibrationOf(slope, low, high float64) calibration {
	switch {
	case slope < 0.8 && high < 1:
		return TooSure
	case slope > 1/0.8 && low > 1:
		return Unsure
	}
	return AboutRight
}

// A link is a calibration, that is, an increasing map of values.
type link struct {
	slope, shift float64
	odds         bool // applied to log odds between lo and hi
	lo, hi       float64
}

// identity returns the link that leaves all values unchanged.
func (d *diagnosis) identity() link {
	l := link{slope: 1, lo: d.World.Min, hi: d.World.Max}
	_, points := game.As[game.Scorer](d.World.Base().New())
	l.odds = !math.IsInf(l.hi-l.lo, 0) && (!points || l.hi-l.lo <= 2) // scores are far from their bounds
	return l
}

// logit returns the log odds of a value, which are large but finite at the ends of the range.
func (l link) logit(v float64) float64 {
	const least = 1e-15
	q := math.Min(math.Max((v-l.lo)/(l.hi-l.lo), least), 1-least)
	return elementary.Log(q) - elementary.Log1p(-q)
}

// of returns the calibrated value.
func (l link) of(v float64) float64 {
	switch {
	case !l.odds:
		return l.shift + float64(l.slope*v)
	case v <= l.lo || v >= l.hi:
		return v
	}
	return l.lo + (l.hi-l.lo)/(1+elementary.Exp(-(float64(l.slope*l.logit(v))+l.shift)))
}

// calibrate estimates the slope from the games and sets the link that makes it 1. Without a
// positive slope, the link changes nothing. If there are enough games, calibrate also fits the
// curve.
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
		s.Estimate.Lacks = "too few completed games"
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

// A row is a value from a game, with that game's outcome.
type row struct {
	game           int
	value, outcome float64
}

// rows returns the values from those games at depth 1 that have an outcome, and the number of these
// games. In two-player games, each row is included from both sides, so that no map favours one of
// them.
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

// logistic performs a logistic regression of outcomes on the log odds of values.
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
		return stats.Estimate{Lacks: "the values do not predict the outcomes of the games"}, 0
	}
	return stats.Around(p.Slope, float64(stats.TQuantile95(float64(p.Episodes-1))*p.SlopeError)), p.Shift
}

// line fits a line by least squares. The slope is a ratio of sums over games, which are
// independent.
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
		return stats.Estimate{Lacks: "the evaluation is the same for every position"}, 0
	}
	return slope, my - float64(slope.Value*mx)
}

// A curve is an increasing map of values. It is linear between its points and parallel to the
// identity beyond them. If calibration uses log odds, the ends of the range are fixed.
type curve struct {
	x, y  []float64
	turns bool    // whether the map is the same from both sides, as in two-player games
	total float64 // sum of a value from both sides
}

// Limits of a curve.
const (
	curvePoints  = 48   // maximum number of points
	fewestCurved = 30   // minimum number of finished games
	identityPart = 1e-3 // weight of the identity, which makes the curve strictly increasing
)

// fitCurve returns the best increasing map from values to outcomes. It divides the values into
// groups of about equal size and pools neighbouring groups if their means decrease. It returns nil
// if all groups are pooled into one.
func (d *diagnosis) fitCurve(rows []row) *curve {
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.value, b.value) })
	var x, y, w []float64
	for k, from := 0, 0; k < curvePoints; k++ {
		to := max(from, len(rows)*(k+1)/curvePoints)
		for to > from && to < len(rows) && rows[to].value == rows[to-1].value {
			to++ // keep equal values together
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
