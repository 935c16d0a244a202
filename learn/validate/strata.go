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

// Reading says on which rows and through which link predictions are read.
type Reading struct {
	// Rows tells which rows are looked at: held-out ones, most often. nil: all.
	Rows func(s *datasets.Sample) bool
	// Group is [Options].Group.
	Group func(episode uint64) (id uint64, alone bool)
	// Link and the bounds turn sums into the units of the labels; the zero value leaves them.
	Link   models.Link
	Lo, Hi float64
}

// Stratum is a group of rows: what was predicted and what came.
type Stratum struct {
	Group     int     `json:"group"`
	Rows      int64   `json:"rows"`
	Episodes  int     `json:"episodes"`
	Predicted float64 `json:"predicted"` // mean prediction
	Realised  float64 `json:"realised"`  // mean label
	// Error is the standard error of Realised - Predicted, clustered by group of episodes; 0 for a
	// single one. Where labels have bounds it is at least what it would be were the predictions
	// true: among seventeen games of which each was said to be won with a chance of one in a
	// hundred, no win says next to nothing. Freedom is the degrees of freedom of Student's t by
	// which it is read: one less than there are groups of equal weight.
	Error   float64 `json:"error"`
	Freedom float64 `json:"df,omitempty"`
	// Squared is the mean squared difference of prediction and label.
	Squared float64 `json:"squared_error"`
}

// Half is half the width of the 95% interval of Realised - Predicted; 0 where there is
// none. Fewer degrees of freedom than one count as one.
func (s *Stratum) Half() float64 { return halfWidth(s.Error, s.Freedom) }

// halfWidth is half the width of a 95% interval by Student's t; 0 where there is none.
func halfWidth(err, freedom float64) float64 {
	if !(err > 0 && freedom > 0) {
		return 0
	}
	return float64(err * stats.TQuantile95(math.Max(freedom, 1)))
}

// SquaredErrors are the mean squared differences of predictions and labels in each of n parts of
// the samples; 0 of a part without samples.
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

// strata are the sums of strata at work.
type strata struct {
	split   *design.Split
	lo, hi  float64 // bounds of labels
	bounded bool
	at      map[int]*residuals
}

func newStrata(group func(episode uint64) (id uint64, alone bool), lo, hi float64) *strata {
	return &strata{&design.Split{Group: group}, lo, hi, hi > lo && !math.IsInf(hi-lo, 0), map[int]*residuals{}}
}

// add adds a row of stratum k: what was said of it, and what came.
func (t *strata) add(k int, episode uint64, weight, said, came float64) {
	c := t.at[k]
	if c == nil {
		c = &residuals{mean: clusteredMean{split: t.split}, said: clusteredMean{split: t.split}, came: clusteredMean{split: t.split}}
		t.at[k] = c
	}
	c.p += float64(weight * said)
	c.y += float64(weight * came)
	c.square += float64(weight * (came - said) * (came - said))
	c.mean.add(episode, weight, came-said)
	if t.bounded {
		c.said.add(episode, weight, t.share(said))
		c.came.add(episode, weight, t.share(came))
	}
}

// share is where u lies between the bounds, from 0 to 1.
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
	mean         clusteredMean // of realised less predicted
	said, came   clusteredMean // shares, where labels have bounds
}

// chance is the standard error of the mean of what came, as a share, were each group's predictions
// true. A group of weight w whose rows come to the mean share y has, for a chance of p, E[w² y
// (1-y)] + Var[w y] = w² p (1-p), whatever its rows have in common: labels of 0 and 1 that a game
// shares vary by w² p (1-p), those that lie between by less.
func (c *residuals) chance() float64 {
	c.said.close()
	c.came.close()
	return math.Sqrt(max((c.said.ew-c.said.ee)-(c.came.ew-c.came.ee), 0)) / c.mean.w
}

// clusteredMean is a weighted mean over rows whose groups of episodes are the
// independent evidence. Rows of an episode stand together.
type clusteredMean struct {
	split            *design.Split
	rows             int64
	episodes, groups int
	w, total         float64 // sums of weights, and of values by weight
	ee, ew, ww       float64 // sums over groups of products of e and w
	// The episode at hand, with its values and weights.
	episode   uint64
	open      bool
	sum       float64
	weight    float64
	separated map[uint64]*[2]float64 // sums and weights of groups of several episodes
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

// closeEpisode adds the episode at hand to its group.
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

// close closes what is open, in one order.
func (c *clusteredMean) close() {
	c.closeEpisode()
	for _, id := range slices.Sorted(maps.Keys(c.separated)) {
		c.closeGroup(c.separated[id][0], c.separated[id][1])
	}
	c.separated = nil
}

// error is the standard error of the mean m, a ratio of sums over groups, with its
// degrees of freedom; 0 for fewer than two groups.
func (c *clusteredMean) error(m float64) (err, freedom float64) {
	c.close()
	if c.groups < 2 {
		return 0, 0
	}
	g := float64(c.groups)
	return math.Sqrt(math.Max(c.ee-float64(2*m*c.ew)+float64(m*m*c.ww), 0)*g/(g-1)) / c.w, c.w*c.w/c.ww - 1
}

// quantiles parts numbers by a sample of at most 65,536 of them. They are drawn by a hash of how
// many came before: a sample that is the same every time, thinned whenever it grows too large.
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

// edges part the numbers into bins, fewer where many are the same.
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
