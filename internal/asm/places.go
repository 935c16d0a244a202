package asm

import "unsafe"

// Changes is what temporal coherence keeps of a weight: the sum of its changes and the sum of their
// sizes. The two lie side by side, so that both come with one line of memory.
type Changes struct{ Sum, Size float32 }

// Numbers are the two sums of each of changes, in the same memory.
func Numbers(changes []Changes) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(changes))), 2*len(changes))
}

// SumsAt adds up weights of a table, by their places there, n for each sum, in four parts that do
// not wait for each other. It panics at a place outside of the table.
//
// Several goroutines may run this kernel and the two below over one table at once, if a change that
// is lost now and then does no harm: a number of 32 bits is read and written in one piece (The Go
// Memory Model), and the race detector ignores the kernels.
func SumsAt(table []float32, at []int32, n int, sums []float32) {
	if len(at) < n*len(sums) {
		panic("asm: want n places for each sum")
	}
	within(sumsAt(table, at, n, sums))
}

// within panics where a place was outside of the table.
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

// AddAt adds the step to weights of a table, by their places there; to one that is named twice,
// twice. With again it returns the sum of these weights afterwards, as SumsAt does, else 0.
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

// AddCoherent moves weights of a table by |sum of changes|/sum of their sizes of the
// step, by all of it where nothing has changed yet; the change and its size then join
// the sums of each. It returns what AddAt does.
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

// PrefetchChanges is [Prefetch] of changes.
func PrefetchChanges(changes []Changes, at []int32) {
	prefetchChanges(&changes[0], &at[0], len(at))
}
