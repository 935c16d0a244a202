package stats

import (
	"errors"
	"fmt"
	"math"

	"plyfit/internal/dense"
	"plyfit/internal/elementary"
)

// Encounter is what a match between two entrants tells a rating.
type Encounter struct {
	A, B  int     // who, as numbered by the caller
	Pairs float64 // independent ones: those that would tell as much
	Score float64 // A's mean share of the points, in [0, 1]
}

// Rate fits ratings of n entrants jointly by maximum likelihood in Bradley and Terry's model
// (Biometrika 39, 1952), A scoring 1/(1+10^(-(a-b)/400)) against B, a draw being half a win. The
// ratings are Elo with mean 0.
//
// The likelihood has a peak only if no group of entrants won, or lost, every game against the rest
// (Ford, American Mathematical Monthly 64, 1957). If one did, one drawn pair is added to each
// encounter, reported in note. Entrants that no chain of games connects are an error.
func Rate(n int, encounters []Encounter) (ratings []float64, note string, err error) {
	var met []Encounter
	for _, e := range encounters {
		if e.A < 0 || e.A >= n || e.B < 0 || e.B >= n || e.A == e.B || !(e.Score >= 0 && e.Score <= 1) || !(e.Pairs >= 0) {
			panic(fmt.Sprintf("stats: encounter %+v of %d entrants", e, n))
		}
		if e.Pairs > 0 {
			met = append(met, e)
		}
	}
	if n == 0 {
		return nil, "", nil
	}
	if k := unreached(n, met, func(Encounter) (bool, bool) { return true, true }); k >= 0 {
		return nil, "", fmt.Errorf("ratings: no chain of games connects entrants 1 and %d", k+1)
	}
	beats := func(e Encounter) (bool, bool) { return e.Score > 0, e.Score < 1 }
	beaten := func(e Encounter) (bool, bool) { return e.Score < 1, e.Score > 0 }
	if unreached(n, met, beats) >= 0 || unreached(n, met, beaten) >= 0 {
		note = "Some won or lost every game against the rest, which no finite rating explains: one drawn pair was added to each encounter."
		for i := range met {
			met[i].Score = (float64(met[i].Score*met[i].Pairs) + 0.5) / (met[i].Pairs + 1)
			met[i].Pairs++
		}
	}
	ratings, err = bradleyTerry(n, met)
	if err != nil {
		return nil, "", err
	}
	unit := 400 / math.Ln10
	for i := range ratings {
		ratings[i] *= unit
	}
	return ratings, note, nil
}

// unreached is an entrant without a path from the first, -1 if there is none. edge reports whether
// paths lead from A to B and from B to A.
func unreached(n int, met []Encounter, edge func(Encounter) (ab, ba bool)) int {
	seen := make([]bool, n)
	seen[0] = true
	for grew := true; grew; {
		grew = false
		for _, e := range met {
			ab, ba := edge(e)
			if seen[e.A] && !seen[e.B] && ab || seen[e.B] && !seen[e.A] && ba {
				seen[e.A], seen[e.B], grew = true, true, true
			}
		}
	}
	for i, ok := range seen {
		if !ok {
			return i
		}
	}
	return -1
}

// bradleyTerry maximises sum N (s ln E + (1-s) ln(1-E)), E = 1/(1+exp(-(a-b))). Subtracting the
// square of the sum of all theta picks the solution with mean 0 among those equal up to a shift.
func bradleyTerry(n int, met []Encounter) ([]float64, error) {
	total := 0.0
	for _, e := range met {
		total += e.Pairs
	}
	// The sum of -ln likelihood and its slope, a pair of games weighing 1/total.
	value := func(theta, slope []float64) float64 {
		f, sum := 0.0, 0.0
		for _, x := range theta {
			sum += x
		}
		for i := range slope {
			slope[i] = sum
		}
		for _, e := range met {
			d := theta[e.A] - theta[e.B]
			// -ln E = ln(1+exp(-d)), -ln(1-E) = d + the same.
			f += float64(e.Pairs / total * (softplus(-d) + float64((1-e.Score)*d)))
			g := float64(e.Pairs / total * (expected(theta, e) - e.Score))
			slope[e.A] += g
			slope[e.B] -= g
		}
		return f + float64(sum*sum/2)
	}
	// Newton's method; the sum is convex, so that halving a step ends.
	theta, slope := make([]float64, n), make([]float64, n)
	f := value(theta, slope)
	for range 200 {
		if norm(slope) < 1e-12 {
			break
		}
		step := append([]float64(nil), slope...)
		if !dense.Factor(information(theta, met, 1/total), n).Solve(step) {
			return nil, errors.New("ratings: the encounters do not tell them apart")
		}
		next, nextSlope := append([]float64(nil), theta...), make([]float64, n)
		size, lower := 1.0, false
		for ; size > 1e-6 && !lower; size /= 2 {
			for i := range next {
				next[i] = theta[i] - float64(size*step[i])
			}
			g := value(next, nextSlope)
			// Near the end f moves less than it is rounded; then the slope tells.
			if lower = g < f || norm(nextSlope) < norm(slope); lower {
				f = g
			}
		}
		if !lower {
			break
		}
		copy(theta, next)
		copy(slope, nextSlope)
	}
	if !(norm(slope) < 1e-6) {
		return nil, fmt.Errorf("ratings: stopped at a slope of %.3g", norm(slope))
	}
	return theta, nil
}

func norm(x []float64) float64 {
	most := 0.0
	for _, v := range x {
		most = math.Max(most, math.Abs(v))
	}
	return most
}

func expected(theta []float64, e Encounter) float64 {
	return 1 / (1 + elementary.Exp(theta[e.B]-theta[e.A]))
}

func softplus(x float64) float64 {
	if x > 0 {
		return x + elementary.Log1p(elementary.Exp(-x))
	}
	return elementary.Log1p(elementary.Exp(x))
}

// information is the matrix of second derivatives, row by row, with encounters multiplied by
// scale.
func information(theta []float64, met []Encounter, scale float64) []float64 {
	n := len(theta)
	h := make([]float64, n*n)
	for i := range h {
		h[i] = 1
	}
	for _, e := range met {
		x := expected(theta, e)
		w := float64(scale * e.Pairs * x * (1 - x))
		h[e.A*n+e.A] += w
		h[e.B*n+e.B] += w
		h[e.A*n+e.B] -= w
		h[e.B*n+e.A] -= w
	}
	return h
}
