package learn

import (
	"iter"
	"maps"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/models"
)

// Filter contains the samples of Data for which Keep returns true.
type Filter struct {
	Data datasets.Samples
	Keep func(s *datasets.Sample) bool
}

var _ datasets.Samples = Filter{}

func (f Filter) All() iter.Seq2[*datasets.Sample, error] {
	return datasets.Those(f.Data.All(), f.Keep)
}

// Centred subtracts from every sample the mean of the samples that belong to the same choice. A
// choice is a run of samples for which Choice returns the same number, such as the moves at one
// position. If a small model is distilled from another model's evaluations, it can then use its few
// weights for the differences between alternatives rather than for the value of the position. The
// means are weighted. Choices with a single sample are dropped. The bias cancels out, so a fit
// keeps the prior's bias.
type Centred struct {
	Data   datasets.Samples
	Choice func(s *datasets.Sample) uint64
}

var _ datasets.Samples = Centred{}

func (c Centred) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		var group []datasets.Sample
		var terms models.Vector
		flush := func() bool {
			defer func() { group, terms = group[:0], terms[:0] }()
			if len(group) < 2 {
				return true
			}
			total, y := 0.0, 0.0
			for i := range group {
				total += group[i].Weight
				y += float64(group[i].Weight * group[i].Y)
			}
			if !(total > 0) {
				return true
			}
			// Subtract the mean vector from every row.
			mean := map[int32]float64{}
			for i := range group {
				for _, t := range group[i].X {
					mean[t.Index] += group[i].Weight * float64(t.Value) / total
				}
			}
			indices := slices.Sorted(maps.Keys(mean))
			var x models.Vector
			dense := map[int32]float64{}
			for i := range group {
				s := group[i]
				clear(dense)
				for _, t := range s.X {
					dense[t.Index] += float64(t.Value)
				}
				x = x[:0]
				for _, j := range indices {
					// If all samples share a feature, only a rounding error remains.
					v := dense[j] - mean[j]
					if math.Abs(v) > 1e-9*(math.Abs(dense[j])+math.Abs(mean[j])) {
						x = append(x, models.Term{Index: j, Value: float32(v)})
					}
				}
				s.X, s.Y = x, s.Y-y/total
				if !yield(&s, nil) {
					return false
				}
			}
			return true
		}
		last := uint64(0)
		for s, err := range c.Data.All() {
			if err != nil {
				yield(nil, err)
				return
			}
			id := c.Choice(s)
			if len(group) > 0 && id != last && !flush() {
				return
			}
			last = id
			k := len(terms)
			terms = append(terms, s.X...)
			copied := *s
			copied.X = terms[k:len(terms):len(terms)]
			group = append(group, copied)
		}
		flush()
	}
}

// A Transition is one step of an episode for temporal differences. It leads from a state with
// features X to a state with features Next, or to the end of the episode. All values are from
// player 0's point of view. For positions from the other player's point of view, the signs of the
// features and of the bias column are reversed.
type Transition struct {
	X        models.Vector
	Next     models.Vector // not used if Terminal
	Terminal bool          // the episode ends with this step
	// Reward is player 0's reward for this step. In games that pay only at the end, it is the
	// outcome if Terminal is set and otherwise 0.
	Reward  float64
	Episode uint64
	// Position identifies the position of X; 0 if unknown.
	Position uint64
	Weight   float64 // 1 unless a fit requires another weight
	// Fresh reports that the step that led to X is no evidence about earlier steps, because the
	// move was random or positions were left out in between. The trace restarts in that case. The
	// first step of an episode is always fresh.
	Fresh bool
}

// Transitions provides steps by episode and in chronological order. The sequence is the same every
// time. A Transition and its vectors are valid until the next one is provided. An error ends the
// sequence. If an episode was cut off, it has no Terminal step.
type Transitions interface {
	All() iter.Seq2[*Transition, error]
}
