package learn

import (
	"context"
	"math"

	"plyfit/datasets"
	"plyfit/learn/internal/design"
	"plyfit/learn/loss"
	"plyfit/models"
)

// assess is the last pass of a fit: it measures m, its baselines, zero weights and the constant on
// all rows, and returns the standard errors by column if b is given; see [clusters].
func assess(ctx context.Context, data datasets.Samples, m *models.Linear, o *Options, criterion loss.Function, d *design.Matrix, t *evidence, b *design.Bread, r *Report) ([]float64, error) {
	compared := []*models.Linear{m, frozenOnly(m, o)}
	for _, base := range o.Baselines {
		compared = append(compared, base.Model)
	}
	scored := newScores(o.split(), len(compared)+1) // the last is the constant's
	constant, average := 0.0, false
	if a, ok := criterion.(loss.Averager); ok {
		constant, average = a.Constant(t.Label/t.Weight), true
	}
	sp, positions := o.split(), design.NewCensus()
	heldEpisodes := design.NewEpisodeSet()
	var meat *design.Clusters
	if b != nil {
		meat = design.NewClusters(b, d.Width(), t.Tally, o.split(), o.Groups)
	}
	byRow := meat // what takes the rows one by one
	if meat != nil && meat.Single() {
		alone, err := t.rows.Alone(ctx, design.Question{Loss: criterion, Weights: d.Priors(m)}, b.Spread(d.Width()))
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
			t.present(d, s.X)
		}
		if t.sides != nil && !held {
			t.sides.Add(s)
		}
		if o.Distinct != nil {
			positions.Add(o.Distinct(s))
		} else {
			positions.Add(design.HashOf(s.X))
		}
	}
	least, most := math.Inf(1), math.Inf(-1) // of the labels, as player 0 has them
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
				byRow.Add(s.Episode, cols, vals, s.Weight*grad, s.Weight*hess)
			}
		}
		if average {
			l, _, _ := design.Bounded(criterion, constant*design.BiasOf(s.X), s)
			scored.sums[len(compared)][k] += float64(s.Weight * l)
		}
	}
	err := design.Scan(ctx, data, m, sp, func(s *datasets.Sample, held bool) error {
		evaluate(s, held)
		count(s, held)
		return nil
	})
	if err != nil {
		return nil, err
	}
	scored.compare(o, r)
	if r.Alike = least == most; r.Alike {
		r.note("all labels are %v, seen by player 0: there is nothing to explain, and no R²", least)
	}
	if average {
		r.against(scored.measure(len(compared), "constant", r))
	}
	r.Episodes, r.HeldOutEpisodes = t.Episodes.Len(), heldEpisodes.Len()
	r.Positions = positions.Count()
	if meat == nil {
		return nil, nil
	}
	errs, freedom, lone := meat.Errors(t.Tally, r.note)
	t.freedom, t.lone = freedom, append(t.lone, lone...)
	return errs, nil
}

// frozenOnly is m with every weight zero that is not frozen.
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
