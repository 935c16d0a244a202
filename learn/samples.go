package learn

import (
	"iter"
	"maps"
	"math"
	"slices"

	"plyfit/datasets"
	"plyfit/models"
)

// Filter is those samples that Keep tells.
type Filter struct {
	Data datasets.Samples
	Keep func(s *datasets.Sample) bool
}

var _ datasets.Samples = Filter{}

func (f Filter) All() iter.Seq2[*datasets.Sample, error] {
	return datasets.Those(f.Data.All(), f.Keep)
}

// Centred subtracts from every sample the mean of its choice, the run of samples with the same
// Choice, such as the moves of one position. A model distilled from another's evaluations thus
// spends its few weights on the differences between alternatives, not on the position's value.
// Weights count in the means; a choice of one sample is left out. The bias cancels, so a fit keeps
// the prior's.
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
			// The mean vector, taken from every row as further terms.
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
					// A feature that all share leaves but rounding.
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

// Transition is one step of an episode for temporal differences: from a state with features X to
// the next, with features Next, or to the end. All values are in player 0's view: for the other
// player's, the signs of the features and the bias column are flipped.
type Transition struct {
	X        models.Vector
	Next     models.Vector // not used if Terminal
	Terminal bool          // the episode ends with this step
	// Reward is player 0's on this step; in games that pay at the end, the outcome at Terminal,
	// else 0.
	Reward  float64
	Episode uint64
	// Position identifies the position of X; 0 if unknown.
	Position uint64
	Weight   float64 // 1 unless a fit says otherwise
	// Fresh means that the step to X is no evidence for earlier ones: the move was random, or
	// positions between were left out. The trace restarts. An episode's first step is always fresh.
	Fresh bool
}

// Transitions hands out steps by episode and in time order, the same every time. The Transition
// and its vectors are valid until the next one; an error ends the sequence. An episode that was
// cut off has no Terminal step.
type Transitions interface {
	All() iter.Seq2[*Transition, error]
}
