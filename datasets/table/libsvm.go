package table

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"unicode"

	"plyfit/internal/text"
)

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

// sparse reads rows that name the columns of their cells.
type sparse struct {
	b    *builder
	at   map[string]int // number of a column, as the builder has it
	seen []int          // the row in which a column came last
	row  int
	// numbered is 1 more than at of columns whose names are whole numbers from 1: faster than the map.
	numbered [1000]int
}

func (s *sparse) line(line int, text []byte) error {
	b := s.b
	if at := bytes.IndexByte(text, '#'); at >= 0 {
		text = text[:at]
	}
	label, text := cutField(text)
	if label == nil {
		return nil
	}
	if b.roles == nil {
		s.column(b.t.Layout.Label, labelRole)
		if b.t.Layout.Phase != "" {
			b.t.Tapered = true
		}
	}
	if err := b.begin(line); err != nil {
		return err
	}
	s.row++
	share, ok := b.t.Layout.Unit.parse(string(label))
	if !ok {
		return b.fault(0, b.t.Layout.Unit.want(), string(label))
	}
	b.now.Y = share
	grouped := false
	for field, rest := cutField(text); field != nil; field, rest = cutField(rest) {
		at := bytes.LastIndexByte(field, ':') // since names may hold others
		if at < 1 || at == len(field)-1 {
			return fmt.Errorf("%s:%d: want COLUMN:VALUE after the label, found %.40q", b.t.File, line, field)
		}
		name, value := field[:at], field[at+1:]
		i := s.find(name)
		if len(b.names) > mostColumns {
			return fmt.Errorf("%s:%d: want at most %d columns", b.t.File, line, mostColumns)
		}
		if s.seen[i] == s.row {
			return fmt.Errorf("%s:%d: column %s comes twice: want each once a row", b.t.File, line, name)
		}
		s.seen[i] = s.row
		if err := b.text(i, b.cell(i, value)); err != nil {
			return err
		}
		grouped = grouped || b.roles[i] == groupRole
	}
	return s.close(line, grouped)
}

// close finishes a row: all rows are of a group, or none is.
func (s *sparse) close(line int, grouped bool) error {
	b := s.b
	if s.row == 1 && grouped {
		b.t.grouped = true
	}
	if grouped != b.t.grouped {
		return fmt.Errorf("%s:%d: want a game (qid:GAME) in every row or in none", b.t.File, line)
	}
	b.end()
	return nil
}

// cutField returns the first word of a text, nil if there is none, and what follows it.
func cutField(text []byte) (field, rest []byte) {
	text = bytes.TrimLeftFunc(text, unicode.IsSpace)
	if len(text) == 0 {
		return nil, nil
	}
	end := bytes.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:]
}

// find is the number of the column that a cell names.
func (s *sparse) find(name []byte) int {
	n := 0 // the whole number that it is, if numbered has it
	if x, whole := small(name); whole && name[0] > '0' && x < float64(len(s.numbered)) {
		n = int(x)
	}
	if n > 0 && s.numbered[n] > 0 {
		return s.numbered[n] - 1
	}
	i, known := s.at[string(name)]
	if !known {
		r := s.b.t.Layout.role(string(name), "qid")
		if r == numbered { // rows leave columns out
			r = feature
		}
		i = s.column(string(name), r)
	}
	s.numbered[n] = i + 1
	return i
}

// column is the number of a column, which is new the first time.
func (s *sparse) column(name string, r role) int {
	if i, ok := s.at[name]; ok {
		return i
	}
	b := s.b
	i := len(b.names)
	s.at[name], s.seen = i, append(s.seen, 0)
	b.add(name, r)
	return i
}

// finish puts columns that are numbers in order, before those that have names.
func (s *sparse) finish() {
	t := s.b.t
	order := make([]int32, len(t.Columns))
	for i := range order {
		order[i] = int32(i)
	}
	number := func(c int32) uint64 { // of a name: behind all numbers
		x, err := strconv.ParseUint(t.Columns[c], 10, 63)
		if err != nil {
			return math.MaxUint64
		}
		return x
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(number(a), number(b)) })
	place, names := make([]int32, len(order)), make([]string, len(order))
	for i, c := range order {
		place[c], names[i] = int32(i), t.Columns[c]
	}
	t.Columns = names
	if !slices.IsSorted(order) {
		s.b.to = place
	}
}
