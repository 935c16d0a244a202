package design

import (
	"context"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/dense"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
	"plyfit/models"
)

// Sums contains everything that least squares needs to know about a set of rows. The contributions
// of frozen weights and of the prior are subtracted from the labels, so solutions are distances
// from the prior.
type Sums struct {
	Xx, Xy []float64
	Yy     float64
	Weight float64
	Rows   int64
}

// Gather computes the sums of the training rows for each fold in one pass.
func Gather(ctx context.Context, data datasets.Samples, d *Matrix, sp *Split, priorModel *models.Linear, folds int, fold func(s *datasets.Sample) int, t *Tally) ([]*Sums, error) {
	out, grams := make([]*Sums, folds), make([]*numeric.Gram, folds)
	for i := range out {
		out[i], grams[i] = &Sums{}, numeric.NewGram(d.Width())
	}
	prior := d.Priors(priorModel)
	err := Scan(ctx, data, d.Model, sp, func(s *datasets.Sample, held bool) error {
		if held {
			return nil
		}
		if s.Kind != game.Exact {
			t.Bounds++
			return nil
		}
		cols, vals, offset := d.Row(s.X)
		t.Add(s, cols, vals, loss.Squared{})
		y := s.Y - offset
		for k, c := range cols {
			y -= float64(vals[k] * prior[c])
		}
		i := fold(s)
		grams[i].Add(cols, vals, s.Weight, s.Weight*y)
		out[i].Yy += float64(s.Weight * y * y)
		out[i].Weight += s.Weight
		out[i].Rows++
		return nil
	})
	if err != nil {
		return nil, err
	}
	if t.Rows == 0 {
		return nil, ErrNoRows
	}
	for i, g := range grams {
		out[i].Xx, out[i].Xy = g.Sum()
	}
	return out, nil
}

// Without returns the sum of all elements except the one with index skip. The elements are added in
// order.
func Without(all []*Sums, skip int) *Sums {
	n := len(all[0].Xy)
	out := &Sums{Xx: make([]float64, n*n), Xy: make([]float64, n)}
	for i, s := range all {
		if i == skip {
			continue
		}
		dense.Add(out.Xx, s.Xx)
		dense.Add(out.Xy, s.Xy)
		out.Yy += s.Yy
		out.Weight += s.Weight
		out.Rows += s.Rows
	}
	return out
}

// Loss returns the mean squared error on the rows. The weights w are distances from the prior.
func (s *Sums) Loss(w []float64) float64 {
	n := len(w)
	v := s.Yy
	for i, wi := range w {
		if wi != 0 {
			v += float64(wi * (dense.Dot(s.Xx[i*n:(i+1)*n], w) - float64(2*s.Xy[i])))
		}
	}
	return math.Max(v, 0) / s.Weight
}

// Ridge returns the ridge solution w, which contains distances from the prior, and the factor of
// its matrix.
func (s *Sums) Ridge(d *Matrix, penalty float64) (f *numeric.Factor, w []float64) {
	f = Factored(s.Xx, d.Variances(s.Xx, s.Weight), penalty, s.Weight)
	return f, f.Solve(s.Xy)
}

// Factored returns the factor of X'WX plus a penalty that is proportional to the columns' variances
// and to the weight of the rows.
func Factored(xx, variance []float64, penalty, weight float64) *numeric.Factor {
	a, tol := xx, numeric.Collinear
	if penalty > 0 {
		a = slices.Clone(xx)
		for j, v := range variance {
			a[j*len(variance)+j] += float64(penalty * weight * v)
		}
	}
	if penalty >= TinyPenalty {
		tol = 1e-14
	}
	return numeric.Cholesky(a, len(variance), tol)
}

// Elastic solves the elastic net by coordinate descent. It also returns the number of sweeps.
func (s *Sums) Elastic(d *Matrix, penalty, mix float64) (w []float64, sweeps int) {
	n := d.Width()
	// Centre the columns by subtracting the part explained by the bias, because the bias is not
	// penalised.
	c, xy := append([]float64(nil), s.Xx...), append([]float64(nil), s.Xy...)
	yy := s.Yy
	b := d.Bias
	if b >= 0 && s.Xx[b*n+b] > 0 {
		bb := s.Xx[b*n+b]
		for i := range n {
			dense.AddScaled(c[i*n:(i+1)*n], -s.Xx[i*n+b]/bb, s.Xx[b*n:(b+1)*n])
			xy[i] -= s.Xx[i*n+b] * s.Xy[b] / bb
		}
		yy -= s.Xy[b] * s.Xy[b] / bb
	}
	variance := d.Variances(s.Xx, s.Weight)
	sd := math.Sqrt(math.Max(yy, 0) / s.Weight)
	w = make([]float64, n)
	rest := xy // X'(y - X w), updated after each step
	for sweeps < 10000 {
		sweeps++
		largest := 0.0
		for j, v := range variance {
			if v == 0 {
				continue
			}
			rho := rest[j]/s.Weight + float64(v*w[j])
			cut := penalty * mix * sd * math.Sqrt(v)
			now := 0.0
			if math.Abs(rho) > cut {
				now = (rho - math.Copysign(cut, rho)) / (v * (1 + float64(penalty*(1-mix))))
			}
			if step := now - w[j]; step != 0 {
				dense.AddScaled(rest, -step, c[j*n:(j+1)*n])
				w[j] = now
				largest = max(largest, math.Abs(step)*math.Sqrt(v))
			}
		}
		if largest <= 1e-10*sd {
			break
		}
	}
	if b >= 0 && s.Xx[b*n+b] > 0 {
		w[b] = (s.Xy[b] - dense.Dot(s.Xx[b*n:(b+1)*n], w)) / s.Xx[b*n+b]
	}
	return w, sweeps
}

// TinyPenalty is the smallest penalty that separates collinear columns.
const TinyPenalty = 1e-9
