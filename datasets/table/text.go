package table

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"plyfit/internal/list"
	"plyfit/internal/spec"
	"plyfit/internal/text"
)

// mostLine is the longest line that a table may have, in bytes.
const mostLine = 16 << 20

func readCSV(in io.Reader, b *builder) error { return readCells(in, b, ',') }
func readTSV(in io.Reader, b *builder) error { return readCells(in, b, '\t') }

// readCells reads a header and rows whose cells a byte separates. Cells may be in double quotes, but
// not span several lines. A line like the header is no row: files may have been concatenated.
func readCells(in io.Reader, b *builder, comma byte) error {
	var header []byte
	var rows *ahead
	err := text.EachLine(b.t.File, in, mostLine, func(number int, line []byte) error {
		switch {
		case rows == nil:
			cells, err := text.Cells(nil, line, comma)
			if err != nil {
				return fmt.Errorf("%s:%d: %w", b.t.File, number, err)
			}
			if err := b.head(number, list.Map(cells, func(c []byte) string { return strings.TrimSpace(string(c)) })); err != nil {
				return err
			}
			header, rows = bytes.Clone(line), newAhead(b, comma)
			return nil
		case bytes.Equal(line, header):
			return nil
		}
		return rows.line(number, line)
	})
	if rows == nil {
		return cmp.Or(err, fmt.Errorf("%s:1: want a header with the columns' names", b.t.File))
	}
	defer rows.close()
	return cmp.Or(rows.flush(), err) // first the rows above what cannot be read
}

func (b *builder) row(line int, cells []textCell) error {
	if len(cells) != len(b.names) {
		return fmt.Errorf("%s:%d: want %d cells, as the header has, found %d", b.t.File, line, len(b.names), len(cells))
	}
	if err := b.begin(line); err != nil {
		return err
	}
	for i, c := range cells {
		if err := b.text(i, c); err != nil {
			return err
		}
	}
	b.end()
	return nil
}

// text puts a cell of text into column i of the row at work.
func (b *builder) text(i int, cell textCell) error {
	switch b.roles[i] {
	case skipped:
		return nil
	case groupRole:
		return b.named(i, string(cell.text))
	case labelRole:
		share, ok := b.t.Layout.Unit.parse(string(cell.text))
		if !ok {
			return b.fault(i, b.t.Layout.Unit.want(), string(cell.text))
		}
		b.now.Y = share
		return nil
	}
	if !cell.known {
		return b.mustNumber(i, string(cell.text))
	}
	return b.set(i, cell.x, func() string { return string(cell.text) })
}

// small reads a whole number of at most eight digits, as counts of terms are, several
// times as fast as ParseFloat.
func small(cell []byte) (x float64, ok bool) {
	digits := cell
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 8 {
		return 0, false
	}
	n := 0
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	if len(digits) < len(cell) {
		n = -n
	}
	return float64(n), true
}

// readLIBSVM reads sparse rows, LABEL [qid:GAME] COLUMN:VALUE ..., with comments after
// #. Columns are numbers or names; they are in the order in which they first come,
// numbers by size. The phase is the column that the layout names.
func readLIBSVM(in io.Reader, b *builder) error {
	s := sparse{b: b, at: map[string]int{}}
	if err := text.EachLine(b.t.File, in, mostLine, s.line); err != nil {
		return err
	}
	s.finish()
	for _, want := range []string{b.t.Layout.Phase, b.t.Layout.Group} {
		if _, ok := s.at[want]; !ok && want != "" {
			return fmt.Errorf("%s: no column %q: the columns are %s", b.t.File, want, Listed(b.t.Columns))
		}
	}
	return nil
}

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
