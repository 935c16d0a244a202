package asm

import "unsafe"

// Changes contains a weight's temporal-coherence state: the sum of its changes and the sum of their
// absolute values. The two are adjacent, so that one cache line contains both.
type Changes struct{ Sum, Size float32 }

// Numbers returns the sums in changes as a slice that shares their memory, with two numbers for
// each weight.
func Numbers(changes []Changes) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(changes))), 2*len(changes))
}

// SumsAt computes sums of weights in a table. Each sum is over n of the given indices. It uses four
// partial sums that do not wait for each other. It panics if an index is out of range.
//
// Several goroutines may run this kernel and the two below on the same table if an occasional lost
// change does no harm. 32-bit numbers are read and written without tearing (The Go Memory Model),
// and the race detector ignores the kernels.
func SumsAt(table []float32, at []int32, n int, sums []float32) {
	if len(at) < n*len(sums) {
		panic("asm: want n places for each sum")
	}
	within(sumsAt(table, at, n, sums))
}

// within panics if an index was out of range.
func within(ok bool) {
	if !ok {
		panic("asm: want places in the table")
	}
}

func sumsAtGo(table []float32, at []int32, n int, sums []float32) (ok bool) {
	for i := range sums {
		sums[i] = sumAtGo(table, at[n*i:n*i+n])
	}
	return true
}

//go:norace
func sumAtGo(table []float32, at []int32) float32 {
	var a, b, c, d float32
	for ; len(at) >= 4; at = at[4:] {
		a += table[at[0]]
		b += table[at[1]]
		c += table[at[2]]
		d += table[at[3]]
	}
	for _, i := range at {
		a += table[i]
	}
	return (a + b) + (c + d)
}

// AddAt adds step to the weights of a table at the given indices. A weight that is listed twice is
// changed twice. If asked to (the parameter again), AddAt returns the sum of these weights after
// the change, like SumsAt. Otherwise, it returns 0.
func AddAt(table []float32, at []int32, step float32, again bool) float32 {
	sum, ok := addAt(table, at, step, again)
	within(ok)
	return sum
}

//go:norace
func addAtGo(table []float32, at []int32, step float32, again bool) (sum float32, ok bool) {
	for _, i := range at {
		table[i] += step
	}
	if again {
		return sumAtGo(table, at), true
	}
	return 0, true
}

// AddCoherent adds the step, multiplied by |sum of changes|/(sum of their absolute values), to the
// weights of a table at the given indices. If a weight has no changes yet, the factor is 1. The
// change and its absolute value are then added to the sums of each weight. AddCoherent returns the
// same sum as AddAt.
func AddCoherent(table []float32, changes []Changes, at []int32, step, change, size float32, again bool) float32 {
	if len(changes) != len(table) {
		panic("asm: want as many changes as weights")
	}
	sum, ok := addCoherent(table, changes, at, step, change, size, again)
	within(ok)
	return sum
}

//go:norace
func addCoherentGo(table []float32, changes []Changes, at []int32, step, change, size float32, again bool) (sum float32, ok bool) {
	for _, i := range at {
		c := &changes[i]
		sum, total, s := c.Sum, c.Size, step
		if total > 0 {
			s = float32(s * (max(sum, -sum) / total))
		}
		c.Sum = sum + change
		c.Size = total + size
		table[i] += s
	}
	if again {
		return sumAtGo(table, at), true
	}
	return 0, true
}

// PrefetchChanges is like [Prefetch] for changes.
func PrefetchChanges(changes []Changes, at []int32) {
	prefetchChanges(&changes[0], &at[0], len(at))
}
