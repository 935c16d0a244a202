package tune

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"plyfit/arena/stats"
	"plyfit/internal/list"
	"plyfit/learn/online/evolution"
)

// Power is an estimate, made before any game is played, of the gains that runs with these settings
// can detect. Games are simulated with the variance of [stats.Share]. Draws only increase the
// power.
type Power struct {
	Gain  float64 // gain in Elo that is detected in 9 of 10 runs; +Inf if above mostGain
	Games int     // maximum number of games in a run
	Half  int     // maximum number of games in a run that can detect half of Gain; 0 if more than mostTimes times Games
}

const (
	sure      = 0.9
	simulated = 300  // number of runs simulated to estimate a probability
	mostGain  = 1000 // in Elo
	mostTimes = 32
)

// Power simulates runs with the given number of candidates. One candidate is better than the start
// and the others. If weights is not 0, Power instead simulates an evolution of that number of
// weights over the given number of games. In this evolution, the starting weights are worse than
// the best weights by the gain, and each weight is off by its width.
func (r *Race) Power(candidates, weights, games int) (p Power) {
	run := func(gain, times float64, rng *rand.Rand) bool {
		gains := make([]float64, candidates)
		gains[0] = gain
		if weights > 0 {
			gains = evolved(gain, weights, int(float64(games)*times), rng)
		}
		return r.simulate(gains, times, rng)
	}
	detects := func(gain, times float64) bool {
		n := 0
		for i := range simulated {
			if run(gain, times, rand.New(rand.NewPCG(uint64(i), 1))) {
				n++
			}
		}
		return float64(n) >= sure*simulated
	}
	p.Games = r.games(candidates) + games
	low, high := 1.0, float64(mostGain)
	if !detects(high, 1) {
		p.Gain = math.Inf(1)
		return p
	}
	for high > 1.02*low {
		if middle := math.Sqrt(low * high); detects(middle, 1) {
			high = middle
		} else {
			low = middle
		}
	}
	p.Gain = math.Sqrt(low * high)
	for times := 2.0; times <= mostTimes; times *= 2 {
		if detects(p.Gain/2, times) {
			p.Half = int(float64(p.Games) * times)
			break
		}
	}
	return p
}

// games returns the maximum number of games in a race and its confirmation.
func (r *Race) games(candidates int) int {
	pairs := r.Confirm
	for round := range rounds(candidates) {
		pairs += candidates * r.Pairs << max(0, round-1)
		candidates = max(1, candidates/2)
	}
	return 2 * pairs
}

// simulate simulates a race of candidates with the given gains over the start. The parameter times
// multiplies the number of games. The result reports whether a winner is confirmed.
func (r *Race) simulate(gains []float64, times float64, rng *rand.Rand) bool {
	type runner struct{ gain, sum, share float64 }
	left := list.Map(gains, func(g float64) runner { return runner{gain: g} })
	pairs := math.Round(float64(r.Pairs) * times)
	for round := range rounds(len(gains)) {
		more := pairs * float64(max(1, int(1)<<round/2))
		var next []runner
		for _, c := range left {
			mean, sd := stats.Share(c.gain)
			c.sum += float64(more*mean) + float64(math.Sqrt(more)*sd*rng.NormFloat64())
			n := pairs * float64(int(1)<<round)
			c.share = c.sum / n
			if c.share > even-stats.NormalQuantile95*sd/math.Sqrt(n) {
				next = append(next, c)
			}
		}
		slices.SortStableFunc(next, func(a, b runner) int { return cmp.Compare(b.share, a.share) })
		left = next[:min(len(next), max(1, len(left)/2))]
	}
	if len(left) == 0 || left[0].share <= even {
		return false
	}
	confirm := math.Round(float64(r.Confirm) * times)
	if r.Test == nil {
		mean, sd := stats.Share(left[0].gain)
		return mean-even > (stats.NormalQuantile95-rng.NormFloat64())*sd/math.Sqrt(confirm)
	}
	return r.Test.Accepts(left[0].gain, int(confirm), rng)
}

// evolved simulates an evolution and returns the gains of its averages over its start.
func evolved(gain float64, weights, games int, rng *rand.Rand) (gains []float64) {
	start, width, best := make([]float64, weights), make([]float64, weights), make([]float64, weights)
	least, most := make([]float64, weights), make([]float64, weights)
	for i := range weights {
		width[i], best[i], least[i], most[i] = 1, float64(1-2*rng.IntN(2)), math.Inf(-1), math.Inf(1)
	}
	elo := func(x []float64) float64 {
		off := 0.0
		for i := range x {
			off += float64((x[i] - best[i]) * (x[i] - best[i]))
		}
		return gain * (1 - off/float64(weights))
	}
	averages, _, err := evolution.NewSearch(start, width, least, most, rng.Uint64()).Run(games, func(_, pairs int, mean []float64, candidates [][]float64) (points []float64, noise float64, err error) {
		for _, x := range candidates {
			share, sd := stats.Share(elo(x) - elo(mean))
			noise = sd * sd / float64(pairs)
			points = append(points, share+float64(sd/math.Sqrt(float64(pairs))*rng.NormFloat64()))
		}
		return points, noise, nil
	})
	if err != nil { // the search has degenerated, so there is no gain
		return []float64{0}
	}
	return list.Map(averages, elo)
}

func (p Power) String() string {
	if math.IsInf(p.Gain, 1) {
		return fmt.Sprintf("%d games are too few to detect a gain of 1000 Elo in 9 of 10 runs; use more games", p.Games)
	}
	half := fmt.Sprintf("about %d", p.Half)
	if p.Half == 0 {
		half = fmt.Sprintf("more than %d games, or --sprt LOW,HIGH with a smaller HIGH", mostTimes*p.Games)
	}
	return fmt.Sprintf("up to %d games are enough to detect a gain of %.0f Elo in 9 of 10 runs; detecting half that gain takes %s", p.Games, p.Gain, half)
}
