package models

import (
	"fmt"
	"math"
	"slices"
)

// halvesMagic begins a table file of 16-bit weights. Then come the count of weights (uint64), and
// of each block its step (float32) and its weights in steps (int16), all little-endian.
const halvesMagic = "plyfitW2"

// halfSteps is the largest weight of a block of 16-bit weights, in steps.
const halfSteps = math.MaxInt16

// Halved is f with tables of 16-bit weights, half the bytes on file and the same in memory: in each
// block the weights are rounded to multiples of a step, so that none moves by more than half of it.
// The step is the least power of two that keeps the block's largest weight within 32,767 steps,
// which makes every multiple a float32: reading and rewriting changes nothing.
func (f *File) Halved() (*File, error) {
	if len(f.TableBlocks) == 0 || len(f.Table) == 0 {
		return nil, f.Fault("table", "a model with tables", "")
	}
	out := *f
	out.Bits, out.tableSum, out.tableFile = 16, "", ""
	out.Table = slices.Clone(f.Table)
	for _, block := range out.parts() {
		step := stepOf(block)
		for i, w := range block {
			block[i] = float32(math.RoundToEven(float64(w)/step) * step)
		}
	}
	return &out, nil
}

// parts are the weights of each block.
func (f *File) parts() (out [][]float32) {
	at := 0
	for _, b := range f.TableBlocks {
		out = append(out, f.Table[at:at+b.Len])
		at += b.Len
	}
	return out
}

// leastStep is the exponent of the least float32 above 0, of which all are multiples.
const leastStep = -149

// stepOf is a block's step.
func stepOf(block []float32) float64 {
	most := 0.0
	for _, w := range block {
		most = max(most, math.Abs(float64(w)))
	}
	_, exponent := math.Frexp(most / halfSteps) // of 2^exponent a half, at least
	step := math.Ldexp(1, max(leastStep, exponent-1))
	for most > float64(halfSteps*step) {
		step *= 2
	}
	return step
}

// checkHalves finds a weight that 16 bits do not hold.
func (f *File) checkHalves() error {
	if f.Bits != 16 || f.Table == nil {
		return nil
	}
	at := 0
	for _, block := range f.parts() {
		step := stepOf(block)
		for i, w := range block {
			if n := float64(w) / step; n-n != 0 || n != math.Trunc(n) {
				return f.Fault(fmt.Sprintf("table weight %d", at+i), fmt.Sprintf("a multiple of %v, as tables of 16 bits have", step), fmt.Sprint(w))
			}
		}
		at += len(block)
	}
	return nil
}
