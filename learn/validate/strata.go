package validate

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"plyfit/arena/stats"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/internal/design"
	"plyfit/models"
)

// Reading selects rows among samples and specifies the link that converts weighted sums to
// predictions.
type Reading struct {
	// Rows selects the rows, usually held-out rows. If Rows is nil, all rows are used.
	Rows func(s *datasets.Sample) bool
	// Group has the same meaning as [learn.Options].Group.
	Group func(episode uint64) (id uint64, alone bool)
	// Link and the bounds convert sums to the unit of the labels. The zero value leaves the sums
	// unchanged.
	Link   models.Link
	Lo, Hi float64
}

// A Stratum is a group of rows with their mean prediction and mean realised value.
type Stratum struct {
	Group     int     `json:"group"`
	Rows      int64   `json:"rows"`
	Episodes  int     `json:"episodes"`
	Predicted float64 `json:"predicted"` // mean prediction
	Realised  float64 `json:"realised"`  // mean label
	// Error is the standard error of Realised - Predicted, clustered by groups of episodes, or 0 if
	// there is a single group. If labels are bounded, Error is at least as large as it would be if
	// the predictions were true. For example, seventeen games without a win hardly contradict a
	// predicted chance of one in a hundred.
	//
	// Freedom is the number of degrees of freedom of Student's t for the interval: one less than
	// the equivalent number of equally weighted groups.
	Error   float64 `json:"error"`
	Freedom float64 `json:"df,omitempty"`
	// Squared is the mean squared difference between prediction and label.
	Squared float64 `json:"squared_error"`
}

// Half returns half the width of the 95% interval of Realised - Predicted, or 0 if there is none.
// Degrees of freedom below 1 count as 1.
func (s *Stratum) Half() float64 { return halfWidth(s.Error, s.Freedom) }

// halfWidth returns half the width of a 95% interval by Student's t, or 0 if there is none.
func halfWidth(err, freedom float64) float64 {
	if !(err > 0 && freedom > 0) {
		return 0
	}
	return float64(err * stats.TQuantile95(math.Max(freedom, 1)))
}

// SquaredErrors returns the mean squared difference between predictions and labels in each of n
// parts of the samples. It is 0 for a part without samples.
func SquaredErrors(ctx context.Context, m *models.Linear, data datasets.Samples, v Reading, n int, part func(s *datasets.Sample) int) ([]float64, error) {
	means, weights := make([]float64, n), make([]float64, n)
	err := v.scan(ctx, m, data, func(s *datasets.Sample, said float64) error {
		k := part(s)
		means[k] += float64(s.Weight * (s.Y - said) * (s.Y - said))
		weights[k] += s.Weight
		return nil
	})
	for k, w := range weights {
		if w > 0 {
			means[k] /= w
		}
	}
	return means, err
}

func (v *Reading) scan(ctx context.Context, m *models.Linear, data datasets.Samples, visit func(s *datasets.Sample, said float64) error) error {
	return design.Scan(ctx, data, m, &design.Split{}, func(s *datasets.Sample, _ bool) error {
		if v.Rows != nil && !v.Rows(s) || s.Kind != game.Exact {
			return nil
		}
		return visit(s, v.Link.Apply(m.Dot(s.X), v.Lo, v.Hi))
	})
}

// strata accumulates the sums of all strata.
type strata struct {
	split   *design.Split
	lo, hi  float64 // bounds of the labels
	bounded bool
	at      map[int]*residuals
}

func newStrata(group func(episode uint64) (id uint64, alone bool), lo, hi float64) *strata {
	return &strata{&design.Split{Group: group}, lo, hi, hi > lo && !math.IsInf(hi-lo, 0), map[int]*residuals{}}
}

// add adds a row with a prediction and a realised value to stratum k.
func (t *strata) add(k int, episode uint64, weight, predicted, realised float64) {
	c := t.at[k]
	if c == nil {
		c = &residuals{mean: clusteredMean{split: t.split}, said: clusteredMean{split: t.split}, came: clusteredMean{split: t.split}}
		t.at[k] = c
	}
	c.p += float64(weight * predicted)
	c.y += float64(weight * realised)
	c.square += float64(weight * (realised - predicted) * (realised - predicted))
	c.mean.add(episode, weight, realised-predicted)
	if t.bounded {
		c.said.add(episode, weight, t.share(predicted))
		c.came.add(episode, weight, t.share(realised))
	}
}

// share returns the relative position of u between the bounds, from 0 to 1.
func (t *strata) share(u float64) float64 { return min(max((u-t.lo)/(t.hi-t.lo), 0), 1) }

func (t *strata) done() (out []Stratum) {
	for _, k := range slices.Sorted(maps.Keys(t.at)) {
		c := t.at[k]
		w := c.mean.w
		s := Stratum{Group: k, Rows: c.mean.rows, Predicted: c.p / w, Realised: c.y / w, Squared: c.square / w}
		s.Error, s.Freedom = c.mean.error(s.Realised - s.Predicted)
		s.Episodes = c.mean.episodes
		if t.bounded && c.mean.groups > 1 {
			s.Error = max(s.Error, (t.hi-t.lo)*c.chance())
		}
		out = append(out, s)
	}
	return out
}

type residuals struct {
	p, y, square float64
	mean         clusteredMean // mean of realised minus predicted
	said, came   clusteredMean // fractions of the range; used only if labels are bounded
}

// chance returns the standard error that the mean realised share would have if the predictions for
// each group were true. Consider a group of weight w whose rows share the mean y. For a predicted
// chance p, E[w² y (1-y)] + Var[w y] = w² p (1-p), no matter how the rows depend on each other.
// Labels of 0 and 1 shared by a whole game vary by w² p (1-p), and labels in between vary less.
func (c *residuals) chance() float64 {
	c.said.close()
	c.came.close()
	return math.Sqrt(max((c.said.ew-c.said.ee)-(c.came.ew-c.came.ee), 0)) / c.mean.w
}

// clusteredMean is a weighted mean over rows. Groups of episodes are treated as independent. Rows
// of the same episode must be consecutive.
type clusteredMean struct {
	split            *design.Split
	rows             int64
	episodes, groups int
	w, total         float64 // sums of weights, and of weighted values
	ee, ew, ww       float64 // sums of products over groups, where e is a group's sum and w is its weight
	// The following fields hold the current episode with its sums of values and weights.
	episode   uint64
	open      bool
	sum       float64
	weight    float64
	separated map[uint64]*[2]float64 // sums and weights of groups that have several episodes
}

// add adds a row.
func (c *clusteredMean) add(episode uint64, weight, x float64) {
	if !c.open || c.episode != episode {
		c.closeEpisode()
		c.open, c.episode = true, episode
	}
	c.rows++
	c.w += weight
	c.total += float64(weight * x)
	c.sum += float64(weight * x)
	c.weight += weight
}

// closeEpisode adds the current episode to its group.
func (c *clusteredMean) closeEpisode() {
	if c.open {
		if id, alone := c.split.GroupOf(c.episode); alone {
			c.closeGroup(c.sum, c.weight)
		} else {
			if c.separated == nil {
				c.separated = map[uint64]*[2]float64{}
			}
			if c.separated[id] == nil {
				c.separated[id] = new([2]float64)
			}
			c.separated[id][0] += c.sum
			c.separated[id][1] += c.weight
		}
		c.episodes++
	}
	c.open, c.sum, c.weight = false, 0, 0
}

// closeGroup adds a group of episodes.
func (c *clusteredMean) closeGroup(sum, w float64) {
	c.ee += float64(sum * sum)
	c.ew += float64(sum * w)
	c.ww += float64(w * w)
	c.groups++
}

// close adds the remaining episodes and groups in a fixed order.
func (c *clusteredMean) close() {
	c.closeEpisode()
	for _, id := range slices.Sorted(maps.Keys(c.separated)) {
		c.closeGroup(c.separated[id][0], c.separated[id][1])
	}
	c.separated = nil
}

// error returns the standard error of the mean m, which is a ratio of sums over groups, together
// with its degrees of freedom. It returns 0 if there are fewer than two groups.
func (c *clusteredMean) error(m float64) (err, freedom float64) {
	c.close()
	if c.groups < 2 {
		return 0, 0
	}
	g := float64(c.groups)
	return math.Sqrt(math.Max(c.ee-float64(2*m*c.ew)+float64(m*m*c.ww), 0)*g/(g-1)) / c.w, c.w*c.w/c.ww - 1
}

// quantiles estimates quantiles from a sample of at most 65,536 numbers. Numbers are selected by a
// hash of their index, so the sample is reproducible. The sample is thinned whenever it grows too
// large.
type quantiles struct {
	sample  []drawn
	mask, n uint64
}

type drawn struct {
	hash uint64
	x    float64
}

func (q *quantiles) add(x float64) {
	const most = 1 << 16
	q.n++
	if h := game.Mix(q.n); h&q.mask == 0 {
		q.sample = append(q.sample, drawn{h, x})
		if len(q.sample) > most {
			q.mask = q.mask<<1 | 1
			q.sample = slices.DeleteFunc(q.sample, func(d drawn) bool { return d.hash&q.mask != 0 })
		}
	}
}

// edges returns the thresholds that divide the numbers into the given number of bins. There are
// fewer bins if many numbers are equal.
func (q *quantiles) edges(bins int) []float64 {
	if len(q.sample) == 0 {
		return nil
	}
	slices.SortFunc(q.sample, func(a, b drawn) int { return cmp.Compare(a.x, b.x) })
	edges := make([]float64, 0, bins-1)
	for i := 1; i < bins; i++ {
		edges = append(edges, q.sample[i*len(q.sample)/bins].x)
	}
	return slices.Compact(edges)
}
