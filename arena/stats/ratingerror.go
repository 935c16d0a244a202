package stats

import (
	"fmt"
	"math"

	"plyfit/internal/dense"
)

// ratingIntervals turns log odds into Elo with intervals: H^-1 V H^-1, V the
// variance of the score function between openings, and Student's t.
func ratingIntervals(theta []float64, met []Encounter) []Estimate {
	unit := 400 / math.Ln10
	out := make([]Estimate, len(theta))
	lack := func(why string) []Estimate {
		for i := range out {
			out[i].Lacks = why
		}
		return out
	}
	for i, x := range theta {
		out[i] = Estimate{Value: x * unit, Known: true}
	}
	if len(theta) == 1 {
		return lack("one entrant alone")
	}
	if why := fewInOne(met); why != "" {
		return lack(why)
	}
	inverse := dense.Factor(information(theta, met, 1), len(theta)).Inverse()
	if inverse == nil {
		return lack("too few pairs: they do not tell the ratings apart")
	}
	for i := range out {
		u := ratingSpread(i, theta, met, inverse)
		half := float64(T95(u.Freedom) * u.Err * unit)
		out[i].Low, out[i].High, out[i].Bounded = out[i].Value-half, out[i].Value+half, true
	}
	return out
}

// fewInOne says which encounter is too small for the normal distribution, ""
// where none is.
func fewInOne(met []Encounter) string {
	pairs, openings := math.Inf(1), math.MaxInt
	for _, e := range met {
		if e.repeats() {
			openings = min(openings, len(e.Openings))
		} else {
			pairs = math.Min(pairs, e.Pairs)
		}
	}
	switch {
	case pairs < fewestForElo:
		return fmt.Sprintf("too few pairs: %.4g in one encounter, want at least %d", pairs, fewestForElo)
	case openings < fewestForElo:
		return fmt.Sprintf("too few openings: %d in one encounter, want at least %d", openings, fewestForElo)
	}
	return ""
}

// repeats reports whether an opening comes up twice in the encounter.
func (e Encounter) repeats() bool {
	for _, o := range e.Openings {
		if o.Pairs > 1 {
			return true
		}
	}
	return false
}

// ratingSpread is how far the rating of entrant i is known, in log odds. To
// first order the rating moves by
//
//	sum_e (H^-1_iA - H^-1_iB) N_e (s_e - E_e)
//
// with the scores s_e of its encounters; what the pairs from one opening add to
// that, over all encounters, is one cluster. A cluster's square is divided by 1
// less its share of the encounter (CR2, see [Clustered.Spread]). The degrees of
// freedom are Satterthwaite's for clusters that are independent of each other,
// each expected to add in proportion to the square of its pairs.
func ratingSpread(i int, theta []float64, met []Encounter, inverse []float64) Spread {
	variance := 0.0
	h, hh, free := 0.0, 0.0, 0.0 // expected: sum, sum of squares, sum of what is free
	type cluster struct{ sum, h, free float64 }
	number := map[uint64]int{}
	var clusters []cluster
	for _, e := range met {
		k := (inverse[i*len(theta)+e.A] - inverse[i*len(theta)+e.B]) * e.Pairs
		if e.Deviation == 0 || e.Openings == nil {
			v := float64(e.Deviation * e.Deviation)
			if v == 0 { // all alike: then that of two games without draws
				x := expected(theta, e)
				v = float64(x * (1 - x) / 2)
			}
			v = k * k * v / e.Pairs
			variance += v
			h += v
			hh += v * v / e.Pairs
			free += float64(v * (1 - 1/e.Pairs))
			continue
		}
		pairs, points, squares := 0.0, 0.0, 0.0
		for _, o := range e.Openings {
			n := float64(o.Pairs)
			pairs += n
			points += o.Points
			squares += float64(n * n)
		}
		mean, v := points/pairs, k*k*e.Deviation*e.Deviation/e.Pairs
		for _, o := range e.Openings {
			n, ok := number[o.From]
			if !ok {
				n = len(clusters)
				number[o.From] = n
				clusters = append(clusters, cluster{})
			}
			size := float64(o.Pairs)
			left := 1 - size/pairs
			c := &clusters[n]
			if left > 0 {
				c.sum += float64(k * (o.Points - float64(size*mean)) / (pairs * math.Sqrt(left)))
			}
			own := v * size * size / squares
			c.h += own
			c.free += float64(own * left)
		}
	}
	for _, c := range clusters {
		variance += float64(c.sum * c.sum)
		h += c.h
		hh += float64(c.h * c.h)
		free += c.free
	}
	if hh == 0 { // nobody's score moves this rating
		return Spread{Freedom: math.Inf(1)}
	}
	return Spread{Err: math.Sqrt(variance), Freedom: math.Max(1, h*free/hh)}
}
