package diagnose

import (
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/arena/stats"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/learn"
	"plyfit/models"
)

// Slope is how the evaluation's values stand to what came of the games: in log odds of
// the range of utility by logistic regression, where games come near its bounds, else in a
// straight line by least squares. 1 is an evaluation that means what it says.
type Slope struct {
	Estimate stats.Estimate `json:"estimate"`
	LogOdds  bool           `json:"log_odds"`
	// Sure says what the slope means; "" where it is not known.
	Sure calibration `json:"sure,omitempty"`
	// Curve is what the best increasing map of values gains more than the line does, in
	// the unit of the losses; nil: it was not measured.
	Curve *stats.Estimate `json:"curve,omitempty"`
}

// calibration is what a slope means.
type calibration string

const (
	TooSure    calibration = "too sure of itself"
	aboutRight calibration = "about right"
	unsure     calibration = "unsure of itself: leave it"
)

// tooSure is the slope below which calibrating gains more than it risks; above 1 it loses.
const tooSure = 0.8

// CalibrationOf is what a slope with its interval means. One above 1 is always left alone.
func CalibrationOf(slope, low, high float64) calibration {
	switch {
	case slope < tooSure && high < 1:
		return TooSure
	case slope > 1/tooSure && low > 1:
		return unsure
	}
	return aboutRight
}

// Sentence says in a line what a slope, with half its interval, means for anyone who plays with
// the evaluation, and what tells more.
func Sentence(slope, half float64, command string) string {
	text := fmt.Sprintf("On held-out games the log odds of outcomes are %.2f ± %.2f times those predicted: ", slope, half)
	switch CalibrationOf(slope, slope-half, slope+half) {
	case TooSure:
		return text + "too sure of itself, which costs expectimax points; " + command + " says how many."
	case unsure:
		return text + "unsure of itself: leave it, as to sharpen it loses more often than it gains."
	}
	return text + "about right."
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

// of is the calibrated value. In games of two nothing is shifted, so that it stays the
// same in either player's view.
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
	l := d.identity()
	rows, games := d.rows()
	if games >= fewestCurved {
		d.curve = d.fitCurve(slices.Clone(rows))
	}
	s := &d.report.Slope
	s.LogOdds = l.odds
	switch {
	case games < stats.FewestPairs:
		s.Estimate.Lacks = "too few games with an end"
	case l.odds:
		s.Estimate, l.shift = logistic(ctx, l, rows)
	default:
		s.Estimate, l.shift = line(rows, games)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if s.Estimate.Known {
		low, high := s.Estimate.Ends()
		s.Sure = CalibrationOf(s.Estimate.Value, low, high)
	}
	if l.slope = s.Estimate.Value; !(l.slope > 0) {
		l = d.identity()
	}
	d.link = l
	return nil
}

// row is a value on the way with the outcome of its game.
type row struct {
	game           int
	value, outcome float64
}

// rows returns the values of the games one decision ahead that have an outcome, and how many games
// they come from. In games of two each row comes from either player's side, so that no map of
// values favors one of them.
func (d *diagnosis) rows() (rows []row, games int) {
	total := d.World.Min + d.World.Max
	for _, g := range d.valued {
		if g.cut || len(g.values) == 0 {
			continue
		}
		for _, v := range g.values {
			rows = append(rows, row{games, v, g.outcome})
			if d.players == 2 {
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
		return stats.Estimate{Lacks: "the values say nothing of what came of the games"}, p.Shift
	}
	return stats.Around(p.Slope, float64(stats.TQuantile95(float64(p.Episodes-1))*p.SlopeError)), p.Shift
}

// line fits a straight line through outcomes over values by least squares. The slope is a ratio of
// sums over games, which are independent.
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
