package features

import (
	"fmt"
	"math"

	"plyfit/models"
)

// Phased returns the block of a term whose weight changes during the game. It has n weights, named
// name@0, name@1 and so on, for n equidistant phases from 0 to 1. Between these phases, the weight
// is interpolated linearly.
func Phased(name string, n int) Block {
	if n < 1 {
		panic(fmt.Sprintf("features: %s in %d phases", name, n))
	}
	return Block{Name: name, Len: n, Label: func(i int) string { return fmt.Sprintf("%s@%d", name, i) }}
}

// A Phase is a position between two of the points of [Phased] terms.
type Phase struct {
	at     int32   // index of the preceding point
	lo, hi float32 // fractions for the preceding and the next point
}

// PhaseAt returns the Phase for n points. phase is clamped to [0, 1].
func PhaseAt(phase float64, n int) Phase {
	t := float64(math.Min(math.Max(phase, 0), 1) * float64(n-1))
	at := min(int(t), max(n-2, 0))
	hi := float32(t - float64(at))
	return Phase{int32(at), 1 - hi, hi}
}

// Shares returns the index of the preceding point, and the fractions of a value that belong to that
// point and to the next one.
func (p Phase) Shares() (at int32, lo, hi float32) { return p.at, p.lo, p.hi }

// Append appends a phased term. first is the feature of its first weight. The term's value is
// divided between the two points next to the phase.
func (p Phase) Append(x models.Vector, first int32, value float32) models.Vector {
	if lo := value * p.lo; lo != 0 {
		x = append(x, models.Term{Index: first + p.at, Value: lo})
	}
	if hi := value * p.hi; hi != 0 {
		x = append(x, models.Term{Index: first + p.at + 1, Value: hi})
	}
	return x
}

// AppendCounts appends phased terms with n points each, beginning with feature 0. Their values are
// the elements of counts, minus those of other if it is not nil.
func (p Phase) AppendCounts(x models.Vector, n int32, counts, other []int) models.Vector {
	for i, count := range counts {
		if other != nil {
			count -= other[i]
		}
		if count != 0 {
			x = p.Append(x, int32(i)*n, float32(count))
		}
	}
	return x
}
