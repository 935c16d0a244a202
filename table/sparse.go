package table

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plyfit/internal/spec"
)

// sparse reads rows that name the columns of their cells.
type sparse struct {
	b    *builder
	at   map[string]int // number of a column, as the builder has it
	seen []int          // the row in which a column came last
	row  int
}

// line reads one row.
func (s *sparse) line(line int, text []byte) error {
	b := s.b
	if at := bytes.IndexByte(text, '#'); at >= 0 {
		text = text[:at]
	}
	fields := strings.Fields(string(text))
	if len(fields) == 0 {
		return nil
	}
	if b.roles == nil {
		s.column(b.t.Layout.Label, labelRole)
		if b.t.Layout.Phase != "" {
			b.t.phases = []float32{}
		}
	}
	if err := b.begin(line); err != nil {
		return err
	}
	s.row++
	share, ok := b.t.Layout.Unit.parse(fields[0])
	if !ok {
		return b.fault(0, b.t.Layout.Unit.want(), fields[0])
	}
	b.label = share
	grouped := false
	for _, field := range fields[1:] {
		name, value, ok := cutLast(field)
		if !ok || name == "" || value == "" {
			return fmt.Errorf("%s:%d: want COLUMN:VALUE after the label, found %.40q", b.t.File, line, field)
		}
		i := s.column(name, b.t.Layout.role(name, "qid"))
		if len(b.names) > mostColumns {
			return fmt.Errorf("%s:%d: want at most %d columns", b.t.File, line, mostColumns)
		}
		if s.seen[i] == s.row {
			return fmt.Errorf("%s:%d: column %s comes twice: want each once a row", b.t.File, line, name)
		}
		s.seen[i] = s.row
		if b.roles[i] == groupRole {
			if err := b.named(i, value); err != nil {
				return err
			}
			grouped = true
			continue
		}
		x, ok := spec.Decimal(value)
		if !ok {
			return b.mustNumber(i, value)
		}
		if err := b.set(i, x, func() string { return value }); err != nil {
			return err
		}
	}
	return s.close(line, grouped)
}

// close finishes a row: all rows are of a group, or none is.
func (s *sparse) close(line int, grouped bool) error {
	b := s.b
	if s.row == 1 && grouped {
		b.t.groups = []uint64{}
	}
	if grouped != (b.t.groups != nil) {
		return fmt.Errorf("%s:%d: want a game (qid:GAME) in every row or in none", b.t.File, line)
	}
	b.end()
	return nil
}

// cutLast splits COLUMN:VALUE at the last colon, since names may hold others.
func cutLast(field string) (name, value string, ok bool) {
	at := strings.LastIndexByte(field, ':')
	if at < 0 {
		return "", "", false
	}
	return field[:at], field[at+1:], true
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
	slices.SortStableFunc(order, func(a, b int32) int {
		x, errX := strconv.ParseUint(t.Columns[a], 10, 63)
		y, errY := strconv.ParseUint(t.Columns[b], 10, 63)
		switch {
		case errX == nil && errY == nil:
			return cmp.Compare(x, y)
		case errX == nil:
			return -1
		case errY == nil:
			return 1
		}
		return 0
	})
	place, names := make([]int32, len(order)), make([]string, len(order))
	for i, c := range order {
		place[c], names[i] = int32(i), t.Columns[c]
	}
	t.Columns = names
	if !slices.IsSorted(order) {
		t.to = place
	}
}
