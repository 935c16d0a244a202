//go:build !amd64

package asm

import "unsafe"

// AVX2 reports whether AVX2 is available.
const AVX2 = false

// The assembly versions are not called if AVX2 is false.

func dotLanesAVX2(a, b *float64, n int) float64 { panic("asm: no AVX2") }

func placeDiscsAVX2(dst *Placed, own, opp, squares uint64) int { panic("asm: no AVX2") }

func tileAVX2(acc *[TileRows * TileCols]float64, a, b *float64, stride, rows int) {
	panic("asm: no AVX2")
}

func lastMovesAVX2(moves *[1 << 16]uint64, worths *[2 << 16]float64, lines *[8]Line, empty uint64, base, extra, most float64) (twos, fours float64, legal int64) {
	panic("asm: no AVX2")
}

func prefetch(table *float32, at *int32, n int) {}

func prefetchLine(p unsafe.Pointer) {}

func prefetchChanges(changes *Changes, at *int32, n int) {}

func tuplePlacesAVX2(t *Tuples, boards []uint64, at []int32) { panic("asm: no AVX2") }

func sumsAt(table []float32, at []int32, n int, sums []float32) (ok bool) {
	return sumsAtGo(table, at, n, sums)
}

func addAt(table []float32, at []int32, step float32, again bool) (sum float32, ok bool) {
	return addAtGo(table, at, step, again)
}

func addCoherent(table []float32, changes []Changes, at []int32, step, change, size float32, again bool) (sum float32, ok bool) {
	return addCoherentGo(table, changes, at, step, change, size, again)
}
