package validate

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"plyfit/datasets"
	"plyfit/internal/elementary"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/models"
)

// Reading says how predictions are read when a model is examined: on which rows,
// through which link.
type Reading struct {
	// Rows tells which rows are looked at: held-out ones, most often. nil: all.
	Rows func(s *datasets.Sample) bool
	// Group is [Options].Group.
	Group func(episode uint64) (id uint64, alone bool)
	// Link and the bounds turn sums into the units of the labels; the zero value
	// leaves them.
	Link   models.Link
	Lo, Hi float64
}

// Stratum is a group of rows: what was predicted and what came.
type Stratum[K any] struct {
	Group     K       `json:"group"`
	Rows      int64   `json:"rows"`
	Episodes  int     `json:"episodes"`
	Predicted float64 `json:"predicted"` // mean prediction
	Realised  float64 `json:"realised"`  // mean label
	// Error is the standard error of Realised - Predicted, clustered by group of
	// episodes; 0 for a single one. Freedom is the degrees of freedom of Student's t by
	// which it is read: one less than there are groups of equal weight.
	Error   float64 `json:"error"`
	Freedom float64 `json:"df,omitempty"`
	// Squared is the mean squared difference of prediction and label.
	Squared float64 `json:"squared_error"`
}

// Half is half the width of the 95% interval of Realised - Predicted; 0 where there is
// none. Fewer degrees of freedom than one count as one.
func (s *Stratum[K]) Half() float64 {
	if !(s.Error > 0 && s.Freedom > 0) {
		return 0
	}
	return float64(s.Error * elementary.Round(distuv.StudentsT{Sigma: 1, Nu: math.Max(s.Freedom, 1)}.Quantile(0.975)))
}

// Residuals compares predictions with labels group by group: by phase, by who is
// to move, by anything group tells of a sample. Strata come in the order of
// their groups. Samples of an episode must stand together.
func Residuals[K cmp.Ordered](ctx context.Context, m *models.Linear, data datasets.Samples, v Reading, group func(s *datasets.Sample) K) ([]Stratum[K], error) {
	counts := map[K]*residuals{}
	sp := &design.Split{Group: v.Group}
	err := design.Scan(ctx, data, m, &design.Split{}, func(s *datasets.Sample, _ bool) error {
		if v.Rows != nil && !v.Rows(s) || s.Kind != design.Exact {
			return nil
		}
		k := group(s)
		c := counts[k]
		if c == nil {
			c = &residuals{split: sp}
			counts[k] = c
		}
		c.add(s, v.Link.Apply(m.Dot(s.X), v.Lo, v.Hi))
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []Stratum[K]
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		c := counts[k]
		c.finish()
		s := Stratum[K]{Group: k, Rows: c.rows, Episodes: c.episodes, Predicted: c.p / c.w, Realised: c.y / c.w, Squared: c.square / c.w}
		s.Error, s.Freedom = c.error(s.Realised - s.Predicted)
		out = append(out, s)
	}
	return out, nil
}

// residuals are the sums of a stratum, clustered by groups of episodes.
type residuals struct {
	split            *design.Split
	rows             int64
	episodes, groups int
	w, p, y, square  float64
	ee, ew, ww       float64 // sums over groups of products of e and w
	// The episode at hand, with its residual and weight.
	episode   uint64
	open      bool
	residual  float64
	weight    float64
	separated map[uint64]*[2]float64 // residuals and weights of groups of several episodes
}

// add adds a row and what was predicted for it.
func (c *residuals) add(s *datasets.Sample, p float64) {
	if !c.open || c.episode != s.Episode {
		c.closeEpisode()
		c.open, c.episode = true, s.Episode
	}
	c.rows++
	c.w += s.Weight
	c.p += float64(s.Weight * p)
	c.y += float64(s.Weight * s.Y)
	c.square += float64(s.Weight * (s.Y - p) * (s.Y - p))
	c.residual += float64(s.Weight * (s.Y - p))
	c.weight += s.Weight
}

// closeEpisode adds the episode at hand to its group.
func (c *residuals) closeEpisode() {
	if c.open {
		if id, alone := c.split.GroupOf(c.episode); alone {
			c.closeGroup(c.residual, c.weight)
		} else {
			if c.separated == nil {
				c.separated = map[uint64]*[2]float64{}
			}
			if c.separated[id] == nil {
				c.separated[id] = new([2]float64)
			}
			c.separated[id][0] += c.residual
			c.separated[id][1] += c.weight
		}
		c.episodes++
	}
	c.open, c.residual, c.weight = false, 0, 0
}

// closeGroup adds a group of episodes.
func (c *residuals) closeGroup(residual, w float64) {
	c.ee += float64(residual * residual)
	c.ew += float64(residual * w)
	c.ww += float64(w * w)
	c.groups++
}

// finish closes what is open, in one order.
func (c *residuals) finish() {
	c.closeEpisode()
	for _, id := range slices.Sorted(maps.Keys(c.separated)) {
		c.closeGroup(c.separated[id][0], c.separated[id][1])
	}
}

// error is the standard error of the mean residual r, a ratio of sums over groups, with
// its degrees of freedom; 0 for fewer than two groups.
func (c *residuals) error(r float64) (err, freedom float64) {
	if c.groups < 2 {
		return 0, 0
	}
	g := float64(c.groups)
	return math.Sqrt(math.Max(c.ee-float64(2*r*c.ew)+float64(r*r*c.ww), 0)*g/(g-1)) / c.w, c.w*c.w/c.ww - 1
}

// Calibrate compares predicted with realised in bins of equal numbers of rows,
// ordered by prediction; 10 bins where bins is 0. Its edges come from a sample
// of at most 65,536 predictions, so bins are equal but for a percent. Fewer
// different predictions than bins give fewer strata.
func Calibrate(ctx context.Context, m *models.Linear, data datasets.Samples, v Reading, bins int) ([]Stratum[int], error) {
	if bins == 0 {
		bins = 10
	}
	if bins < 1 {
		panic("learn: Calibrate into a negative number of bins")
	}
	// Rows are drawn by a hash of their number: a sample that is the same every
	// time, thinned whenever it grows too large.
	const most = 1 << 16
	type drawn struct {
		hash uint64
		z    float64
	}
	var sample []drawn
	mask, n := uint64(0), uint64(0)
	err := design.Scan(ctx, data, m, &design.Split{}, func(s *datasets.Sample, _ bool) error {
		if v.Rows != nil && !v.Rows(s) || s.Kind != design.Exact {
			return nil
		}
		n++
		if h := design.Mix(n); h&mask == 0 {
			sample = append(sample, drawn{h, m.Dot(s.X)})
			if len(sample) > most {
				mask = mask<<1 | 1
				sample = slices.DeleteFunc(sample, func(d drawn) bool { return d.hash&mask != 0 })
			}
		}
		return nil
	})
	if err != nil || len(sample) == 0 {
		return nil, err
	}
	slices.SortFunc(sample, func(a, b drawn) int { return cmp.Compare(a.z, b.z) })
	edges := make([]float64, 0, bins-1)
	for i := 1; i < bins; i++ {
		edges = append(edges, sample[i*len(sample)/bins].z)
	}
	edges = slices.Compact(edges)
	return Residuals(ctx, m, data, v, func(s *datasets.Sample) int {
		z := m.Dot(s.X)
		return numeric.Rank(edges, z)
	})
}
