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

// readLIBSVM reads sparse rows of the form LABEL [qid:GAME] COLUMN:VALUE ..., with comments after
// #. Columns are identified by number or by name. Numbered columns come first, in ascending order;
// named columns follow in the order of their first occurrence. The layout can name the phase
// column.
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

// sparse parses rows in which each cell names its column.
type sparse struct {
	b    *builder
	at   map[string]int // column index in the builder, by name
	seen []int          // last row that contains each column so far
	row  int
	// numbered contains 1 plus the column index for names that are small positive integers. A
	// lookup here is faster than in the map.
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
	b.current.Y = share
	grouped := false
	for field, rest := cutField(text); field != nil; field, rest = cutField(rest) {
		at := bytes.LastIndexByte(field, ':') // a name may contain colons
		if at < 1 || at == len(field)-1 {
			return fmt.Errorf("%s:%d: want COLUMN:VALUE after the label, found %.40q", b.t.File, line, field)
		}
		name, value := field[:at], field[at+1:]
		i := s.find(name)
		if len(b.names) > mostColumns {
			return fmt.Errorf("%s:%d: want at most %d columns", b.t.File, line, mostColumns)
		}
		if s.seen[i] == s.row {
			return fmt.Errorf("%s:%d: column %s occurs twice; want each column at most once per row", b.t.File, line, name)
		}
		s.seen[i] = s.row
		if err := b.text(i, b.cell(i, value)); err != nil {
			return err
		}
		grouped = grouped || b.roles[i] == groupRole
	}
	return s.close(line, grouped)
}

// close finishes a row. It returns an error if only some rows have a game.
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

// cutField returns the first word of text and the rest. field is nil if there is no word.
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

// find returns the index of the column with the given name. It adds the column if necessary.
func (s *sparse) find(name []byte) int {
	n := 0 // index into s.numbered, or 0
	if x, whole := small(name); whole && name[0] > '0' && x < float64(len(s.numbered)) {
		n = int(x)
	}
	if n > 0 && s.numbered[n] > 0 {
		return s.numbered[n] - 1
	}
	i, known := s.at[string(name)]
	if !known {
		r := s.b.t.Layout.role(string(name), "qid")
		if r == numbered { // sparse rows omit zeros, so row numbers cannot be recognised
			r = feature
		}
		i = s.column(string(name), r)
	}
	s.numbered[n] = i + 1
	return i
}

// column returns the index of a column. It adds the column if it does not exist.
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

// finish sorts the numbered columns and puts them before the named ones.
func (s *sparse) finish() {
	t := s.b.t
	order := make([]int32, len(t.Columns))
	for i := range order {
		order[i] = int32(i)
	}
	number := func(c int32) uint64 { // named columns follow all numbers
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
