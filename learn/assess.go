package learn

import (
	"math"

	"plyfit/datasets"
	"plyfit/internal/list"
	"plyfit/learn/internal/design"
	"plyfit/learn/loss"
	"plyfit/models"
)

// assess performs the last pass of a fit. It measures, on all rows, the losses of the fitted
// weights, the baselines, zero weights and the constant. If b is not nil, it also returns each
// column's standard error. See [design.Clusters].
func (f *fitting) assess(data datasets.Samples, criterion loss.Function, b *design.Bread) ([]float64, error) {
	d, t, r, sp := f.design, f.Tally, f.report, f.split()
	compared := f.compared()
	scored := newScores(sp, len(compared)+1) // the last element belongs to the constant
	constant, average := 0.0, false
	if a, ok := criterion.(loss.Averager); ok {
		constant, average = a.Constant(t.Label/t.Weight), true
	}
	positions, heldEpisodes, meat := design.NewCensus(), design.NewEpisodeSet(), f.clusters(b)
	byRow := meat // receives the rows one by one, if not nil
	if meat != nil && meat.Single() {
		alone, err := f.rows.Alone(f.ctx, design.Question{Loss: criterion, Weights: d.Priors(f.fitted)}, b.Spread(d.Width()))
		if err != nil {
			return nil, err
		}
		meat.AddAlone(alone)
		byRow = nil
	}
	count := func(s *datasets.Sample, held bool) {
		if held {
			heldEpisodes.Add(s.Episode)
		} else {
			f.present(s.X)
		}
		if f.directions != nil && !held {
			f.directions.Add(s)
		}
		if f.Distinct != nil {
			positions.Add(f.Distinct(s))
		} else {
			positions.Add(design.HashOf(s.X))
		}
	}
	least, most := math.Inf(1), math.Inf(-1) // range of the labels from player 0's point of view
	evaluate := func(s *datasets.Sample, held bool) {
		k := sp.Side(held, s.Position)
		y := float64(s.Y * design.BiasOf(s.X))
		least, most = min(least, y), max(most, y)
		scored.row(k, s.Weight)
		for i, c := range compared {
			l, grad, hess := design.Bounded(criterion, c.Dot(s.X), s)
			if i == 0 {
				scored.first(k, s.Episode, float64(s.Weight*l), s.Weight)
			} else {
				scored.sums[i][k] += float64(s.Weight * l)
			}
			if i == 0 && byRow != nil && !held {
				cols, vals, _ := d.Row(s.X)
				byRow.AddPair(s.Episode, cols, vals, cols, vals, s.Weight*grad, s.Weight*hess)
			}
		}
		if average {
			l, _, _ := design.Bounded(criterion, constant*design.BiasOf(s.X), s)
			scored.sums[len(compared)][k] += float64(s.Weight * l)
		}
	}
	err := design.Scan(f.ctx, data, f.model, sp, func(s *datasets.Sample, held bool) error {
		evaluate(s, held)
		count(s, held)
		return nil
	})
	if err != nil {
		return nil, err
	}
	scored.compare(f.Options, r)
	if r.Alike = least == most; r.Alike {
		r.note("all labels are %v from player 0's point of view, so there is nothing to explain and R² is undefined", least)
	}
	if average {
		r.against(scored.measure(len(compared), "constant", r))
	}
	r.Episodes, r.HeldOutEpisodes = t.Episodes.Len(), heldEpisodes.Len()
	r.Positions = positions.Count()
	return f.errors(meat), nil
}

// compared returns the fitted model, a copy in which all but the frozen weights are zero, and the
// baselines.
func (f *fitting) compared() []*models.Linear {
	baselines := list.Map(f.Baselines, func(b Baseline) *models.Linear { return b.Model })
	return append([]*models.Linear{f.fitted, frozenOnly(f.fitted, f.Options)}, baselines...)
}

// clusters returns an empty [design.Clusters], or nil if b is nil.
func (f *fitting) clusters(b *design.Bread) *design.Clusters {
	if b == nil {
		return nil
	}
	return design.NewClusters(b, f.design.Width(), f.Tally, f.split(), f.Groups)
}

// errors returns the standard errors by column.
func (f *fitting) errors(meat *design.Clusters) []float64 {
	if meat == nil {
		return nil
	}
	errs, freedom, lone := meat.Errors(f.Tally, f.report.note)
	f.freedom, f.lone = freedom, append(f.lone, lone...)
	return errs
}

// frozenOnly returns a copy of m in which all weights except the frozen ones are zero.
func frozenOnly(m *models.Linear, o *Options) *models.Linear {
	z := m.Clone()
	clear(z.Weights)
	clear(z.Table)
	z.Bias = 0
	for _, f := range o.Frozen {
		design.SetWeight(z, f, m.Weight(f))
	}
	return z
}
