package learn

import (
	"context"
	"math"
	"plyfit/datasets"
	"plyfit/internal/dense"
	"plyfit/models"
)

// sums are all that least squares needs of some rows. Labels are less what
// frozen weights and the prior say, so solutions are distances from the prior.
type sums struct {
	xx, xy []float64
	yy     float64
	weight float64
	rows   int64
}

// gather sums training rows apart by fold, in one pass.
func gather(ctx context.Context, data datasets.Samples, d *design, sp *split, priorModel *models.Linear, folds int, fold func(s *datasets.Sample) int, t *tally) ([]*sums, error) {
	out, grams := make([]*sums, folds), make([]*Gram, folds)
	for i := range out {
		out[i], grams[i] = &sums{}, NewGram(d.width())
	}
	prior := d.priors(priorModel)
	err := scan(ctx, data, d.m, sp, func(s *datasets.Sample, held bool) error {
		if held {
			return nil
		}
		if s.Kind != exact {
			t.bounds++
			return nil
		}
		cols, vals, offset := d.row(s.X)
		t.add(s, cols, vals, Squared{})
		y := s.Y - offset
		for k, c := range cols {
			y -= float64(vals[k] * prior[c])
		}
		i := fold(s)
		grams[i].Add(cols, vals, s.Weight, s.Weight*y)
		out[i].yy += float64(s.Weight * y * y)
		out[i].weight += s.Weight
		out[i].rows++
		return nil
	})
	if err != nil {
		return nil, err
	}
	if t.rows == 0 {
		return nil, ErrNoRows
	}
	for i, g := range grams {
		out[i].xx, out[i].xy = g.Sum()
	}
	return out, nil
}

// without is the sum over all of the others, in order.
func without(all []*sums, skip int) *sums {
	n := len(all[0].xy)
	out := &sums{xx: make([]float64, n*n), xy: make([]float64, n)}
	for i, s := range all {
		if i != skip {
			out.include(s)
		}
	}
	return out
}

func (s *sums) include(o *sums) {
	dense.Add(s.xx, o.xx)
	dense.Add(s.xy, o.xy)
	s.yy += o.yy
	s.weight += o.weight
	s.rows += o.rows
}

// loss is the mean squared error of weights w (distances from the prior) over
// the rows summed.
func (s *sums) loss(w []float64) float64 {
	n := len(w)
	v := s.yy
	for i, wi := range w {
		if wi != 0 {
			v += float64(wi * (dense.Dot(s.xx[i*n:(i+1)*n], w) - float64(2*s.xy[i])))
		}
	}
	return math.Max(v, 0) / s.weight
}

// ridge solves for the distances from the prior.
func (s *sums) ridge(d *design, penalty float64) *ridgeSolution {
	n := d.width()
	variance := d.variances(s.xx, s.weight)
	tol := collinear
	a := s.xx
	if penalty > 0 {
		a = penalised(s.xx, variance, penalty*s.weight)
	}
	if penalty >= tinyPenalty {
		tol = 1e-14
	}
	f := cholesky(a, n, tol)
	return &ridgeSolution{f, f.solve(s.xy)}
}

type ridgeSolution struct {
	f *factor
	w []float64
}

// elastic solves by coordinate descent; sweeps is how many it took.
func (s *sums) elastic(d *design, penalty, mix float64) (w []float64, sweeps int) {
	n := d.width()
	// Centre about the bias, which is free: what it explains leaves the sums.
	c, xy := append([]float64(nil), s.xx...), append([]float64(nil), s.xy...)
	yy := s.yy
	b := d.bias
	if b >= 0 && s.xx[b*n+b] > 0 {
		bb := s.xx[b*n+b]
		for i := range n {
			dense.AddScaled(c[i*n:(i+1)*n], -s.xx[i*n+b]/bb, s.xx[b*n:(b+1)*n])
			xy[i] -= s.xx[i*n+b] * s.xy[b] / bb
		}
		yy -= s.xy[b] * s.xy[b] / bb
	}
	variance := d.variances(s.xx, s.weight)
	sd := math.Sqrt(math.Max(yy, 0) / s.weight)
	w = make([]float64, n)
	rest := xy // X'(y - X w), kept up to date
	for sweeps < 10000 {
		sweeps++
		largest := 0.0
		for j, v := range variance {
			if v == 0 {
				continue
			}
			rho := rest[j]/s.weight + float64(v*w[j])
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
	if b >= 0 && s.xx[b*n+b] > 0 {
		w[b] = (s.xy[b] - dense.Dot(s.xx[b*n:(b+1)*n], w)) / s.xx[b*n+b]
	}
	return w, sweeps
}

// tinyPenalty is the least penalty that tells collinear columns apart.
const tinyPenalty = 1e-9

// penalised is xx plus scale times the variances on the diagonal.
func penalised(xx, variance []float64, scale float64) []float64 {
	a := append([]float64(nil), xx...)
	for j, v := range variance {
		a[j*len(variance)+j] += float64(scale * v)
	}
	return a
}
