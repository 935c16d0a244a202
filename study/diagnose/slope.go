package diagnose

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"plyfit/arena/stats"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/learn"
	"plyfit/models"
	"plyfit/search"
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

// straight completes a link for the world.
func (d *diagnosis) straight(l link) link {
	l.lo, l.hi = d.World.Min, d.World.Max
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

// scale is an increasing map of values.
type scale interface{ of(v float64) float64 }

// over is an evaluator through the map.
func over(m scale, e search.Evaluator) search.Evaluator {
	if t, ok := e.(search.Tracker); ok {
		return mappedTracker{t, m}
	}
	return mapped{e, m}
}

type mapped struct {
	search.Evaluator
	by scale
}

func (e mapped) Evaluate(s game.State, p game.Player) float64 {
	return e.by.of(e.Evaluator.Evaluate(s, p))
}

type mappedTracker struct {
	search.Tracker
	by scale
}

func (e mappedTracker) Evaluate(s game.State, p game.Player) float64 {
	return e.by.of(e.Tracker.Evaluate(s, p))
}

// calibrate fits the slope to the games, and sets the link that makes it 1.
func (d *diagnosis) calibrate(ctx context.Context) error {
	l := d.straight(link{slope: 1})
	d.fitCurve()
	s := &d.report.Slope
	if s.LogOdds = l.odds; l.odds {
		p, fault := d.logistic(ctx, l)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case fault != nil:
			s.Estimate.Lacks = "the values say nothing of what came of the games"
		case p.Episodes < stats.FewestPairs:
			s.Estimate.Lacks = tooFewEnded
		default:
			s.Estimate = stats.Around(p.Slope, float64(stats.TQuantile95(float64(p.Episodes-1))*p.SlopeError))
		}
		l.shift = p.Shift
	} else {
		s.Estimate, l.shift = d.line()
	}
	if s.Estimate.Known {
		low, high := s.Estimate.Ends()
		s.Sure = CalibrationOf(s.Estimate.Value, low, high)
	}
	if l.slope = s.Estimate.Value; !(l.slope > 0) {
		l = d.straight(link{slope: 1})
	}
	d.link = l
	return nil
}

// tooFewEnded is the reason for having no slope in fewer than [stats.FewestPairs] games.
const tooFewEnded = "too few games with an end"

// ended returns the games one decision ahead that have an outcome.
func (d *diagnosis) ended() []played {
	return slices.DeleteFunc(slices.Clone(d.valued), func(g played) bool { return g.cut })
}

// row is a value on the way with the outcome of its game.
type row struct {
	game           int
	value, outcome float64
}

// rows yields the values of all games that ended. In games of two each row comes from either player's
// side, so that no map of values favors one of them.
func (d *diagnosis) rows() iter.Seq[row] {
	return func(yield func(row) bool) {
		total := d.World.Min + d.World.Max
		for i, g := range d.ended() {
			for _, v := range g.values {
				if !yield(row{i, v, g.outcome}) || d.players == 2 && !yield(row{i, total - v, total - g.outcome}) {
					return
				}
			}
		}
	}
}

// outcomes are rows for a logistic regression of outcomes on the log odds of values.
type outcomes struct {
	d *diagnosis
	l link
}

// All implements [datasets.Samples].
func (o outcomes) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		for r := range o.d.rows() {
			x := models.Vector{{Index: 0, Value: float32(o.l.logit(r.value))}, {Index: models.Bias, Value: 1}}
			s := datasets.Sample{X: x, Y: (r.outcome - o.l.lo) / (o.l.hi - o.l.lo), Weight: 1, Kind: game.Exact, Episode: uint64(r.game)}
			if !yield(&s, nil) {
				return
			}
		}
	}
}

func (d *diagnosis) logistic(ctx context.Context, l link) (learn.Platt, error) {
	m := models.New(d.World.Name, "value", []models.Block{{Name: "log odds", Len: 1}})
	m.Link = models.Link{Kind: models.Logistic, Scale: 1}
	m.Weights[0] = 1
	return learn.FitPlatt(ctx, m, outcomes{d, l}, 0, 1, nil)
}

// line is the slope and shift of the straight line through outcomes over values. The slope is a ratio
// of sums over games, which are independent.
func (d *diagnosis) line() (slope stats.Estimate, shift float64) {
	ended := d.ended()
	var n, sx, sy float64
	for _, g := range ended {
		for _, x := range g.values {
			n, sx, sy = n+1, sx+x, sy+g.outcome
		}
	}
	if n == 0 {
		return stats.Estimate{Lacks: "no game came to its end"}, 0
	}
	mx, my := sx/n, sy/n
	xy, xx := make([]float64, len(ended)), make([]float64, len(ended))
	for i, g := range ended {
		for _, x := range g.values {
			xy[i] += float64((x - mx) * (g.outcome - my))
			xx[i] += float64((x - mx) * (x - mx))
		}
	}
	switch slope = stats.Ratio(xy, xx); {
	case !slope.Known:
		return stats.Estimate{Lacks: "the evaluation says the same of every position"}, 0
	case len(ended) < stats.FewestPairs:
		return stats.Estimate{Lacks: tooFewEnded}, 0
	}
	return slope, my - float64(slope.Value*mx)
}
