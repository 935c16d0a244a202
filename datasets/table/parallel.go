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

// Several goroutines split lines into cells and parse their numbers, one batch of lines at a time.
// The rows are then built in the order of the lines. The resulting table and the first error
// reported therefore do not depend on the number of goroutines.

// batchBytes is the minimum size of a batch other than the last one.
const batchBytes = 64 << 10

// batchesAhead is the maximum number of batches that may wait for each reader.
const batchesAhead = 4

// A batch is a group of consecutive lines.
type batch struct {
	text  []byte
	lines []textLine
	cells []textCell
	read  chan struct{} // receives a value once the cells have been read
}

type textLine struct {
	number int   // line number in the file
	end    int   // end of the line in the batch
	cells  int   // number of cells up to the end of this line
	fault  error // reason why the line cannot be split into cells
}

// A textCell is a cell, with its value if it is a number.
type textCell struct {
	text  []byte // without surrounding white space
	x     float64
	known bool // text was parsed as a number
}

// parallelReader reads batches of lines ahead of the rows that are built from them.
type parallelReader struct {
	b     *builder
	comma byte

	current *batch   // batch to which lines are added
	free    []*batch // batches whose rows have been built
	queue   []*batch // batches in file order, at most cap(todo)
	todo    chan *batch
	readers sync.WaitGroup
	fault   error // first error in a row
}

// newParallelReader starts the readers. The roles of b's columns must be known.
func newParallelReader(b *builder, comma byte) *parallelReader {
	readers := runtime.GOMAXPROCS(0)
	a := &parallelReader{b: b, comma: comma, current: newBatch(), todo: make(chan *batch, batchesAhead*readers)}
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

// close discards the remaining batches and waits for the readers. No line may be added afterwards.
func (a *parallelReader) close() {
	close(a.todo)
	for range a.todo { // discard
	}
	a.readers.Wait()
}

// line adds a copy of a line. If the queue is full, it also builds the rows of the oldest batch.
func (a *parallelReader) line(number int, text []byte) error {
	p := a.current
	p.text = append(p.text, text...)
	p.lines = append(p.lines, textLine{number: number, end: len(p.text)})
	if len(p.text) < batchBytes {
		return nil
	}
	a.submit()
	if len(a.queue) == cap(a.todo) {
		a.fault = a.build()
	}
	return a.fault
}

// submit passes the current batch to the readers.
func (a *parallelReader) submit() {
	a.queue = append(a.queue, a.current)
	a.todo <- a.current
	if n := len(a.free); n > 0 {
		a.current, a.free = a.free[n-1], a.free[:n-1]
	} else {
		a.current = newBatch()
	}
}

// flush builds all remaining rows. If a row is invalid, flush returns its error.
func (a *parallelReader) flush() error {
	if a.fault == nil {
		a.submit()
	}
	for len(a.queue) > 0 && a.fault == nil {
		a.fault = a.build()
	}
	return a.fault
}

// build builds the rows of the oldest batch.
func (a *parallelReader) build() error {
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
	a.free = append(a.free, p)
	return nil
}

// read splits the lines of a batch into cells and parses the numbers. It returns the slice split
// for reuse.
func (a *parallelReader) read(p *batch, split [][]byte) [][]byte {
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

// cell returns a cell of column i. It parses the text if the column must contain numbers.
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
	return spec.Decimal(unsafe.String(unsafe.SliceData(cell), len(cell))) // Decimal does not retain the string
}
