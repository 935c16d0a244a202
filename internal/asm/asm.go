// Package asm contains inner loops that also have assembly versions, for column products, Othello
// discs and weight tables. No other package in this module uses assembly.
//
// The AVX2 kernels follow the same convention. The exported function checks the lengths and chooses
// an implementation. The Go implementation has the same name in lower case with the suffix Go, and
// is in the same file. The amd64 implementation is in the file with the suffix _amd64.s, has the
// suffix AVX2, and gives identical bits: the same sums in the same order, with products rounded
// before they are added and never fused. The kernels in places_amd64.s also give identical bits.
// They do not need AVX2, so their names have no suffix. Tests compare the versions. A new kernel
// should be written in Go first, with assembly added only if a benchmark shows a benefit.
package asm

import "unsafe"

// Lanes is the number of separate sums in a dot product. Because they are separate, additions need
// not wait for each other.
const Lanes = 16

// DotLanes returns the sum of a[i]*b[i]. The length must be a multiple of [Lanes]. The sum is
// computed in lanes i mod 16, which are added in the order used by a vector machine.
func DotLanes(a, b []float64) float64 {
	if !AVX2 || len(a) == 0 {
		return dotLanesGo(a, b)
	}
	_ = b[len(a)-1]
	return dotLanesAVX2(&a[0], &b[0], len(a))
}

func dotLanesGo(a, b []float64) float64 {
	var s [Lanes]float64
	for ; len(a) >= Lanes; a, b = a[Lanes:], b[Lanes:] {
		x, y := a[:Lanes], b[:Lanes]
		for k := range s {
			s[k] += float64(x[k] * y[k])
		}
	}
	var four [4]float64
	for k := range four {
		four[k] = (s[k] + s[k+4]) + (s[k+8] + s[k+12])
	}
	return (four[0] + four[2]) + (four[1] + four[3])
}

// Prefetch loads the weights of a table at the given indices into the cache, for use about a
// hundred nanoseconds later. It neither waits nor changes any values. The Go version does nothing.
func Prefetch(table []float32, at []int32) { prefetch(&table[0], &at[0], len(at)) }

// PrefetchLine is like [Prefetch], but loads the cache line that p points into.
func PrefetchLine(p unsafe.Pointer) { prefetchLine(p) }

// TileRows and TileCols are the dimensions of the tile that [Tile] computes.
const TileRows, TileCols = 4, 8

// Tile sets acc[a][b] to the sum, over the rows of a block, of column i+a times column j+b. Each
// row has length stride, and rows are added in order.
func Tile(acc *[TileRows * TileCols]float64, block []float64, stride, rows, i, j int) {
	if !AVX2 {
		tileGo(acc, block, stride, rows, i, j)
		return
	}
	_ = block[rows*stride-1]
	tileAVX2(acc, &block[i], &block[j], stride, rows)
}

func tileGo(acc *[TileRows * TileCols]float64, block []float64, stride, rows, i, j int) {
	// Two by four sums are computed at a time, because eight sums and their operands fit into the
	// sixteen registers of the smallest machine.
	for a := 0; a < TileRows; a += 2 {
		for b := 0; b < TileCols; b += 4 {
			var s00, s01, s02, s03, s10, s11, s12, s13 float64
			for r := range rows {
				row := block[r*stride : (r+1)*stride]
				p, q := row[i+a:i+a+2], row[j+b:j+b+4]
				p0, p1 := p[0], p[1]
				q0, q1, q2, q3 := q[0], q[1], q[2], q[3]
				s00 += float64(p0 * q0)
				s01 += float64(p0 * q1)
				s02 += float64(p0 * q2)
				s03 += float64(p0 * q3)
				s10 += float64(p1 * q0)
				s11 += float64(p1 * q1)
				s12 += float64(p1 * q2)
				s13 += float64(p1 * q3)
			}
			u, v := acc[a*TileCols+b:][:4], acc[(a+1)*TileCols+b:][:4]
			u[0], u[1], u[2], u[3] = s00, s01, s02, s03
			v[0], v[1], v[2], v[3] = s10, s11, s12, s13
		}
	}
}
