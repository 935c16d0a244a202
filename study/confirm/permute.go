package confirm

import (
	"fmt"
	"math"

	"plyfit/study"
)

// Permuted is how often a family with nothing in it came to a claim supported.
type Permuted struct {
	Families int `json:"families"`
	Hits     int `json:"hits"` // families with a claim supported
}

func (p *Permuted) String() string {
	return fmt.Sprintf("On permuted labels %d of %d families came to a verdict (%.1f%%).", p.Hits, p.Families, 100*float64(p.Hits)/float64(p.Families))
}

// permute draws families in which all null hypotheses are true and decides them as
// the real one: unit by unit the two sides of all contrasts change places or do not, by
// the toss of a coin, so that what differs between units stays in. What is to be shown
// equivalent is put at the edge of its margin. About alpha of the families, or fewer, may
// come to a verdict; n units have 2^n families.
func (l *plan) permute(families int, seed uint64) *Permuted {
	samples := l.samples()
	out := &Permuted{Families: families}
	for k := range families {
		random := study.NewRand(seed, uint64(k), 0x9e57)
		tossed := map[*unit]bool{}
		for _, g := range l.protocol.games {
			for _, u := range l.units[g.ID] {
				tossed[u] = random.Uint64()&1 == 1
			}
		}
		null := make([]sample, len(samples))
		for i, s := range samples {
			h := &l.protocol.Hypotheses[i]
			units := l.units[h.arms()[0].World]
			swap := func(unit int) bool { return tossed[units[unit]] }
			switch {
			case s.few:
				null[i] = s
			case h.Estimand == fade:
				null[i] = l.fadeSample(h, swap)
			case h.Estimand == anyOf:
				for _, of := range s.any {
					null[i].any = append(null[i].any, of.permuted(h, swap))
				}
			default:
				null[i] = s.permuted(h, swap)
			}
		}
		for _, v := range l.protocol.findings(null) {
			if v.Support == study.Supported {
				out.Hits++
				break
			}
		}
	}
	return out
}

// permuted is the sample of a contrast of planners with its labels drawn anew.
func (s sample) permuted(h *Hypothesis, swap func(unit int) bool) sample {
	edge := math.Inf(1)
	if h.Margin.Points > 0 {
		edge = h.Margin.Points
	}
	if h.Margin.Plies > 0 {
		edge = min(edge, float64(h.Margin.Plies*study.Mean(s.ply.Means())))
	}
	if h.Test != equivalent {
		edge = 0
	}
	effect := make(study.Nested, len(s.effect))
	for u, row := range s.effect {
		effect[u] = make([]float64, len(row))
		for i, x := range row {
			if swap(u) {
				x = -x
			}
			effect[u][i] = x + edge
		}
	}
	return sample{effect: effect, ply: s.ply}
}
