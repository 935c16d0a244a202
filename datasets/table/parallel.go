package table

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"plyfit/internal/spec"
	"plyfit/internal/text"
)

// Lines of cells are cut and their numbers read by batches, by as many as there are
// processors; rows are built from them in the order of the lines, so that a table, and
// the first fault reported in it, are the same no matter who read them.

// batchBytes is how much text a batch has at least, but for the last one.
const batchBytes = 64 << 10

// batchesAhead is how many batches wait for each reader.
const batchesAhead = 4

// batch is some lines of a file.
type batch struct {
	text  []byte
	lines []textLine
	cells []textCell
	read  chan struct{} // receives one value once the cells are read
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

// ahead has batches read ahead of the rows that are built from them.
type ahead struct {
	b     *builder
	comma byte

	filling *batch
	spare   []*batch // whose rows are built
	queue   []*batch // in the order of the lines, never more than todo has room for
	todo    chan *batch
	readers sync.WaitGroup
	fault   error // of a row
}

// newAhead starts the readers of rows of b's columns, whose roles are known.
func newAhead(b *builder, comma byte) *ahead {
	readers := runtime.GOMAXPROCS(0)
	a := &ahead{b: b, comma: comma, filling: newBatch(), todo: make(chan *batch, batchesAhead*readers)}
	for range readers {
		a.readers.Go(func() {
			var split [][]byte
			for p := range a.todo {
				split = a.read(p, split)
				p.read <- struct{}{}
			}
		})
	}
	return a
}

func newBatch() *batch { return &batch{read: make(chan struct{}, 1)} }

// close waits for the readers. No line may be added afterwards.
func (a *ahead) close() {
	close(a.todo)
	for range a.todo { // no one wants these any longer
	}
	a.readers.Wait()
}

// line adds a line, of which it takes a copy, and builds the rows of the oldest batch if enough are
// on their way.
func (a *ahead) line(number int, text []byte) error {
	p := a.filling
	p.text = append(p.text, text...)
	p.lines = append(p.lines, textLine{number: number, end: len(p.text)})
	if len(p.text) < batchBytes {
		return nil
	}
	a.hand()
	if len(a.queue) == cap(a.todo) {
		a.fault = a.build()
	}
	return a.fault
}

// hand hands the batch at work to the readers.
func (a *ahead) hand() {
	a.queue = append(a.queue, a.filling)
	a.todo <- a.filling
	if n := len(a.spare); n > 0 {
		a.filling, a.spare = a.spare[n-1], a.spare[:n-1]
	} else {
		a.filling = newBatch()
	}
}

// flush builds all rows that are left, unless one had a fault, which it returns.
func (a *ahead) flush() error {
	if a.fault == nil {
		a.hand()
	}
	for len(a.queue) > 0 && a.fault == nil {
		a.fault = a.build()
	}
	return a.fault
}

// build builds the rows of the oldest batch.
func (a *ahead) build() error {
	p := a.queue[0]
	a.queue = a.queue[1:]
	<-p.read
	from := 0
	for _, l := range p.lines {
		if l.fault != nil {
			return fmt.Errorf("%s:%d: %w", a.b.t.File, l.number, l.fault)
		}
		if err := a.b.row(l.number, p.cells[from:l.cells]); err != nil {
			return err
		}
		from = l.cells
	}
	p.text, p.lines = p.text[:0], p.lines[:0]
	a.spare = append(a.spare, p)
	return nil
}

// read cuts the lines of a batch into cells, and reads those that are to be numbers.
func (a *ahead) read(p *batch, split [][]byte) [][]byte {
	from := 0
	cells := slices.Grow(p.cells[:0], len(p.lines)*len(a.b.roles))
	for k := range p.lines {
		l := &p.lines[k]
		split, l.fault = text.Cells(split[:0], p.text[from:l.end:l.end], a.comma)
		for i, cell := range split {
			cells = append(cells, a.b.cell(i, bytes.TrimSpace(cell)))
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
