package learn

import (
	"unsafe"

	"plyfit/internal/dense"
	"plyfit/internal/elementary"
)

// avx tells whether the processor and the system keep 256-bit registers.
var avx = dense.AVX2

// tileAVX is tileGeneric on 256-bit registers: the same sums in the same order.
//
//go:noescape
func tileAVX(acc *[tileRows * tileCols]float64, a, b *float64, stride, rows int)

func tile(acc *[tileRows * tileCols]float64, block []float64, stride, rows, i, j int) {
	if !avx {
		tileGeneric(acc, block, stride, rows, i, j)
		return
	}
	_ = block[rows*stride-1]
	tileAVX(acc, &block[i], &block[j], stride, rows)
}

// reflect4AVX is reflect4Generic on 256-bit registers: the same sums in the
// same order.
//
//go:noescape
func reflect4AVX(v, block, r *float64, tau float64)

func reflect4(v, block, r []float64, tau float64) {
	if !avx {
		reflect4Generic(v, block, r, tau)
		return
	}
	_, _, _ = v[qrRows-1], block[4*qrRows-1], r[3]
	reflect4AVX(&v[0], &block[0], &r[0], tau)
}

// dotShortsAVX is dotShortsGeneric with the same sums in the same order.
//
//go:noescape
func dotShortsAVX(z *float64, w *[narrow]float64, start *int32, short *uint16, rows int)

func dotShorts(z []float64, w *[narrow]float64, start []int32, short []uint16) {
	if !avx {
		dotShortsGeneric(z, w, start, short)
		return
	}
	if n := len(z); n > 0 && checkChunk(start[:n+1], short) {
		dotShortsAVX(&z[0], w, &start[0], unsafe.SliceData(short), n)
	}
}

// addShortsAVX is addShortsGeneric with the same sums in the same order.
//
//go:noescape
func addShortsAVX(dst *[narrow]float64, slopes *float64, start *int32, short *uint16, rows int)

func addShorts(dst *[narrow]float64, g []float64, start []int32, short []uint16) {
	if !avx {
		addShortsGeneric(dst, g, start, short)
		return
	}
	if n := len(g); n > 0 && checkChunk(start[:n+1], short) {
		addShortsAVX(dst, &g[0], &start[0], unsafe.SliceData(short), n)
	}
}

// checkChunk panics where start does not divide short.
func checkChunk(start []int32, short []uint16) bool {
	last := int32(0)
	for _, at := range start {
		if at < last {
			panic("learn: rows of a chunk out of order")
		}
		last = at
	}
	_ = short[:last]
	return true
}

// judgeFoursAVX is judgeFoursGeneric on 256-bit registers: the same sums and
// products in the same order. A row whose sum is beyond 700 or not a number ends
// it; it returns how many rows it took.
//
//go:noescape
func judgeFoursAVX(sum, product *[4]float64, scale float64, z, q *float64, halves *[64]float64, rows int) int

func judgeFours(sum, product *[4]float64, scale float64, z, q []float64) int {
	n := len(z) &^ 3
	if !avx || n == 0 {
		return judgeFoursGeneric(sum, product, scale, z, q)
	}
	_ = q[n-1]
	done := 0
	for done < n {
		if done += judgeFoursAVX(sum, product, scale, &z[done], &q[done], &elementary.Roots, n-done); done < n {
			done += judgeFoursGeneric(sum, product, scale, z[done:done+4], q[done:done+4])
		}
	}
	return n
}
