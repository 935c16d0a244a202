package learn

import (
	"cmp"
	"context"
	"fmt"

	"plyfit/datasets"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
	"plyfit/models"
)

// ElasticNet is least squares with a penalty that shrinks weights to the prior. A weight that
// hardly improves the fit stays exactly at its prior (Zou and Hastie 2005). The method is
// coordinate descent on X'WX (Friedman, Hastie, Tibshirani 2010). It minimises
//
//	mean loss + P * sum over j of [(1-Mix) v_j d_j^2 + 2 Mix sd sqrt(v_j) |d_j|]
//
// where d_j = w_j - prior_j, v_j is the variance of the column, and sd is the standard deviation of
// the labels' residuals at the prior. P and Mix therefore have no units. If P >= 1/Mix, only the
// bias moves from the prior. Standard errors are not computed, because they would be too small once
// columns have been selected.
type ElasticNet struct {
	Options
	Mix float64 // fraction of the penalty that is absolute, in (0, 1]; 0 means 1/2
}

var _ Learner = ElasticNet{}

func (l ElasticNet) Learn(ctx context.Context, m *models.Linear, data datasets.Samples) (Report, error) {
	var r Report
	f, err := l.begin(ctx, m, design.MaxColumns, &r)
	if err != nil {
		return r, err
	}
	l.Mix = cmp.Or(l.Mix, 0.5)
	if !(l.Mix > 0 && l.Mix <= 1) {
		return r, fmt.Errorf("learn: elastic net mix %v: want a number above 0 and at most 1", l.Mix)
	}
	d := f.design
	all, err := design.Gather(ctx, data, d, l.split(), l.Prior, 1, func(*datasets.Sample) int { return 0 }, f.Tally)
	if err != nil {
		return r, err
	}
	s := all[0]
	prior := d.Priors(l.Prior)
	w, sweeps := s.Elastic(d, l.Penalty, l.Mix)
	r.Steps = sweeps
	var left int
	for j := range w {
		if w[j] != 0 && j != d.Bias {
			left++
		}
		w[j] += prior[j]
	}
	if err := f.store(w); err != nil {
		return r, err
	}
	f.xx, f.factor, f.variance = s.Xx, numeric.Cholesky(s.Xx, d.Width(), numeric.Collinear), d.Variances(s.Xx, s.Weight)
	var solved []int
	for j, v := range f.variance {
		if v > 0 {
			solved = append(solved, j)
		}
	}
	f.explain(solved)
	r.note("%d of %d weights moved from the prior", left, d.Width())
	if _, err = f.assess(data, loss.Squared{}, nil); err == nil {
		f.finish(nil)
	}
	return r, err
}
