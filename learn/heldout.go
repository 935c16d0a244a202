package learn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn/internal/design"
	"plyfit/learn/loss"
	"plyfit/models"
)

// fewGroups is the minimum number of episode groups with unseen held-out positions. If there are
// fewer, the held-out losses also include positions that occur in training.
const fewGroups = 20

// scores contains the losses of several models on training and held-out rows.
type scores struct {
	split  *design.Split
	sums   [][design.Parts]float64 // sums of losses, by model
	weight [design.Parts]float64
	rows   [design.Parts]int64
	groups heldGroups
}

// A heldGroup is a group of held-out episodes. It contains the first model's loss and the weight,
// both over unseen rows and over all rows.
type heldGroup struct {
	id           uint64
	loss, weight [2]float64
}

// heldGroups is a list of groups. In most data, the group numbers are in ascending order, and no
// map with up to one entry per row is needed.
type heldGroups struct {
	list []heldGroup
	at   map[uint64]int // index of each group in list; nil if the numbers are ascending
}

// group returns the group with the given number. The pointer is valid until the next call.
func (h *heldGroups) group(id uint64) *heldGroup {
	last := len(h.list) - 1
	if last >= 0 && h.list[last].id == id {
		return &h.list[last]
	}
	if h.at == nil && last >= 0 && id < h.list[last].id {
		h.at = make(map[uint64]int, len(h.list))
		for i := range h.list {
			h.at[h.list[i].id] = i
		}
	}
	if i, known := h.at[id]; known {
		return &h.list[i]
	}
	if h.at != nil {
		h.at[id] = last + 1
	}
	h.list = append(h.list, heldGroup{id: id})
	return &h.list[last+1]
}

func (h *heldGroups) sorted() []heldGroup {
	if h.at != nil {
		slices.SortFunc(h.list, func(a, b heldGroup) int { return cmp.Compare(a.id, b.id) })
		h.at = nil
	}
	return h.list
}

func newScores(sp *design.Split, models int) *scores {
	return &scores{split: sp, sums: make([][design.Parts]float64, models)}
}

// row counts a row. The caller then adds the row's losses; for model 0, it calls [scores.first].
func (s *scores) row(side int, weight float64) {
	s.rows[side]++
	s.weight[side] += weight
}

// first adds the loss of model 0. The loss must already be multiplied by the row's weight.
func (s *scores) first(side int, episode uint64, loss, weight float64) {
	s.sums[0][side] += loss
	if side == design.Training {
		return
	}
	id, _ := s.split.GroupOf(episode)
	g := s.groups.group(id)
	if side == design.Unseen {
		g.loss[0] += loss
		g.weight[0] += weight
	}
	g.loss[1] += loss
	g.weight[1] += weight
}

// report sets the fields of the report that describe the held-out rows.
func (s *scores) report(r *Report) {
	r.Rows, r.HeldOutRows = s.rows[design.Training], s.rows[design.Unseen]+s.rows[design.Seen]
	v := &r.Overlap
	v.Rows = s.rows[design.Seen]
	if r.HeldOutRows > 0 {
		v.Share = float64(v.Rows) / float64(r.HeldOutRows)
	}
	groups := 0
	for i := range s.groups.list {
		if s.groups.list[i].weight[0] > 0 {
			groups++
		}
	}
	v.Apart = v.Rows > 0 && !s.split.KeepSeen && groups >= fewGroups
	if v.Rows > 0 && !s.split.KeepSeen && !v.Apart {
		r.note("%d of %d held-out positions stand in training, too, and the others come from %d games: the held-out loss is that of all of them", v.Rows, r.HeldOutRows, groups)
	}
	if s.weight[design.Seen] > 0 {
		v.Loss = s.sums[0][design.Seen] / s.weight[design.Seen]
	}
	if s.weight[design.Unseen] > 0 {
		v.RestLoss = s.sums[0][design.Unseen] / s.weight[design.Unseen]
	}
	r.HeldOutError, r.HeldOutFreedom = s.error(design.BoolToInt(!v.Apart))
}

// held returns the mean loss over the held-out rows that are included, or 0 if there are none. The
// parameter sum contains the total loss in each part of the data.
func (s *scores) held(sum [design.Parts]float64, r *Report) float64 {
	weight, total := s.weight[design.Unseen], sum[design.Unseen]
	if !r.Overlap.Apart {
		weight, total = weight+s.weight[design.Seen], total+sum[design.Seen]
	}
	if !(weight > 0) {
		return 0
	}
	return total / weight
}

// measure returns the mean losses of a model. It must be called after report.
func (s *scores) measure(model int, name string, r *Report) Measure {
	m := Measure{Name: name, HeldOutLoss: s.held(s.sums[model], r)}
	if s.weight[design.Training] > 0 {
		m.Loss = s.sums[model][design.Training] / s.weight[design.Training]
	}
	return m
}

// compare sets the losses of the fit, of zero weights and of the baselines. The models must be in
// that order.
func (s *scores) compare(o *Options, r *Report) {
	s.report(r)
	fit := s.measure(0, "", r)
	r.Loss, r.HeldOutLoss = fit.Loss, fit.HeldOutLoss
	r.Zero = s.measure(1, "zero", r)
	for i, base := range o.Baselines {
		r.Baselines = append(r.Baselines, s.measure(i+2, base.Name, r))
	}
}

// error returns the standard error of the first model's mean held-out loss and its degrees of
// freedom, clustered by group of episodes. The mean m is a ratio of two sums over groups, the sum
// of losses l and the sum of weights w. Leaving out group g changes it by (m w_g - l_g) / (w -
// w_g). The jackknife variance is (G-1)/G times the sum of the squared changes. If there are fewer
// than two groups, error returns 0, 0.
func (s *scores) error(k int) (err, freedom float64) {
	loss, weight := 0.0, 0.0
	var shares []float64
	groups := s.groups.sorted()
	for i := range groups {
		if g := &groups[i]; g.weight[k] > 0 {
			loss += g.loss[k]
			weight += g.weight[k]
			shares = append(shares, g.weight[k])
		}
	}
	if len(shares) < 2 {
		return 0, 0
	}
	mean, square, n := loss/weight, 0.0, float64(len(shares))
	for i := range groups {
		g := &groups[i]
		d := (g.loss[k] - float64(mean*g.weight[k])) / (weight - g.weight[k])
		square += float64(d * d)
	}
	for i := range shares {
		shares[i] /= weight
	}
	return math.Sqrt(square * (n - 1) / n), satterthwaite(shares)
}

// satterthwaite returns the degrees of freedom of the jackknife variance of a ratio (Bell and
// McCaffrey, Bias reduction in standard errors for linear regression with multi-stage samples,
// Survey Methodology 28, 2002). The parameter shares contains each group's fraction p_g of the
// total weight. Because all rows of a game share its luck, the variation e_g of a group is assumed
// to be proportional to its weight, so its variance is p_g^2. The residuals e_g - p_g sum e,
// divided by 1 - p_g, then have the covariances
//
//	c_gh = (p_g^2 [g = h] - p_g p_h^2 - p_h p_g^2 + p_g p_h sum p^2) / ((1-p_g) (1-p_h)),
//
// and (tr C)^2 / tr C^2 degrees of freedom match the mean and variance of the estimated variance. G
// groups of equal weight have G-1 degrees of freedom.
func satterthwaite(shares []float64) float64 {
	all := 0.0
	for _, p := range shares {
		all += float64(p * p)
	}
	// These are the sums of powers of p divided by (1-p)^2, and the additional terms on the
	// diagonal.
	trace, second, third, fourth, diagonal := 0.0, 0.0, 0.0, 0.0, 0.0
	for _, p := range shares {
		u := 1 / ((1 - p) * (1 - p))
		square := float64(p * p)
		off := float64(square*all) - float64(2*square*p)
		trace += float64(u * (square + off))
		second += float64(u * square)
		third += float64(u * square * p)
		fourth += float64(u * square * square)
		diagonal += float64(u * u * square * (square + float64(2*off)))
	}
	total := float64(all*all*second*second) + float64(2*second*fourth) - float64(4*all*second*third) + float64(2*third*third) + diagonal
	return trace * trace / total
}

// DesignEffect returns the number of training rows that together carry as much information as one
// independent row. It is at least 1. It is the variance of the sum of residuals divided by the
// variance for independent rows (Kish 1965). The model m should be close to the truth.
func DesignEffect(ctx context.Context, m *models.Linear, data datasets.Samples, criterion loss.Function, o Options) (float64, error) {
	sp, square := o.split(), 0.0
	var groups heldGroups
	err := design.Scan(ctx, data, m, sp, func(s *datasets.Sample, held bool) error {
		if held {
			return nil
		}
		_, slope, _ := design.Bounded(criterion, m.Dot(s.X), s)
		slope = float64(slope * s.Weight)
		square += float64(slope * slope)
		id, _ := sp.GroupOf(s.Episode)
		groups.group(id).loss[0] += slope
		return nil
	})
	shared := 0.0
	for _, g := range groups.sorted() {
		shared += float64(g.loss[0] * g.loss[0])
	}
	if err != nil || !(square > 0) {
		return 1, err
	}
	return math.Max(1, shared/square), nil
}

// Evaluate returns the loss of a fixed model on rows to which it was not fitted. All rows count as
// held out. In the options o, Seen reports which positions occur in the model's training rows, and
// Group clusters the standard error. R2 is relative to a constant prediction, whose loss is also
// reported.
func Evaluate(ctx context.Context, m *models.Linear, data datasets.Samples, criterion loss.Function, constant float64, o Options) (Report, error) {
	var r Report
	o.HeldOut = func(uint64) bool { return true }
	sp := o.split()
	sums := newScores(sp, 2)
	episodes := design.NewEpisodeSet()
	err := design.Scan(ctx, data, m, sp, func(s *datasets.Sample, held bool) error {
		k := sp.Side(held, s.Position)
		sums.row(k, s.Weight)
		episodes.Add(s.Episode)
		l, _, _ := design.Bounded(criterion, m.Dot(s.X), s)
		sums.first(k, s.Episode, float64(s.Weight*l), s.Weight)
		l, _, _ = design.Bounded(criterion, float64(constant*design.BiasOf(s.X)), s)
		sums.sums[1][k] += float64(s.Weight * l)
		return nil
	})
	if err != nil {
		return r, err
	}
	sums.report(&r)
	r.HeldOutLoss, r.HeldOutEpisodes = sums.measure(0, "", &r).HeldOutLoss, episodes.Len()
	r.against(sums.measure(1, "constant", &r))
	return r, nil
}

// Repeats identifies episodes that repeat an earlier episode. Two episodes are equal if they have
// the same rows in the same order, compared by datasets.Sample.Position. In that case they are the
// same game under two numbers, not independent evidence. Labels are not compared. An episode with a
// single row never counts as a repeat, because two games may reach the same position.
type Repeats struct {
	Episodes int // number of episodes that repeat an earlier one
	Groups   int // number of groups of several equal episodes; see [Options].Groups

	first map[uint64]uint64 // first episode of the group, for episodes in groups with several members
}

// FindRepeats reads the samples once. All samples must have a Position. The rows of an episode need
// not be adjacent.
func FindRepeats(samples datasets.Samples) (*Repeats, error) {
	type line struct {
		hash uint64
		rows int
	}
	lines := map[uint64]*line{}
	var order []uint64 // episodes in the order of their first rows
	var at *line
	var last uint64
	for s, err := range datasets.Outlines(samples) {
		if err != nil {
			return nil, err
		}
		if at == nil || s.Episode != last {
			if at = lines[s.Episode]; at == nil {
				at = new(line)
				lines[s.Episode] = at
				order = append(order, s.Episode)
			}
			last = s.Episode
		}
		at.hash = game.Mix(at.hash ^ s.Position)
		at.rows++
	}
	r := &Repeats{first: map[uint64]uint64{}}
	known := map[line]uint64{}
	for _, e := range order {
		l := *lines[e]
		if l.rows < 2 {
			continue
		}
		first, had := known[l]
		if !had {
			known[l] = e
			continue
		}
		r.Episodes++
		if _, several := r.first[first]; !several {
			r.first[first] = first
			r.Groups++
		}
		r.first[e] = first
	}
	return r, nil
}

// Group returns the group of an episode. It can be used as [Options].Group.
func (r *Repeats) Group(episode uint64) (id uint64, alone bool) {
	if first, several := r.first[episode]; several {
		return first, false
	}
	return episode, true
}
