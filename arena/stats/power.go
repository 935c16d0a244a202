package stats

import (
	"math"
	"math/rand/v2"
)

// Share is the share of the points of one who is better by so much Elo, and the standard deviation
// of a pair's share where no game is drawn and one says nothing of the other: draws make it smaller.
func Share(elo float64) (mean, deviation float64) {
	p := score(elo)
	return p, math.Sqrt(p * (1 - p) / 2)
}

// Accepts draws a test of one who is better by so much Elo, as [Share] has pairs, and tells whether
// H1 is accepted within so many. The ratio is that of normal shares.
func (t SPRT) Accepts(elo float64, pairs int, rng *rand.Rand) bool {
	mean, sd := Share(elo)
	t0, t1 := pairT(t.Low), pairT(t.High)
	if t.Scale == LogisticElo {
		t0, t1 = (score(t.Low)-0.5)/sd, (score(t.High)-0.5)/sd
	}
	llr := 0.0
	for range pairs {
		z := (mean-0.5)/sd + rng.NormFloat64()
		llr += (t1 - t0) * (z - (t0+t1)/2)
		if d := t.Decide(llr); d != Open {
			return d == AcceptHigh
		}
	}
	return false
}
