// Package dense is the arithmetic of vectors and square matrices with the same bits on every
// machine: sums in a fixed order, every product rounded before it is added. Libraries with assembly
// sum in another order.
package dense

import (
	"bytes"
	"encoding/binary"
	"math"
	"unsafe"

	"plyfit/internal/asm"
)

// Dot is the sum of a[i]*b[i] in sixteen lanes, i mod 16, which are added in the order of a vector
// machine; the last few numbers follow one by one. It panics unless the lengths are equal.
func Dot(a, b []float64) float64 {
	if len(a) != len(b) {
		panic("dense: Dot of vectors of different lengths")
	}
	whole := len(a) &^ (asm.Lanes - 1)
	sum := asm.DotLanes(a[:whole], b[:whole])
	a, b = a[whole:], b[whole:]
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

// AddScaled adds c*x[i] to dst[i]. It panics unless the lengths are equal.
func AddScaled(dst []float64, c float64, x []float64) {
	if len(dst) != len(x) {
		panic("dense: AddScaled of vectors of different lengths")
	}
	for i, v := range x {
		dst[i] += float64(c * v)
	}
}

// Add adds x to dst. It panics unless the lengths are equal.
func Add(dst, x []float64) {
	if len(dst) != len(x) {
		panic("dense: Add of vectors of different lengths")
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

// Norm is the Euclidean length of x; squares may overflow.
func Norm(x []float64) float64 { return math.Sqrt(Dot(x, x)) }

// Block is how many weights are best handed over at a time: they, and their bytes, stay in
// the first cache.
const Block = 4096

// An infinity and what is no number have every bit of the exponent set; one more carries
// into the sign's place, which no finite number's exponent does.
const (
	exponent = 0x7f800000
	lowest   = 0x00800000
	carry    = 0x80000000
)

// PutSingles writes xs into dst, little-endian, 4 bytes each; dst has at least so many. It
// reports whether all of them are finite.
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

// NotFinite is the place of the first of xs that is not finite; -1: all are.
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

// Zero reports whether all bits of xs, at most a Block, are zero, as in memory that no one has
// written to.
func Zero(xs []float32) bool {
	data := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(xs))), 4*len(xs))
	return bytes.Equal(data, zeros[:len(data)])
}
