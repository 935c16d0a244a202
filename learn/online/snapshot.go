package online

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"plyfit/internal/dense"
	"plyfit/models"
)

// Encoder writes a snapshot: numbers and lists, little-endian. Err has the first error.
type Encoder struct {
	w      io.Writer
	buffer []byte
	odd    bool // a list of Singles has a number that is not finite
	err    error
}

// NewEncoder writes to w.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w: w, buffer: make([]byte, 0, 1<<16)} }

func (e *Encoder) flush() {
	if e.err == nil && len(e.buffer) > 0 {
		_, e.err = e.w.Write(e.buffer)
	}
	e.buffer = e.buffer[:0]
}

// Int writes a whole number.
func (e *Encoder) Int(n int64) {
	if len(e.buffer)+8 > cap(e.buffer) {
		e.flush()
	}
	e.buffer = binary.LittleEndian.AppendUint64(e.buffer, uint64(n))
}

// Float writes a number, bit for bit.
func (e *Encoder) Float(x float64) { e.Int(int64(math.Float64bits(x))) }

// Floats writes lists, each with its length.
func (e *Encoder) Floats(lists ...[]float64) {
	for _, xs := range lists {
		e.Int(int64(len(xs)))
		for _, x := range xs {
			e.Float(x)
		}
	}
}

// Weights writes all weights of a model.
func (e *Encoder) Weights(m *models.Linear) {
	e.Float(m.Bias)
	e.Floats(m.Weights)
	e.Singles(m.Table)
}

// Singles writes a list with its length, block by block: 0 for one of zeros, such as a part of a
// table that no game has come to, else 1 and its numbers.
func (e *Encoder) Singles(xs []float32) {
	e.Int(int64(len(xs)))
	for len(xs) > 0 {
		block := xs[:min(len(xs), dense.Block)]
		xs = xs[len(block):]
		if dense.Zero(block) {
			e.Int(0)
			continue
		}
		e.Int(1)
		at, size := len(e.buffer), 4*len(block)
		if at+size > cap(e.buffer) {
			e.flush()
			at = 0
		}
		e.buffer = e.buffer[:at+size]
		if !dense.PutSingles(e.buffer[at:], block) {
			e.odd = true
		}
	}
}

// Odd reports whether a number of Singles was infinite, or none.
func (e *Encoder) Odd() bool { return e.odd }

// Text writes a line of text with its length.
func (e *Encoder) Text(s string) {
	e.Int(int64(len(s)))
	e.flush()
	if e.err == nil {
		_, e.err = io.WriteString(e.w, s)
	}
}

// Err ends the snapshot and tells the first error.
func (e *Encoder) Err() error {
	e.flush()
	return e.err
}

// Decoder reads what an [Encoder] wrote, in the same order. Err has the first error.
type Decoder struct {
	r      io.Reader
	buffer [1 << 16]byte
	err    error
}

// NewDecoder reads from r.
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r: r} }

func (d *Decoder) read(n int) []byte {
	if d.err == nil {
		if _, d.err = io.ReadFull(d.r, d.buffer[:n]); d.err == io.EOF {
			d.err = io.ErrUnexpectedEOF
		}
	}
	if d.err != nil {
		clear(d.buffer[:n])
	}
	return d.buffer[:n]
}

// Int reads a whole number.
func (d *Decoder) Int() int64 { return int64(binary.LittleEndian.Uint64(d.read(8))) }

// Float reads a number.
func (d *Decoder) Float() float64 { return math.Float64frombits(binary.LittleEndian.Uint64(d.read(8))) }

func (d *Decoder) length(want int) bool {
	if n := d.Int(); d.err == nil && n != int64(want) {
		d.err = fmt.Errorf("snapshot: a list of %d numbers, want %d", n, want)
	}
	return d.err == nil
}

// Floats fills lists, which must have the lengths of those that were written.
func (d *Decoder) Floats(lists ...[]float64) {
	for _, xs := range lists {
		if !d.length(len(xs)) {
			return
		}
		for i := 0; i < len(xs) && d.err == nil; {
			part := min(len(xs)-i, len(d.buffer)/8)
			for b := d.read(8 * part); len(b) > 0; b, i = b[8:], i+1 {
				xs[i] = math.Float64frombits(binary.LittleEndian.Uint64(b))
			}
		}
	}
}

// Weights fills all weights of a model of the same shape.
func (d *Decoder) Weights(m *models.Linear) {
	m.Bias = d.Float()
	d.Floats(m.Weights)
	d.Singles(m.Table)
}

// Singles fills a list, which must have the length of the one that was written.
func (d *Decoder) Singles(xs []float32) {
	if !d.length(len(xs)) {
		return
	}
	for len(xs) > 0 && d.err == nil {
		block := xs[:min(len(xs), dense.Block)]
		xs = xs[len(block):]
		switch full := d.Int(); {
		case full == 1:
			for i, b := 0, d.read(4*len(block)); i < len(block); i, b = i+1, b[4:] {
				block[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
			}
		case full != 0:
			d.err = cmp.Or(d.err, fmt.Errorf("snapshot: %d before a block, want 0 or 1", full))
		case !dense.Zero(block): // else its memory may stay untouched
			clear(block)
		}
	}
}

// maxText is the longest text that is read.
const maxText = 1 << 20

// Text reads a line of text.
func (d *Decoder) Text() string {
	n := d.Int()
	if d.err == nil && (n < 0 || n > maxText) {
		d.err = fmt.Errorf("snapshot: a text of %d bytes, want at most %d", n, maxText)
	}
	if d.err != nil {
		return ""
	}
	text := make([]byte, n)
	if _, d.err = io.ReadFull(d.r, text); d.err == io.EOF {
		d.err = io.ErrUnexpectedEOF
	}
	return string(text)
}

// Failed reports whether there was an error, so that what is read means nothing.
func (d *Decoder) Failed() bool { return d.err != nil }

// Err tells the first error, or that something follows what was read.
func (d *Decoder) Err() error {
	if d.err == nil {
		if n, _ := d.r.Read(d.buffer[:1]); n > 0 {
			d.err = errors.New("snapshot: more than was expected")
		}
	}
	return d.err
}

// Tally writes a tally.
func (e *Encoder) Tally(t Tally) {
	e.Int(int64(t.Episodes))
	e.Int(t.Moves)
	e.Int(int64(t.Truncated))
	e.Float(t.Sum)
	e.Float(t.Squares)
	e.Int(int64(t.Goals))
	e.Int(t.Samples)
	e.Float(t.Errors)
}

// Tally reads a tally.
func (d *Decoder) Tally() Tally {
	return Tally{int(d.Int()), d.Int(), int(d.Int()), d.Float(), d.Float(), int(d.Int()), d.Int(), d.Float()}
}
