//go:build amd64

package asm

import "unsafe"

// AVX2 reports whether the processor has AVX2 and the system saves 256-bit registers.
var AVX2 = hasAVX2()

func hasAVX2() bool

//go:noescape
func dotLanesAVX2(a, b *float64, n int) float64

//go:noescape
func tileAVX2(acc *[TileRows * TileCols]float64, a, b *float64, stride, rows int)

//go:noescape
func placeDiscsAVX2(dst *Placed, own, opp, squares uint64) int

//go:noescape
func prefetch(table *float32, at *int32, n int)

//go:noescape
func prefetchLine(p unsafe.Pointer)

//go:noescape
func sumsAt(table []float32, at []int32, n int, sums []float32) (ok bool)

//go:noescape
func addAt(table []float32, at []int32, step float32, again bool) (sum float32, ok bool)

//go:noescape
func addCoherent(table []float32, changes []Changes, at []int32, step, change, size float32, again bool) (sum float32, ok bool)

//go:noescape
func prefetchChanges(changes *Changes, at *int32, n int)

//go:noescape
func tuplePlacesAVX2(t *Tuples, boards []uint64, at []int32)

//go:noescape
func lastMovesAVX2(moves *[1 << 16]uint64, worths *[2 << 16]float64, lines *[8]Line, empty uint64, base, extra, most float64) (twos, fours float64, legal int64)
