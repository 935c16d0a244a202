package table

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"plyfit/internal/list"
	"plyfit/internal/text"
)

// mostLine is the maximum length of a line in bytes.
const mostLine = 16 << 20

func readCSV(in io.Reader, b *builder) error { return readCells(in, b, ',') }
func readTSV(in io.Reader, b *builder) error { return readCells(in, b, '\t') }

// readCells reads a header and rows whose cells are separated by the given byte. Cells may be
// quoted, but must not span several lines. Lines that repeat the header are ignored, because
// several files may have been concatenated.
func readCells(in io.Reader, b *builder, comma byte) error {
	var header []byte
	var rows *parallelReader
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
			header, rows = bytes.Clone(line), newParallelReader(b, comma)
			return nil
		case bytes.Equal(line, header):
			return nil
		}
		return rows.line(number, line)
	})
	if rows == nil {
		return cmp.Or(err, fmt.Errorf("%s:1: want a header with column names", b.t.File))
	}
	defer rows.close()
	return cmp.Or(rows.flush(), err) // errors in complete rows take precedence
}

func (b *builder) row(line int, cells []textCell) error {
	if len(cells) != len(b.names) {
		return fmt.Errorf("%s:%d: want %d cells, as in the header; found %d", b.t.File, line, len(b.names), len(cells))
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

// text stores a text cell in column i of the current row.
func (b *builder) text(i int, cell textCell) error {
	switch b.roles[i] {
	case skipped:
		return nil
	case groupRole:
		return b.setGroup(i, string(cell.text))
	case labelRole:
		share, ok := b.t.Layout.Unit.parse(string(cell.text))
		if !ok {
			return b.fault(i, b.t.Layout.Unit.want(), string(cell.text))
		}
		b.current.Y = share
		return nil
	}
	if !cell.known {
		return b.mustNumber(i, string(cell.text))
	}
	return b.set(i, cell.x, func() string { return string(cell.text) })
}

// small parses an integer of at most eight digits, several times as fast as ParseFloat. Most
// features are such numbers.
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
