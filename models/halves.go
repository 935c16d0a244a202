package models

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
)

// halvesMagic begins a table file of 16-bit weights. After it come the count of weights
// (uint64), and of each block its step (float32), then its weights in steps (int16), all
// little-endian.
const halvesMagic = "plyfitW2"

// halfSteps is the largest weight of a block of 16-bit weights, in steps.
const halfSteps = math.MaxInt16

// Halved is f with tables of 16-bit weights, which take half the bytes on file and in
// memory as much as before: in each block the weights are rounded to the multiples of a
// step, so that none moves by more than half of it. The step is the least power of two by
// which the block's largest weight is at most 32,767 steps, which makes every multiple a
// float32: a model read again, and written again, is the same one.
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
	if f.Bits != 16 {
		return nil
	}
	at := 0
	for _, block := range f.parts() {
		step := stepOf(block)
		for i, w := range block {
			if n := float64(w) / step; n != math.Trunc(n) {
				return f.Fault(fmt.Sprintf("table weight %d", at+i), fmt.Sprintf("a multiple of %v, as tables of 16 bits have", step), fmt.Sprint(w))
			}
		}
		at += len(block)
	}
	return nil
}

// writeHalves writes a table file of 16-bit weights.
func (f *File) writeHalves(w io.Writer) error {
	data := append([]byte(halvesMagic), make([]byte, 8)...)
	binary.LittleEndian.PutUint64(data[8:], uint64(len(f.Table)))
	for _, block := range f.parts() {
		step := stepOf(block)
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(step)))
		for _, x := range block {
			data = binary.LittleEndian.AppendUint16(data, uint16(int16(float64(x)/step)))
			if len(data) >= tableChunk {
				if _, err := w.Write(data); err != nil {
					return err
				}
				data = data[:0]
			}
		}
	}
	_, err := w.Write(data)
	return err
}

// readHalves reads the blocks of a table file of 16-bit weights. It needs no more memory
// than the file has bytes for.
func (f *File) readHalves(name string, in io.Reader, size int64) ([]float32, error) {
	want := 0
	for _, b := range f.TableBlocks {
		want += b.Len
	}
	short := func(err error) error {
		return &FileError{File: name, Want: fmt.Sprintf("%d weights", want), Found: readFault(err)}
	}
	weights := make([]float32, 0, min(int64(want), size/2))
	buffer := make([]byte, tableChunk)
	for _, b := range f.TableBlocks {
		if _, err := io.ReadFull(in, buffer[:4]); err != nil {
			return nil, short(err)
		}
		step := math.Float32frombits(binary.LittleEndian.Uint32(buffer))
		if fraction, _ := math.Frexp(float64(step)); fraction != 0.5 {
			return nil, &FileError{File: name, Key: "table " + b.Name, Want: "a step that is a power of two", Found: fmt.Sprint(step)}
		}
		for left := b.Len; left > 0; {
			part := buffer[:min(len(buffer), 2*left)]
			if _, err := io.ReadFull(in, part); err != nil {
				return nil, short(err)
			}
			for i := 0; i < len(part); i += 2 {
				w := float32(step * float32(int16(binary.LittleEndian.Uint16(part[i:]))))
				if w-w != 0 {
					return nil, &FileError{File: name, Key: fmt.Sprintf("weight %d", len(weights)), Want: "a finite number", Found: fmt.Sprint(w)}
				}
				weights = append(weights, w)
			}
			left -= len(part) / 2
		}
	}
	return weights, nil
}
