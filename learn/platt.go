package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/internal/design"
	"plyfit/learn/loss"
	"plyfit/models"
)

// notCalibratable is an error that explains why an evaluation cannot be calibrated on these rows
// even though no row is invalid.
type notCalibratable string

// Error implements error.
func (e notCalibratable) Error() string { return "learn: " + string(e) }

// Platt is the calibration of an evaluation's link by Platt scaling (Platt 1999). It consists of
// the linear function of the log odds that fits the results best,
//
//	P(win) = 1/(1 + exp(-(Slope x + Shift)))
//
// where x is the model's log odds for player 0 and labels are fractions of the utility range. A
// calibrated model has Slope 1 and Shift 0, and an overconfident model has a Slope below 1.
type Platt struct {
	Slope float64 `json:"slope"`
	Shift float64 `json:"shift"`
	// These are standard errors, clustered by episode (Liang and Zeger 1986).
	SlopeError float64 `json:"slope_error"`
	ShiftError float64 `json:"shift_error"`
	// Before and After are the mean logistic losses of the rows before and after calibration.
	Before   float64 `json:"loss_before"`
	After    float64 `json:"loss_after"`
	Rows     int64   `json:"rows"`
	Episodes int     `json:"episodes"`
}

// FitPlatt fits the slope and shift to the episodes for which the function rows returns true, or to
// all episodes if it is nil. The model must have a bounded link, and labels must lie in [lo, hi].
// Samples must contain the column models.Bias. Samples that are only bounds are skipped. FitPlatt
// returns an error if the evaluation is the same for every row, if it does not predict the labels
// or predicts the opposite, or if it predicts all of them without error.
func FitPlatt(ctx context.Context, m *models.Linear, data datasets.Samples, lo, hi float64, rows func(episode uint64) bool) (Platt, error) {
	p := Platt{Slope: 1}
	f, err := newPlattFit(ctx, m, data, lo, hi, rows)
	if err != nil {
		return p, err
	}
	now, err := f.at(p.Slope, p.Shift)
	if err != nil {
		return p, err
	}
	if now.weight == 0 {
		return p, design.ErrNoRows
	}
	p.Before = now.total / now.weight
	for range 60 {
		step, ok := now.newton()
		if !ok {
			return p, notCalibratable("the evaluation is the same for every row, so there is nothing to calibrate")
		}
		if math.Abs(step[0]) <= 1e-10*math.Abs(p.Slope) && math.Abs(step[1]) <= 1e-10 {
			break
		}
		for {
			next, err := f.at(p.Slope-step[0], p.Shift-step[1])
			if err != nil {
				return p, err
			}
			promise := float64(now.g[0]*step[0]) + float64(now.g[1]*step[1])
			if next.total <= now.total || promise <= 1e-13*now.total { // the change is within rounding errors
				p.Slope, p.Shift, now = p.Slope-step[0], p.Shift-step[1], next
				break
			}
			step[0], step[1] = step[0]/2, step[1]/2
		}
		if p.Slope > 1e3 {
			return p, notCalibratable("the sign of the evaluation predicts every result, so no finite scale fits")
		}
	}
	if !(p.Slope > 1e-9) {
		return p, notCalibratable("the evaluation does not predict the results, or predicts the opposite, so no positive scale fits")
	}
	p.After, p.Rows, p.Episodes = now.total/now.weight, now.rows, now.episodes
	p.SlopeError, p.ShiftError = now.errors()
	return p, nil
}

// Losses returns the mean logistic losses of a model on other samples, before and after calibration
// with p.
func (p Platt) Losses(ctx context.Context, m *models.Linear, data datasets.Samples, lo, hi float64, rows func(episode uint64) bool) (before, after float64, err error) {
	f, err := newPlattFit(ctx, m, data, lo, hi, rows)
	if err != nil {
		return 0, 0, err
	}
	a, err := f.at(1, 0)
	if err != nil {
		return 0, 0, err
	}
	if a.weight == 0 {
		return 0, 0, design.ErrNoRows
	}
	b, err := f.at(p.Slope, p.Shift)
	return a.total / a.weight, b.total / b.weight, err
}

// Apply gives m the calibrated link. It multiplies the scale of the link by Slope and includes
// Shift in the bias. The order in which m ranks positions does not change.
func (p Platt) Apply(m *models.Linear) {
	c, bounded := m.Link.TanhScale()
	if !bounded {
		panic("learn: Platt called for a link without bounds")
	}
	m.Link.Scale = cmp.Or(m.Link.Scale, 1)
	m.Bias += p.Shift / (2 * c * p.Slope)
	m.Link.Scale *= p.Slope
}

type plattFit struct {
	ctx       context.Context
	model     *models.Linear
	data      datasets.Samples
	unit      float64 // log odds per unit of the weighted sum
	criterion loss.Logistic
	rows      func(episode uint64) bool
}

func newPlattFit(ctx context.Context, m *models.Linear, data datasets.Samples, lo, hi float64, rows func(episode uint64) bool) (*plattFit, error) {
	c, bounded := m.Link.TanhScale()
	if !bounded {
		return nil, fmt.Errorf("learn: a model with link %q has no log odds to calibrate; want %q or %q", m.Link.Kind, models.Logistic, models.Tanh)
	}
	return &plattFit{ctx: ctx, model: m, data: data, unit: 2 * c, criterion: loss.Logistic{Lo: lo, Hi: hi}, rows: rows}, nil
}

// plattSums contains sums over the rows for a given slope and shift: the loss, its gradient with
// respect to slope and shift, its second derivatives, and the products of the episodes' gradients.
type plattSums struct {
	total, weight float64
	g             [2]float64
	h, meat       [3]float64 // order: slope-slope, slope-shift, shift-shift
	rows          int64
	episodes      int
}

func (f *plattFit) at(slope, shift float64) (plattSums, error) {
	var out plattSums
	var own [2]float64 // gradient of the current episode
	var episode uint64
	finish := func() {
		out.meat[0] += float64(own[0] * own[0])
		out.meat[1] += float64(own[0] * own[1])
		out.meat[2] += float64(own[1] * own[1])
		own = [2]float64{}
	}
	err := design.Scan(f.ctx, f.data, f.model, &design.Split{}, func(s *datasets.Sample, _ bool) error {
		if s.Kind != game.Exact || f.rows != nil && !f.rows(s.Episode) {
			return nil
		}
		if out.rows == 0 || s.Episode != episode {
			finish()
			episode = s.Episode
			out.episodes++
		}
		x, side := float64(f.unit*f.model.Dot(s.X)), 0.0
		for _, t := range s.X {
			if t.Index == models.Bias {
				side += float64(t.Value)
			}
		}
		l, g, h := f.criterion.Loss(float64(slope*x)+float64(shift*side), s.Y)
		out.rows++
		out.weight += s.Weight
		out.total += float64(s.Weight * l)
		gx, gs := float64(s.Weight*g*x), float64(s.Weight*g*side)
		own[0] += gx
		own[1] += gs
		out.g[0] += gx
		out.g[1] += gs
		out.h[0] += float64(s.Weight * h * x * x)
		out.h[1] += float64(s.Weight * h * x * side)
		out.h[2] += float64(s.Weight * h * side * side)
		return nil
	})
	finish()
	return out, err
}

// newton returns the Newton step. The result ok is false if the curvature is singular.
func (s *plattSums) newton() (step [2]float64, ok bool) {
	det := float64(s.h[0]*s.h[2]) - float64(s.h[1]*s.h[1])
	if !(det > 1e-12*s.h[0]*s.h[2]) {
		return step, false
	}
	return [2]float64{(float64(s.h[2]*s.g[0]) - float64(s.h[1]*s.g[1])) / det, (float64(s.h[0]*s.g[1]) - float64(s.h[1]*s.g[0])) / det}, true
}

// errors returns the standard errors of slope and shift, computed from the diagonal of the sandwich
// H^-1 M H^-1, where M is the sum over episodes of the products of their gradients.
func (s *plattSums) errors() (slope, shift float64) {
	det := float64(s.h[0]*s.h[2]) - float64(s.h[1]*s.h[1])
	a, b, c := s.h[2]/det, -s.h[1]/det, s.h[0]/det
	variance := func(x, y float64) float64 {
		return float64(x*x*s.meat[0]) + float64(2*x*y*s.meat[1]) + float64(y*y*s.meat[2])
	}
	return math.Sqrt(variance(a, b)), math.Sqrt(variance(b, c))
}

// Isotonic computes the monotone fit by weighted least squares. The points must be sorted by x.
// Adjacent points are merged into pools until the values of y increase (Ayer et al. 1955). Isotonic
// returns the weighted means of x and y in each pool.
func Isotonic(x, y, w []float64) (meanX, meanY []float64) {
	type pool struct {
		n         int
		y, weight float64
	}
	var pools []pool
	for i := range y {
		p := pool{1, y[i], w[i]}
		for last := len(pools) - 1; last >= 0 && pools[last].y >= p.y; last-- {
			q := pools[last]
			total := q.weight + p.weight
			p = pool{q.n + p.n, (float64(q.y*q.weight) + float64(p.y*p.weight)) / total, total}
			pools = pools[:last]
		}
		pools = append(pools, p)
	}
	i := 0
	for _, p := range pools {
		sum := 0.0
		for range p.n {
			sum += float64(x[i] * w[i])
			i++
		}
		meanX, meanY = append(meanX, sum/p.weight), append(meanY, p.y)
	}
	return meanX, meanY
}

// FitScale returns the scale of a link, [models.Logistic] or [models.Tanh], at which an evaluation
// in its own units (such as pawns or discs) fits results best. It minimises the logistic loss of
// link(scale z), where z is m's weighted sum and labels lie in [lo, hi]. Fit the scale once and
// keep it fixed afterwards, because the scale and the weights of an evaluation cannot both be
// determined from the results.
//
// FitScale uses Newton's method in one dimension, with one pass per step. It halves steps that do
// not lower the loss, and usually ends when a step becomes smaller than 1e-10 of the scale. It
// returns an error if the sums are zero or do not predict the labels, if they predict the opposite,
// or if they predict all labels without error.
func FitScale(ctx context.Context, m *models.Linear, data datasets.Samples, kind models.LinkKind, lo, hi float64, rows func(episode uint64) bool) (float64, error) {
	if kind != models.Logistic && kind != models.Tanh {
		panic(fmt.Sprintf("learn: FitScale of link %q", kind))
	}
	f := &plattFit{ctx: ctx, model: m, data: data, unit: 1, criterion: loss.Logistic{Lo: lo, Hi: hi}, rows: rows}
	now, err := f.at(0, 0)
	if err != nil {
		return 0, err
	}
	if now.weight == 0 {
		return 0, design.ErrNoRows
	}
	square := 4 * now.h[0] // the curvature of every row is 1/4 at scale 0
	if square == 0 {
		return 0, errors.New("learn: the evaluation is zero on every row, so no scale fits")
	}
	f.unit = 1 / math.Sqrt(square/now.weight) // reciprocal of the root mean square of the sums
	scale := 0.0
	if now, err = f.at(0, 0); err != nil {
		return 0, err
	}
	lower := true
	for n := 0; n < 60 && lower; n++ {
		lower = false
		least := 1e-10 * math.Max(scale, 1e-3)
		for step := now.g[0] / now.h[0]; math.Abs(step) > least && !lower; step /= 2 {
			next, err := f.at(scale-step, 0)
			if err != nil {
				return 0, err
			}
			if lower = next.total <= now.total; lower {
				scale, now = scale-step, next
			}
		}
		if scale > 1e3 {
			return 0, errors.New("learn: the sign of the evaluation predicts every result, so no finite scale fits")
		}
	}
	if !(scale > 1e-9) {
		return 0, errors.New("learn: the evaluation does not predict the results, or predicts the opposite, so no positive scale fits")
	}
	scale *= f.unit
	if kind == models.Tanh { // 1/(1+exp(-2x)) = (1+tanh x)/2
		scale /= 2
	}
	return scale, nil
}
