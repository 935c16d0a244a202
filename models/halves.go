package models

import (
	"fmt"
	"math"
	"slices"
)

// halvesMagic is at the beginning of a table file with 16-bit weights. It is followed by the number
// of weights (uint64) and, for each block, the step (float32) and the weights as multiples of the
// step (int16). All numbers are little-endian.
const halvesMagic = "plyfitW2"

// halfSteps is the largest absolute value of a 16-bit weight, as a multiple of the step.
const halfSteps = math.MaxInt16

// Halved returns a copy of f whose tables are stored as 16-bit weights. This halves the size of the
// file but not the memory. The weights of each block are rounded to multiples of a step, so that no
// weight changes by more than half a step. The step is the smallest power of two for which the
// block's largest weight is at most 32,767 steps. All multiples are exact float32 numbers, so
// reading and writing the file again does not change the weights.
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

// parts returns the weights of each block.
func (f *File) parts() (out [][]float32) {
	at := 0
	for _, b := range f.TableBlocks {
		out = append(out, f.Table[at:at+b.Len])
		at += b.Len
	}
	return out
}

// leastStep is the exponent of the smallest positive float32. All float32 numbers are multiples of
// it.
const leastStep = -149

// stepOf returns the step of a block.
func stepOf(block []float32) float64 {
	most := 0.0
	for _, w := range block {
		most = max(most, math.Abs(float64(w)))
	}
	_, exponent := math.Frexp(most / halfSteps) // at least half of 2^exponent
	step := math.Ldexp(1, max(leastStep, exponent-1))
	for most > float64(halfSteps*step) {
		step *= 2
	}
	return step
}

// checkHalves returns an error if the tables cannot be stored exactly as 16-bit weights.
func (f *File) checkHalves() error {
	if f.Bits != 16 || f.Table == nil {
		return nil
	}
	at := 0
	for _, block := range f.parts() {
		step := stepOf(block)
		for i, w := range block {
			if n := float64(w) / step; n-n != 0 || n != math.Trunc(n) {
				return f.Fault(fmt.Sprintf("table weight %d", at+i), fmt.Sprintf("a multiple of %v, as in all 16-bit tables", step), fmt.Sprint(w))
			}
		}
		at += len(block)
	}
	return nil
}
