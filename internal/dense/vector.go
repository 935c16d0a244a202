// Package dense provides arithmetic on vectors and square matrices with bit-identical results on
// every machine. Sums are computed in a fixed order, and every product is rounded before it is
// added. (Libraries that use assembly add in a different order.)
package dense

import (
	"bytes"
	"encoding/binary"
	"math"
	"unsafe"

	"plyfit/internal/asm"
)

// Dot returns the sum of a[i]*b[i]. It is computed in sixteen lanes, i mod 16, which are added in
// the order that a vector machine uses; the last few products are added one by one. Dot panics if
// the lengths differ.
func Dot(a, b []float64) float64 {
	if len(a) != len(b) {
		panic("dense: Dot called with vectors of different lengths")
	}
	whole := len(a) &^ (asm.Lanes - 1)
	sum := asm.DotLanes(a[:whole], b[:whole])
	a, b = a[whole:], b[whole:]
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

// AddScaled adds c*x[i] to dst[i]. It panics if the lengths differ.
func AddScaled(dst []float64, c float64, x []float64) {
	if len(dst) != len(x) {
		panic("dense: AddScaled called with vectors of different lengths")
	}
	for i, v := range x {
		dst[i] += float64(c * v)
	}
}

// Add adds x to dst. It panics if the lengths differ.
func Add(dst, x []float64) {
	if len(dst) != len(x) {
		panic("dense: Add called with vectors of different lengths")
	}
	for i, v := range x {
		dst[i] += v
	}
}

// Scale multiplies x by c.
func Scale(c float64, x []float64) {
	for i := range x {
		x[i] *= c
	}
}

// Norm returns the Euclidean length of x. Squares may overflow.
func Norm(x []float64) float64 { return math.Sqrt(Dot(x, x)) }

// Block is the best number of weights to process at a time: the weights and their bytes stay in the
// first-level cache.
const Block = 4096

// Infinities and NaNs have all exponent bits set. Adding one to the exponent carries into the sign
// bit only for these.
const (
	exponent = 0x7f800000
	lowest   = 0x00800000
	carry    = 0x80000000
)

// PutSingles writes xs to dst in little-endian order, 4 bytes each. dst must have at least
// 4*len(xs) bytes. PutSingles reports whether all numbers are finite.
func PutSingles(dst []byte, xs []float32) (finite bool) {
	var odd uint32
	dst = dst[:4*len(xs)]
	for ; len(xs) >= 4 && len(dst) >= 16; xs, dst = xs[4:], dst[16:] {
		a, b, c, d := math.Float32bits(xs[0]), math.Float32bits(xs[1]), math.Float32bits(xs[2]), math.Float32bits(xs[3])
		odd |= (a&exponent + lowest) | (b&exponent + lowest) | (c&exponent + lowest) | (d&exponent + lowest)
		binary.LittleEndian.PutUint64(dst, uint64(a)|uint64(b)<<32)
		binary.LittleEndian.PutUint64(dst[8:], uint64(c)|uint64(d)<<32)
	}
	for i, x := range xs {
		a := math.Float32bits(x)
		odd |= a&exponent + lowest
		binary.LittleEndian.PutUint32(dst[4*i:], a)
	}
	return odd&carry == 0
}

// NotFinite returns the index of the first number that is not finite, or -1 if all are finite.
func NotFinite(xs []float32) int {
	for from := 0; from < len(xs); from += Block {
		block := xs[from:min(from+Block, len(xs))]
		if finite(block) {
			continue
		}
		for i, x := range block {
			if x-x != 0 {
				return from + i
			}
		}
	}
	return -1
}

func finite(xs []float32) bool {
	var odd uint32
	for ; len(xs) >= 4; xs = xs[4:] {
		odd |= (math.Float32bits(xs[0])&exponent + lowest) | (math.Float32bits(xs[1])&exponent + lowest) |
			(math.Float32bits(xs[2])&exponent + lowest) | (math.Float32bits(xs[3])&exponent + lowest)
	}
	for _, x := range xs {
		odd |= math.Float32bits(x)&exponent + lowest
	}
	return odd&carry == 0
}

var zeros [4 * Block]byte

// Zero reports whether all bits of xs are zero, as in memory that was never written. xs must have
// at most [Block] elements.
func Zero(xs []float32) bool {
	data := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(xs))), 4*len(xs))
	return bytes.Equal(data, zeros[:len(data)])
}
