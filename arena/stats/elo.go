package stats

import (
	"fmt"
	"math"

	"plyfit/internal/elementary"
)

// eloUnit converts a t-value per game to normalised Elo: 800/ln 10.
const eloUnit = 800 / math.Ln10

// Elo returns the rating difference that corresponds to the mean score s in (0, 1): 400
// log10(s/(1-s)). It is infinite at 0 and 1.
func Elo(s float64) float64 { return 400 * elementary.Log10(s/(1-s)) }

// score returns the mean score that corresponds to a rating difference: 1/(1 + 10^(-elo/400)).
func score(elo float64) float64 { return 1 / (1 + elementary.Pow(10, -elo/400)) }

// pairT converts normalised Elo to the mean score of a pair minus 1/2, in standard deviations of a
// pair: sqrt2 nElo ln 10/800.
func pairT(nElo float64) float64 { return math.Sqrt2 * nElo / eloUnit }

// fewestForElo is the minimum number of pairs for meaningful intervals on the Elo scales.
const fewestForElo = 8

const noPair = "no pair was played"

// Versus contains the strength in a two-player game, measured on the Elo scales.
type Versus struct {
	Pentanomial   Pentanomial `json:"pentanomial"` // LL, LD, DD+WL, WD, WW
	Elo           Estimate    `json:"elo"`
	NormalisedElo Estimate    `json:"normalised_elo"`
	LOS           Estimate    `json:"los"` // probability that A is the stronger player
}

// NewVersus computes A's playing strength on the Elo scales. The values are computed from the pair
// counts. The intervals are derived from share, which is A's fraction of the points with an
// interval that is clustered by opening and uses Student's t. With eight openings, intervals based
// on Student's t are a fifth wider than those based on the normal distribution.
//
// The Elo interval is computed from the ends of the interval of share. The interval of normalised
// Elo is computed from the parameter ratio, the spread of [Clustered.Influence]. The likelihood of
// superiority is computed from the parameter u, the spread of share. The parameter shared indicates
// that some openings are used by several pairs.
func NewVersus(counts Pentanomial, share Estimate, u, ratio Spread, shared bool) *Versus {
	pairs := int(counts.Pairs())
	v := &Versus{Pentanomial: counts}
	mean, sd := counts.Mean(), counts.Deviation()
	switch {
	case pairs == 0:
		v.Elo.Lacks = noPair
	case mean == 0:
		v.Elo.Lacks = "every game was lost, which no finite Elo explains"
	case mean == 1:
		v.Elo.Lacks = "every game was won, which no finite Elo explains"
	default:
		v.Elo.Value, v.Elo.Known = Elo(mean), true
	}
	if sd > 0 {
		v.NormalisedElo = Estimate{Value: counts.NormalisedElo(), Known: true}
	}
	lacks := ""
	switch {
	case pairs == 0:
		lacks = noPair
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
	v.LOS = Estimate{Value: elementary.Round(Above((0.5-mean)/u.Err, u.Freedom)), Known: true}
	e := &v.NormalisedElo
	if half := float64(TQuantile95(ratio.Freedom) * ratio.Err / math.Sqrt2 * eloUnit); half > 0 {
		e.Low, e.High, e.Bounded = e.Value-half, e.Value+half, true
	} else {
		e.Lacks = "too few pairs: their noise cannot be estimated"
	}
	switch e := &v.Elo; {
	case share.Low > 0 && share.High < 1:
		e.Low, e.High, e.Bounded, e.Lacks = Elo(share.Low), Elo(share.High), true, ""
	case e.Known:
		e.Lacks = "too few pairs: the interval of the score reaches 0 or 1, where Elo is infinite"
	}
	return v
}
