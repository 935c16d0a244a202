package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"

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
	return slices.Index(seen, false)
}

// bradleyTerry finds the strengths under which entrant i wins a share p_i/(p_i+p_j) of its games
// with j, and returns their logarithms, of mean 0: by the iteration of Newman ("Efficient
// computation of rankings from pairwise comparisons", JMLR 24, 2023), which converges where the
// likelihood has a peak.
func bradleyTerry(n int, met []Encounter) ([]float64, error) {
	type played struct {
		other     int
		won, lost float64
	}
	games := make([][]played, n)
	for _, e := range met {
		won := float64(e.Pairs * e.Score)
		games[e.A] = append(games[e.A], played{e.B, won, e.Pairs - won})
		games[e.B] = append(games[e.B], played{e.A, e.Pairs - won, won})
	}
	theta, strength := make([]float64, n), slices.Repeat([]float64{1}, n)
	for range 1_000_000 {
		moved := 0.0
		for i, own := range games {
			up, down := 0.0, 0.0
			for _, g := range own {
				both := strength[i] + strength[g.other]
				up += float64(g.won*strength[g.other]) / both
				down += g.lost / both
			}
			next := up / down
			moved = max(moved, math.Abs(next/strength[i]-1))
			strength[i] = next
		}
		if moved > 1e-13 {
			continue
		}
		mean := 0.0
		for i, p := range strength {
			theta[i] = elementary.Log(p)
			mean += theta[i] / float64(n)
		}
		for i := range theta {
			theta[i] -= mean
		}
		return theta, nil
	}
	return nil, errors.New("ratings: the encounters do not tell them apart")
}
