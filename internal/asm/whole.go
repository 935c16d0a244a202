package asm

import (
	"math"
	"sync/atomic"
	"unsafe"
)

// load reads a number in one piece, whoever else writes it.
func load(p *float32) float32 {
	return math.Float32frombits(atomic.LoadUint32((*uint32)(unsafe.Pointer(p))))
}

// store writes a number in one piece.
func store(p *float32, x float32) {
	atomic.StoreUint32((*uint32)(unsafe.Pointer(p)), math.Float32bits(x))
}
