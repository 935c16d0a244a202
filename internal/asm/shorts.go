package asm

import "unsafe"

// Narrow is the number of columns that sixteen bits can tell apart.
const Narrow = 1 << 16

// DotShorts sets z[i] to the sum of w over the columns of row i, which stand in
// short[start[i]:start[i+1]]. It panics where start does not divide short.
//
// The sums go four ways, since one addition waits for the one before. Of sixteen
// bits no index leaves the table, and none is checked.
func DotShorts(z []float64, w *[Narrow]float64, start []int32, short []uint16) {
	if !AVX2 {
		dotShortsGo(z, w, start, short)
		return
	}
	if n := len(z); n > 0 {
		checkRows(start[:n+1], short)
		dotShortsAVX2(&z[0], w, &start[0], unsafe.SliceData(short), n)
	}
}

func dotShortsGo(z []float64, w *[Narrow]float64, start []int32, short []uint16) {
	for i := range z {
		var a, b, c, d float64
		cols := short[start[i]:start[i+1]]
		for ; len(cols) >= 4; cols = cols[4:] {
			a += w[cols[0]]
			b += w[cols[1]]
			c += w[cols[2]]
			d += w[cols[3]]
		}
		for _, j := range cols {
			a += w[j]
		}
		z[i] = (a + b) + (c + d)
	}
}

// AddShorts adds g[i] to dst at each column of row i; rows stand as for
// [DotShorts].
func AddShorts(dst *[Narrow]float64, g []float64, start []int32, short []uint16) {
	if !AVX2 {
		addShortsGo(dst, g, start, short)
		return
	}
	if n := len(g); n > 0 {
		checkRows(start[:n+1], short)
		addShortsAVX2(dst, &g[0], &start[0], unsafe.SliceData(short), n)
	}
}

func addShortsGo(dst *[Narrow]float64, g []float64, start []int32, short []uint16) {
	for i, v := range g {
		cols := short[start[i]:start[i+1]]
		for ; len(cols) >= 4; cols = cols[4:] {
			dst[cols[0]] += v
			dst[cols[1]] += v
			dst[cols[2]] += v
			dst[cols[3]] += v
		}
		for _, j := range cols {
			dst[j] += v
		}
	}
}

// checkRows panics where start does not divide short.
func checkRows(start []int32, short []uint16) {
	last := int32(0)
	for _, at := range start {
		if at < last {
			panic("asm: rows out of order")
		}
		last = at
	}
	_ = short[:last]
}
