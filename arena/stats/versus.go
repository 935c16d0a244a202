package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"plyfit/internal/elementary"
)

// Versus are the figures of a game of two: strength on the scales of Elo.
type Versus struct {
	Pentanomial   Pentanomial `json:"pentanomial"` // LL, LD, DD+WL, WD, WW
	Elo           Estimate    `json:"elo"`
	NormalisedElo Estimate    `json:"normalised_elo"`
	LOS           Estimate    `json:"los"` // likelihood that A is the stronger
}

// NewVersus puts A's share of the points on the scales of Elo. The values are those
// of the counts; the intervals are the share's own, clustered by opening and by
// Student's t, which with eight openings is a fifth wider than the normal
// distribution's: Elo's is that of the share, end by end, normalised Elo's and
// the likelihood of superiority take its standard error, u. shared says that u
// counts openings which several of the pairs have in common.
func NewVersus(counts Pentanomial, share Estimate, u Spread, shared bool) *Versus {
	pairs := int(counts.Pairs())
	v := &Versus{Pentanomial: counts, Elo: counts.Elo()}
	v.Elo.Low, v.Elo.High, v.Elo.Bounded = 0, 0, false
	mean, sd := counts.Mean(), counts.Deviation()
	if sd > 0 {
		v.NormalisedElo = Estimate{Value: (mean - 0.5) / (math.Sqrt2 * sd) * eloUnit, Known: true}
	}
	lacks := ""
	switch {
	case pairs == 0:
		lacks = "no pair was played"
	case u.Units < fewestForElo && shared:
		lacks = fewOpenings(u.Units, pairs, fewestForElo)
	case u.Units < fewestForElo:
		lacks = fmt.Sprintf("too few pairs: %d, want at least %d", u.Units, fewestForElo)
	case sd == 0:
		lacks = "too few pairs: all of them ended alike"
	}
	if lacks != "" {
		v.NormalisedElo.Lacks, v.LOS.Lacks = lacks, lacks
		if v.Elo.Known {
			v.Elo.Lacks = lacks
		}
		return v
	}
	v.LOS = Estimate{Value: elementary.Round(distuv.StudentsT{Mu: 0, Sigma: 1, Nu: u.Freedom}.CDF((mean - 0.5) / u.Err)), Known: true}
	e := &v.NormalisedElo
	half := float64(student(u.Freedom) * u.Err / (math.Sqrt2 * sd) * eloUnit)
	e.Low, e.High, e.Bounded = e.Value-half, e.Value+half, true
	switch e := &v.Elo; {
	case share.Low > 0 && share.High < 1:
		e.Low, e.High, e.Bounded, e.Lacks = Elo(share.Low), Elo(share.High), true, ""
	case e.Known:
		e.Lacks = endOfScale
	}
	return v
}
