package asm

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// Load reads a number in one piece, no matter who else writes it.
func Load(p *float32) float32 {
	return math.Float32frombits(atomic.LoadUint32((*uint32)(unsafe.Pointer(p))))
}

// Store writes a number in one piece.
func Store(p *float32, x float32) {
	atomic.StoreUint32((*uint32)(unsafe.Pointer(p)), math.Float32bits(x))
}
