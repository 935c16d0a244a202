package table

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"plyfit/internal/spec"
)

// Lines of cells are cut and their numbers read by batches, by as many as there are
// processors; rows are built from them in the order of the lines, so that a table, and
// the first fault reported in it, are the same no matter who read them.

// batchBytes is how much text a batch has at least, but for the last one.
const batchBytes = 64 << 10

// batchesAhead is how many batches wait for each reader.
const batchesAhead = 8

// batch is some lines of a file.
type batch struct {
	text  []byte
	lines []textLine

	taken atomic.Bool   // someone reads it
	read  atomic.Bool   // that is over
	done  chan struct{} // closed then
	cells []textCell
}

func (p *batch) tell() {
	p.read.Store(true)
	close(p.done)
}

type textLine struct {
	number int   // in the file
	end    int   // of its text
	cells  int   // of all lines up to its end
	fault  error // why it cannot be cut into cells
}

// textCell is a cell, and the number that it is.
type textCell struct {
	text  []byte // without the space around it
	x     float64
	known bool // it is a number, and was to be one
}

// cutter cuts a line into its cells, appended to dst; none where it is no row.
type cutter func(dst [][]byte, text []byte) ([][]byte, error)

// below reads the lines of a table: with head until its columns are known, and from then
// on rows of cells.
func below(in io.Reader, b *builder, cut cutter, head func(line int, text []byte) error) error {
	var rows *ahead
	defer func() {
		if rows != nil {
			rows.close()
		}
	}()
	err := lines(in, b, func(line int, text []byte) error {
		switch {
		case b.roles == nil:
			b.header = bytes.Clone(text)
			return head(line, text)
		case bytes.Equal(text, b.header): // files that were put together
			return nil
		}
		if rows == nil {
			rows = newAhead(b, cut)
		}
		return rows.line(line, text)
	})
	if rows == nil {
		return err
	}
	return cmp.Or(rows.flush(), err) // first the rows above what cannot be read
}

// ahead has batches read ahead of the rows that are built from them.
type ahead struct {
	b   *builder
	cut cutter

	filling *batch
	spare   []*batch // whose rows are built
	queue   []*batch // in the order of the lines
	todo    chan *batch
	readers sync.WaitGroup
	split   [][]byte
	fault   error // of a row
}

// newAhead reads lines of b's columns, whose roles are known.
func newAhead(b *builder, cut cutter) *ahead {
	a := &ahead{b: b, cut: cut}
	a.filling = a.batch()
	others := runtime.GOMAXPROCS(0) - 1
	a.todo = make(chan *batch, batchesAhead*others)
	for range others {
		a.readers.Go(func() {
			var split [][]byte
			for p := range a.todo {
				if p.taken.CompareAndSwap(false, true) {
					split = a.read(p, split)
					p.tell()
				}
			}
		})
	}
	return a
}

func (a *ahead) batch() *batch {
	p := &batch{}
	if n := len(a.spare); n > 0 {
		old := a.spare[n-1]
		a.spare = a.spare[:n-1]
		*p = batch{text: old.text[:0], lines: old.lines[:0], cells: old.cells[:0]}
	}
	p.done = make(chan struct{})
	return p
}

// close waits for the readers. No line may be added afterwards.
func (a *ahead) close() {
	for _, p := range a.queue {
		p.taken.Store(true) // no one wants it
	}
	close(a.todo)
	a.readers.Wait()
}

// line adds a line, of which it takes a copy.
func (a *ahead) line(number int, text []byte) error {
	p := a.filling
	p.text = append(p.text, text...)
	p.lines = append(p.lines, textLine{number: number, end: len(p.text)})
	if len(p.text) < batchBytes {
		return nil
	}
	return a.hand()
}

// hand hands the batch at work to the readers, and builds the rows of the oldest one where
// enough are on their way.
func (a *ahead) hand() error {
	p := a.filling
	a.queue, a.filling = append(a.queue, p), a.batch()
	select {
	case a.todo <- p:
	default: // they have enough to do
	}
	if len(a.queue) <= cap(a.todo) {
		return nil
	}
	a.fault = a.build()
	return a.fault
}

// flush builds all rows that are left, unless one had a fault, which it tells.
func (a *ahead) flush() error {
	if len(a.filling.lines) > 0 {
		a.queue, a.filling = append(a.queue, a.filling), a.batch()
	}
	for len(a.queue) > 0 && a.fault == nil {
		a.fault = a.build()
	}
	return a.fault
}

func (a *ahead) build() error {
	p := a.queue[0]
	for _, q := range a.queue { // in place of waiting
		if p.read.Load() {
			break
		}
		if q.taken.CompareAndSwap(false, true) {
			a.split = a.read(q, a.split)
			q.tell()
		}
	}
	<-p.done
	a.queue = a.queue[1:]
	from := 0
	for _, l := range p.lines {
		if l.fault != nil {
			return fmt.Errorf("%s:%d: %w", a.b.t.File, l.number, l.fault)
		}
		if l.cells == from {
			continue
		}
		if err := a.b.row(l.number, p.cells[from:l.cells]); err != nil {
			return err
		}
		from = l.cells
	}
	a.spare = append(a.spare, p)
	return nil
}

// read cuts the lines of a batch into cells, and reads those that are to be numbers.
func (a *ahead) read(p *batch, split [][]byte) [][]byte {
	from := 0
	cells := slices.Grow(p.cells[:0], len(p.lines)*len(a.b.roles))
	for k := range p.lines {
		l := &p.lines[k]
		split, l.fault = a.cut(split[:0], p.text[from:l.end:l.end])
		for i, text := range split {
			cells = append(cells, a.b.cell(i, bytes.TrimSpace(text)))
		}
		l.cells, from = len(cells), l.end
	}
	p.cells = cells
	return split
}

// cell reads what stands in column i, if there is one, where that is to be a number.
func (b *builder) cell(i int, text []byte) textCell {
	c := textCell{text: text}
	if i < len(b.roles) && b.roles[i].number() {
		c.x, c.known = number(text)
	}
	return c
}

func number(cell []byte) (x float64, ok bool) {
	if x, ok = small(cell); ok {
		return x, true
	}
	return spec.Decimal(unsafe.String(unsafe.SliceData(cell), len(cell))) // no part of the text is kept
}
