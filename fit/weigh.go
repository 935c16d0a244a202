package fit

import (
	"fmt"
	"iter"
	"math"

	"plyfit/datasets"
	"plyfit/internal/elementary"
)

// Sample weights by where a position comes from, as factors:
//
//	phase=W    from 1 at an episode's first position to W at its last
//	horizon=G  G for each ply to the episode's last position: outcomes say less of what is far from them
//	age=W      from W at the first episode of the data set to 1 at the last
//	quiet=W    W for positions that are not quiet
var weighing = map[string]func(w float64) bool{
	"phase":   func(w float64) bool { return w > 0 },
	"horizon": func(w float64) bool { return w > 0 && w <= 1 },
	"age":     func(w float64) bool { return w > 0 && w <= 1 },
	"quiet":   func(w float64) bool { return w > 0 && w <= 1 },
}

func checkWeigh(weigh map[string]float64) error {
	for _, key := range sortedKeys(weigh) {
		ok, known := weighing[key]
		if !known {
			return fmt.Errorf("weigh %s=%v: want phase, horizon, age or quiet", key, weigh[key])
		}
		if w := weigh[key]; math.IsInf(w, 0) || !ok(w) {
			return fmt.Errorf("weigh %s=%v: want a number above 0, and at most 1 but for phase", key, w)
		}
	}
	return nil
}

// weigher is the weight of a record by phase, horizon and age; nil where none of
// them is asked for.
func weigher(weigh map[string]float64, episodes int, records func() iter.Seq2[*datasets.Record, error]) (func(r *datasets.Record) float64, error) {
	phase, byPhase := weigh["phase"]
	horizon, byHorizon := weigh["horizon"]
	age, byAge := weigh["age"]
	if !byPhase && !byHorizon && !byAge {
		return nil, nil
	}
	// The first and the last recorded ply of every episode.
	span := make([][2]int32, episodes)
	seen := make([]bool, episodes)
	if byPhase || byHorizon {
		for r, err := range records() {
			if err != nil {
				return nil, err
			}
			if s := &span[r.Episode]; seen[r.Episode] {
				s[0], s[1] = min(s[0], r.Ply), max(s[1], r.Ply)
			} else {
				*s, seen[r.Episode] = [2]int32{r.Ply, r.Ply}, true
			}
		}
	}
	return func(r *datasets.Record) float64 {
		w, s := 1.0, span[r.Episode]
		if byPhase && s[1] > s[0] {
			w *= 1 + (phase-1)*float64(r.Ply-s[0])/float64(s[1]-s[0])
		}
		if byHorizon {
			w *= elementary.Pow(horizon, float64(s[1]-r.Ply))
		}
		if byAge && episodes > 1 {
			w *= age + (1-age)*float64(r.Episode)/float64(episodes-1)
		}
		return w
	}, nil
}
