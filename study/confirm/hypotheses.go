package confirm

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"plyfit/internal/elementary"
	"plyfit/stats"
	"plyfit/study"
)

// Decision is what became of a hypothesis.
type Decision struct {
	ID       string         `json:"id"`
	Claim    string         `json:"claim"`
	Support  study.Support  `json:"verdict"`
	P        float64        `json:"p"`
	Holm     float64        `json:"p_holm"`
	Estimate study.Interval `json:"estimate"` // over groups
	Groups   int            `json:"groups"`
	Worlds   int            `json:"worlds"`
	What     string         `json:"what"` // the estimate is
	Note     string         `json:"note,omitempty"`

	against bool // the interval contradicts the claim
}

// MarshalJSON implements [json.Marshaler]: an estimate without bounds is null.
func (v Decision) MarshalJSON() ([]byte, error) {
	type plain Decision
	out := struct {
		plain
		Estimate *study.Interval `json:"estimate"`
	}{plain: plain(v)}
	if e := v.Estimate; !math.IsNaN(e.Value) && !math.IsInf(e.High-e.Low, 0) {
		out.Estimate = &e
	}
	return json.Marshal(out)
}

// test is how a hypothesis is decided. The units of a group are a random sample of
// training seeds, groups one of sources within worlds: means over groups are compared
// with the margin by Student's t, and the means of worlds are, too. The greater p counts,
// so that what is supported holds over sources and over worlds.
type test struct {
	margins int // that it wants
	decide  func(p *Protocol, h *Hypothesis, rows []Row) Decision
}

var tests = map[string]test{
	"P1": {1, func(p *Protocol, h *Hypothesis, rows []Row) Decision {
		s := p.sample(rows, nil, func(g *group) float64 { return elementary.Log(g.expectimax() / g.minimax()) })
		return s.within("E/M", elementary.Log(h.Margins[0]))
	}},
	"P2": {5, decideShares},
	"P3": {1, func(p *Protocol, h *Hypothesis, rows []Row) Decision {
		s := p.sample(rows, nil, func(g *group) float64 { return elementary.Log(g.platt() / g.minimax()) })
		return s.within("calibrated E/M", elementary.Log(h.Margins[0]))
	}},
	"P4": {3, decideLaw},
	"P5": {2, func(p *Protocol, h *Hypothesis, rows []Row) Decision {
		s := p.sample(rows, func(g *group) bool { return g.slope() > h.Margins[0] }, gain)
		return s.oneSided("gain by calibrating", study.Below, h.Margins[1])
	}},
	"P6": {2, func(p *Protocol, h *Hypothesis, rows []Row) Decision {
		few := func(g *group) bool {
			return g.world.Measure == byGames && !g.world.NoRatio && g.source.plainFit() && float64(g.source.Games) <= h.Margins[1]
		}
		s := p.sample(rows, few, func(g *group) float64 {
			return gain(g) - float64(h.Margins[0]*(g.expectimax()-g.minimax()))
		})
		return s.oneSided(fmt.Sprintf("gain by calibrating less %v of expectimax's loss beyond minimax's", h.Margins[0]), study.Above, 0)
	}},
	"P7": {1, func(p *Protocol, h *Hypothesis, rows []Row) Decision {
		var s sample
		for _, r := range rows {
			if r.Depth == 2 && !math.IsNaN(r.Noise) {
				s.add(r.World, r.Noise-float64(h.Margins[0]*r.Steep))
			}
		}
		s.null = p.null
		return s.oneSided(fmt.Sprintf("loss by noise less %v times that by a steep link of the same misfit", h.Margins[0]), study.Above, 0)
	}},
	"P8": {1, decideTrend},
}

func gain(g *group) float64 { return g.expectimax() - g.platt() }

// plainFit reports whether the source is a fit to outcomes with all features.
func (s *Source) plainFit() bool {
	return s.Method == "" && s.Evaluation == "" && s.Label == "" && s.Out == ""
}

// sample are figures of groups, with their worlds.
type sample struct {
	values []float64
	worlds []string
	null   *null
}

func (s *sample) add(world string, x float64) {
	s.values, s.worlds = append(s.values, x), append(s.worlds, world)
}

// sample are the figures of the groups that are wanted; nil: of all whose ratio is known.
// Regret is another measure and in none of them.
// Tested depths of one source in one world are one group: their mean.
func (p *Protocol) sample(rows []Row, wanted func(*group) bool, of func(*group) float64) (s sample) {
	s.null = p.null
	var key string
	var some []float64
	var world string
	flush := func() {
		if len(some) > 0 {
			s.add(world, study.Mean(some))
		}
		some = nil
	}
	for _, g := range p.groups(rows) {
		if k := g.world.ID + " " + g.source.ID; k != key {
			flush()
			key, world = k, g.world.ID
		}
		if g.world.Measure == byRegret || wanted == nil && !p.comparable(g) || wanted != nil && !wanted(g) {
			continue
		}
		if x := of(g); !math.IsNaN(x) && !math.IsInf(x, 0) {
			some = append(some, x)
		}
	}
	flush()
	return s
}

// comparable reports whether ratios of losses mean anything.
func (p *Protocol) comparable(g *group) bool {
	return !g.world.NoRatio && g.minimax() >= p.Exclusions.Loss && g.expectimax() > 0 && g.platt() > 0
}

// means are those of worlds.
func (s *sample) means() (out []float64) {
	var names []string
	by := map[string][]float64{}
	for i, w := range s.worlds {
		if by[w] == nil {
			names = append(names, w)
		}
		by[w] = append(by[w], s.values[i])
	}
	for _, w := range names {
		out = append(out, study.Mean(by[w]))
	}
	return out
}

// p is the greater of the p-values over groups and over worlds.
func (s *sample) p(claim study.Claim, level float64) float64 {
	return max(study.TTest(s.values, claim, level), study.TTest(s.means(), claim, level))
}

func (s *sample) decision(what string, p float64) Decision {
	return Decision{P: p, Estimate: study.TInterval(s.values), Groups: len(s.values), Worlds: len(s.means()), What: what}
}

// oneSided decides whether the mean lies on that side of the level.
func (s sample) oneSided(what string, claim study.Claim, level float64) Decision {
	s = s.nullAt(level)
	v := s.decision(what, s.p(claim, level))
	v.against = claim == study.Above && v.Estimate.High < level || claim == study.Below && v.Estimate.Low > level
	return v
}

// within decides whether the mean of logarithms lies within the margin on either side of
// 0; its estimate is the ratio.
func (s sample) within(what string, margin float64) Decision {
	s = s.nullAt(margin)
	v := s.decision(what, max(s.p(study.Above, -margin), s.p(study.Below, margin)))
	v.against = v.Estimate.Low > margin || v.Estimate.High < -margin
	e := &v.Estimate
	if len(s.values) > 1 {
		e.Value, e.Low, e.High = elementary.Exp(e.Value), elementary.Exp(e.Low), elementary.Exp(e.High)
	}
	return v
}

// decideShares: where the slope is about right less than margins[0] of the loss is of
// scale, where it is below margins[4] more than margins[3] is.
func decideShares(p *Protocol, h *Hypothesis, rows []Row) Decision {
	share := func(g *group) float64 { return 1 - g.platt()/g.expectimax() }
	between := func(low, high float64) sample {
		return p.sample(rows, func(g *group) bool {
			return g.expectimax() >= p.Exclusions.Loss && g.slope() >= low && g.slope() < high
		}, share)
	}
	right, sure := between(h.Margins[1], h.Margins[2]), between(math.Inf(-1), h.Margins[4])
	a := right.oneSided("share of scale where the slope is about right", study.Below, h.Margins[0])
	b := sure.oneSided("share of scale", study.Above, h.Margins[3])
	a.Note = fmt.Sprintf("slope below %v: %s of %d groups, p %.2g", h.Margins[4], figureText(b.Estimate, 3), b.Groups, b.P)
	a.P, a.against = max(a.P, b.P), a.against || b.against
	return a
}

// decideTrend: what white noise of one misfit costs expectimax beyond minimax, three
// decisions ahead, rises with every step of the slip; and where slips are rarest the ratio
// lies within the margin of 1. Points, since minimax loses next to nothing by noise where
// slips are frequent, so that there is no ratio.
func decideTrend(p *Protocol, h *Hypothesis, rows []Row) Decision {
	v := Decision{P: 1, Estimate: study.Interval{Value: math.NaN(), Low: math.Inf(-1), High: math.Inf(1)}, What: "loss by noise beyond minimax's, at the most frequent slips less that at the rarest"}
	type place struct {
		slip        float64
		noise, fear []float64
		mean, se    float64 // of the difference
	}
	var all []place
	for i := range p.Worlds {
		w := place{slip: p.Worlds[i].Slip}
		var beyond []float64
		for _, r := range rows {
			if r.World == p.Worlds[i].ID && r.Depth == 3 && !math.IsNaN(r.Noise) {
				w.noise, w.fear, beyond = append(w.noise, r.Noise), append(w.fear, r.NoiseMinimax), append(beyond, r.Noise-r.NoiseMinimax)
			}
		}
		if len(beyond) >= max(2, p.Exclusions.Units) {
			if p.null != nil { // nothing rises
				mean := study.Mean(beyond)
				for k := range beyond {
					beyond[k] = float64(p.null.sign(fmt.Sprint(i, " ", k)) * (beyond[k] - mean))
				}
			}
			e := study.TInterval(beyond)
			w.mean, w.se = e.Value, (e.High-e.Low)/2/stats.T95(float64(len(beyond)-1))
			all = append(all, w)
		}
	}
	if len(all) < 3 {
		return v
	}
	slices.SortStableFunc(all, func(a, b place) int {
		if a.slip < b.slip {
			return -1
		}
		return 1
	})
	first, last := all[0], all[len(all)-1]
	off := func(times float64) (out []float64) {
		for i := range first.noise {
			out = append(out, first.noise[i]-float64(times*first.fear[i]))
		}
		return out
	}
	same := max(study.TTest(off(h.Margins[0]), study.Below, 0), study.TTest(off(1/h.Margins[0]), study.Above, 0))
	v.P, v.Groups, v.Worlds = same, len(all), len(all)
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		v.P = max(v.P, stats.Above((b.mean-a.mean)/hypotenuse(a.se, b.se), float64(min(len(a.noise), len(b.noise))-1)))
	}
	d := last.mean - first.mean
	half := float64(stats.T95(float64(min(len(first.noise), len(last.noise))-1)) * hypotenuse(first.se, last.se))
	v.Estimate = study.Interval{Value: d, Low: d - half, High: d + half}
	v.against = v.Estimate.High < 0
	for _, x := range all {
		v.Note += fmt.Sprintf("slip %v: %s and %s; ", x.slip, study.Number(study.Mean(x.noise), 4), study.Number(study.Mean(x.fear), 4))
	}
	v.Note += fmt.Sprintf("the same at the rarest: p %.2g", same)
	return v
}

// hypotenuse is the standard error of a difference.
func hypotenuse(a, b float64) float64 { return math.Sqrt(float64(a*a) + float64(b*b)) }

// Table is what decisions follow from: rows of units, or batches of matches.
type Table struct {
	Rows    []Row
	Batches []Batch
}

// Decide decides the hypotheses from a table alone, with Holm's correction over all of them.
func (p *Protocol) Decide(t Table) []Decision {
	out := p.decideMatches(t.Batches)
	for i := range p.Hypotheses {
		h := &p.Hypotheses[i]
		v := tests[h.ID].decide(p, h, t.Rows)
		v.ID, v.Claim = h.ID, h.Claim
		out = append(out, v)
	}
	var all []float64
	for i := range out {
		if v := &out[i]; math.IsNaN(v.P) {
			v.P = 1
		}
		all = append(all, out[i].P)
	}
	for i, adjusted := range stats.Holm(all) {
		v := &out[i]
		v.Holm, v.Support = adjusted, study.NotDecided
		switch {
		case adjusted < p.Alpha:
			v.Support = study.Supported
		case v.against:
			v.Support = study.Contradicted
		}
	}
	return out
}
