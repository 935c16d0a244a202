package dense

import (
	"bytes"
	"encoding/binary"
	"math"
	"unsafe"
)

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
