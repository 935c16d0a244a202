package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"plyfit/internal/elementary"
)

// An Encounter is the summary of a match between two entrants, as used for ratings.
type Encounter struct {
	A, B  int     // numbers of the entrants
	Pairs float64 // effective number of independent pairs
	Score float64 // A's mean fraction of the points, in [0, 1]
}

// Rate fits ratings of n entrants jointly by maximum likelihood in the model of Bradley and Terry
// (Biometrika 39, 1952). In this model, A scores 1/(1+10^(-(a-b)/400)) against B, where a draw
// counts as half a win. The ratings are Elo with mean 0.
//
// The likelihood has no maximum if a group of entrants has won or lost every game against the rest
// (Ford, American Mathematical Monthly 64, 1957). If there is such a group, Rate adds one drawn
// pair to each encounter and explains this in note. It returns an error if the entrants are not
// connected by games.
func Rate(n int, encounters []Encounter) (ratings []float64, note string, err error) {
	var played []Encounter
	for _, e := range encounters {
		if e.A < 0 || e.A >= n || e.B < 0 || e.B >= n || e.A == e.B || !(e.Score >= 0 && e.Score <= 1) || !(e.Pairs >= 0) {
			panic(fmt.Sprintf("stats: invalid encounter %+v for %d entrants", e, n))
		}
		if e.Pairs > 0 {
			played = append(played, e)
		}
	}
	if n == 0 {
		return nil, "", nil
	}
	if k := unreached(n, played, func(Encounter) (bool, bool) { return true, true }); k >= 0 {
		return nil, "", fmt.Errorf("ratings: no chain of games connects entrants 1 and %d", k+1)
	}
	beats := func(e Encounter) (bool, bool) { return e.Score > 0, e.Score < 1 }
	beaten := func(e Encounter) (bool, bool) { return e.Score < 1, e.Score > 0 }
	if unreached(n, played, beats) >= 0 || unreached(n, played, beaten) >= 0 {
		note = "Some entrants won or lost every game against the rest. No finite rating explains this, so one drawn pair was added to each encounter."
		for i := range played {
			played[i].Score = (float64(played[i].Score*played[i].Pairs) + 0.5) / (played[i].Pairs + 1)
			played[i].Pairs++
		}
	}
	ratings, err = bradleyTerry(n, played)
	if err != nil {
		return nil, "", err
	}
	unit := 400 / math.Ln10
	for i := range ratings {
		ratings[i] *= unit
	}
	return ratings, note, nil
}

// unreached returns an entrant that cannot be reached from the first one, or -1 if there is none.
// The callback edge reports whether an encounter has an edge from A to B, and whether it has one
// from B to A.
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

// bradleyTerry fits strengths p and returns their logarithms, shifted to mean 0. In this model,
// entrant i wins the fraction p_i/(p_i+p_j) of its games against j. It uses the iteration of Newman
// ("Efficient computation of rankings from pairwise comparisons", JMLR 24, 2023), which converges
// if the likelihood has a maximum.
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
	return nil, errors.New("ratings: the iteration did not converge")
}
