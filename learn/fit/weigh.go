package fit

import (
	"fmt"
	"iter"
	"math"

	"plyfit/datasets"
	"plyfit/internal/elementary"
)

// RowWeights are sample weights by where a position comes from, as factors. 0 leaves
// a factor out; each must be above 0, and at most 1 but for Phase.
type RowWeights struct {
	Phase   float64 // from 1 at an episode's first position to this at its last
	Horizon float64 // this for each ply to the episode's last position: outcomes say less of what is far from them
	Age     float64 // from this at the first episode of the data set to 1 at the last
	Quiet   float64 // this for positions that are not quiet
}

// factor is one of the weights, with the name that the command and models have for it.
type factor struct {
	name  string
	value float64
}

// factors are those that are not left out, by name.
func (w RowWeights) factors() (out []factor) {
	for _, f := range []factor{{"age", w.Age}, {"horizon", w.Horizon}, {"phase", w.Phase}, {"quiet", w.Quiet}} {
		if f.value != 0 {
			out = append(out, f)
		}
	}
	return out
}

func (w RowWeights) check() error {
	for _, f := range w.factors() {
		if !(f.value > 0) || math.IsInf(f.value, 0) || f.value > 1 && f.name != "phase" {
			return fmt.Errorf("weigh %s=%v: want a number above 0, and at most 1 but for phase", f.name, f.value)
		}
	}
	return nil
}

// weigher is the weight of a record by phase, horizon and age; nil where none of
// them is asked for.
func (w RowWeights) weigher(episodes int, records func() iter.Seq2[*datasets.Record, error]) (func(r *datasets.Record) float64, error) {
	if w.Phase == 0 && w.Horizon == 0 && w.Age == 0 {
		return nil, nil
	}
	// The first and the last recorded ply of every episode.
	span := make([][2]int32, episodes)
	seen := make([]bool, episodes)
	if w.Phase != 0 || w.Horizon != 0 {
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
		weight, s := 1.0, span[r.Episode]
		if w.Phase != 0 && s[1] > s[0] {
			weight *= 1 + (w.Phase-1)*float64(r.Ply-s[0])/float64(s[1]-s[0])
		}
		if w.Horizon != 0 {
			weight *= elementary.Pow(w.Horizon, float64(s[1]-r.Ply))
		}
		if w.Age != 0 && episodes > 1 {
			weight *= w.Age + (1-w.Age)*float64(r.Episode)/float64(episodes-1)
		}
		return weight
	}, nil
}
