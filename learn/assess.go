package learn

import (
	"context"
	"math"

	"plyfit/datasets"
	"plyfit/models"
)

// bread is what standard errors need of a fit: the inverse of the Hessian of
// the total loss (penalty included) over the columns that were fitted.
type bread struct {
	columns []int // ascending
	inverse []float64
}

// assess is the last pass of a fit: it judges m, its baselines, zero weights and
// the constant on all rows, and returns the standard errors by column where b is
// given. The variance is the sandwich H^-1 (sum over episodes of s s') H^-1, s
// being an episode's sum of gradients.
func assess(ctx context.Context, data datasets.Samples, m *models.Linear, o *Options, loss Loss, d *design, t *tally, b *bread, r *Report) ([]float64, error) {
	judged := []*models.Linear{m, frozenOnly(m, o)}
	for _, base := range o.Baselines {
		judged = append(judged, base.Model)
	}
	sums := make([][2]float64, len(judged)+1) // the last is the constant's
	var weight [2]float64
	constant, average := 0.0, false
	if a, ok := loss.(Averager); ok {
		constant, average = a.Constant(t.label/t.weight), true
	}
	seen := newCensus()
	heldEpisodes := newNumbers()
	var meat *clusters
	if b != nil {
		meat = newClusters(d.width(), t.scattered)
	}
	err := rescan(ctx, data, m, o, func(s *datasets.Sample, held bool) error {
		k := 0
		if held {
			k = 1
			r.HeldOutRows++
			heldEpisodes.add(s.Episode)
		} else {
			r.Rows++
		}
		weight[k] += s.Weight
		if t.sides != nil && !held {
			t.sides.add(s)
		}
		for i, c := range judged {
			l, grad, _ := bounded(loss, c.Dot(s.X), s)
			sums[i][k] += s.Weight * l
			if i == 0 && meat != nil && !held {
				cols, vals, _ := d.row(s.X)
				meat.add(s.Episode, cols, vals, s.Weight*grad)
			}
		}
		if average {
			l, _, _ := bounded(loss, constant*biasOf(s.X), s)
			sums[len(judged)][k] += s.Weight * l
		}
		if o.Distinct != nil {
			seen.add(o.Distinct(s))
		} else {
			seen.add(hashOf(s.X))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	mean := func(i int, name string) Measure {
		out := Measure{Name: name, Loss: sums[i][0] / weight[0]}
		if weight[1] > 0 {
			out.HeldOutLoss = sums[i][1] / weight[1]
		}
		return out
	}
	fit := mean(0, "")
	r.Loss, r.HeldOutLoss = fit.Loss, fit.HeldOutLoss
	r.Zero = mean(1, "zero")
	for i, base := range o.Baselines {
		r.Baselines = append(r.Baselines, mean(i+2, base.Name))
	}
	if average {
		r.Constant = mean(len(judged), "constant")
		if r.Constant.Loss > 0 {
			r.R2 = 1 - r.Loss/r.Constant.Loss
		}
		if r.Constant.HeldOutLoss > 0 {
			r.HeldOutR2 = 1 - r.HeldOutLoss/r.Constant.HeldOutLoss
		}
	}
	r.Episodes, r.HeldOutEpisodes = t.episodes.len(), heldEpisodes.len()
	r.Positions = seen.count()
	if meat == nil {
		return nil, nil
	}
	return meat.errors(b, t, r), nil
}

// frozenOnly is m with every weight zero that is not frozen.
func frozenOnly(m *models.Linear, o *Options) *models.Linear {
	z := m.Clone()
	clear(z.Weights)
	clear(z.Table)
	z.Bias = 0
	for _, f := range o.Frozen {
		setWeight(z, f, m.Weight(f))
	}
	return z
}

// bounded is the loss of a sample whose label may be only a bound: a prediction
// on the right side of it costs nothing.
func bounded(loss Loss, z float64, s *datasets.Sample) (l, grad, hess float64) {
	l, grad, hess = loss.Loss(z, s.Y)
	if keeps(int8(s.Kind), grad) {
		return 0, 0, 0
	}
	return l, grad, hess
}

// What a label is: game's Exact, Lower and Upper, which this package knows as
// numbers.
const (
	exact = iota
	lower
	upper
)

// keeps tells whether a prediction keeps a bound: a positive gradient means that
// it lies above the label.
func keeps(kind int8, grad float64) bool {
	return kind == lower && grad > 0 || kind == upper && grad < 0
}

// clusters sums gradients by episode and the squares of those sums.
type clusters struct {
	n       int
	meat    *Gram
	sum     []float64
	all     []int32
	open    bool
	episode uint64
	count   int
	apart   map[uint64][]float64 // where episodes do not stand together
}

func newClusters(n int, scattered bool) *clusters {
	c := &clusters{n: n, meat: NewGram(n), sum: make([]float64, n), all: make([]int32, n)}
	for i := range c.all {
		c.all[i] = int32(i)
	}
	if scattered {
		c.apart = map[uint64][]float64{}
	}
	return c
}

func (c *clusters) add(episode uint64, cols []int32, vals []float64, g float64) {
	sum := c.sum
	if c.apart != nil {
		if sum = c.apart[episode]; sum == nil {
			sum = make([]float64, c.n)
			c.apart[episode] = sum
		}
	} else if !c.open || episode != c.episode {
		c.close()
		c.open, c.episode = true, episode
	}
	for k, j := range cols {
		sum[j] += g * vals[k]
	}
}

func (c *clusters) close() {
	if c.open {
		c.meat.Add(c.all, c.sum, 1, 0)
		clear(c.sum)
		c.count++
		c.open = false
	}
}

// square is the sum over episodes of s s'.
func (c *clusters) square() []float64 {
	c.close()
	for _, e := range sortedKeys(c.apart) {
		c.meat.Add(c.all, c.apart[e], 1, 0)
		c.count++
	}
	c.apart = nil
	xx, _ := c.meat.Sum()
	return xx
}

// errors are the standard errors by column, 0 where the column was not fitted.
func (c *clusters) errors(b *bread, t *tally, r *Report) []float64 {
	meat := c.square()
	k := len(b.columns)
	if c.count < 2 || t.rows <= int64(k) {
		r.note("no standard errors: %d rows in %d episodes for %d weights", t.rows, c.count, k)
		return nil
	}
	if c.count <= k {
		r.note("standard errors are not to be trusted: only %d episodes for %d weights", c.count, k)
	}
	out := make([]float64, c.n)
	factor := float64(c.count) / float64(c.count-1) * float64(t.rows-1) / float64(t.rows-int64(k))
	row := make([]float64, k)
	for i, ci := range b.columns {
		inv := b.inverse[i*k : (i+1)*k]
		v := 0.0
		for a, ca := range b.columns {
			s := 0.0
			m := meat[ca*c.n:]
			for e, ce := range b.columns {
				s += m[ce] * inv[e]
			}
			row[a] = s
		}
		for a := range row {
			v += inv[a] * row[a]
		}
		out[ci] = math.Sqrt(math.Max(v, 0) * factor)
	}
	return out
}
