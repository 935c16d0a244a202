// Package table reads tables of anyone's columns, and writes samples as tables.
//
//  1. [Layout] says which column is the label and in what [Unit], which one groups
//     rows, and which one is the phase.
//
//  2. [Open] reads a [Table] by the ending of its name; the formats stand in one list. A
//     cell that cannot be is reported with its line and column.
//
//  3. The table's rows are samples whose features are its columns, or after
//     [Table.Renumbered] those of a feature set.
//
//  4. [Write] writes samples as such a table.
package table

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io"
	"iter"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/spec"
	"plyfit/internal/unpack"
	"plyfit/models"
)

// formats are all formats of tables, by the ending of their names.
var formats = map[string]func(in io.Reader, b *builder) error{
	".csv":     readCSV,
	".tsv":     readTSV,
	".libsvm":  readLIBSVM,
	".svm":     readLIBSVM,
	".parquet": readParquet,
	".npz":     readNPZ,
}

// Endings are those that [Open] reads, for messages.
const Endings = ".csv, .tsv, .libsvm, .svm, .parquet or .npz"

// IsTable reports whether a file has a name that [Open] reads. All but .parquet and .npz
// may be packed (.gz, .zst).
func IsTable(path string) bool { return formats[unpack.Ext(path)] != nil }

// Table are the rows of a file: 2 or 4 bytes a cell where most are not 0, else 4 to 8 a
// cell that is not 0, and 16 to 36 a row.
type Table struct {
	File    string
	Digest  string   // SHA-256 of the file, unpacked where it was packed
	Columns []string // the features
	Layout  Layout   // complete
	// RowNumbers lists the columns that are left out because they number the rows.
	RowNumbers []string

	cells   []cells // of all rows, each of [datasets.BlockRows] but the last
	to      []int32 // the feature of each column of the cells; nil: its own number
	labels  []float64
	phases  []float32    // share of the middlegame; nil: none
	groups  []uint64     // nil: each row is its own
	weights []float64    // nil: all 1
	kinds   []game.Bound // nil: all exact
	places  []uint64     // of each row: a hash of its cells and phase
}

// mostWhole is how many bytes a file may have that must be read as a whole: a packed
// .npz or .parquet, or one from a pipe.
const mostWhole = 4 << 30

// whole is what in holds, to be read from any place: the file itself where that can be,
// else what it says, in memory.
func (b *builder) whole(in io.Reader) (io.ReaderAt, int64, error) {
	if b.file != nil {
		size, err := io.Copy(io.Discard, in) // for its digest
		return b.file, size, err
	}
	data, err := io.ReadAll(io.LimitReader(in, mostWhole+1))
	if err == nil && len(data) > mostWhole {
		err = fmt.Errorf("want at most %d bytes", int64(mostWhole))
	}
	return bytes.NewReader(data), int64(len(data)), err
}

const mostColumns = 1 << 20

// Open reads a table into memory. What is wrong with it is reported with file, line (row,
// where the format has no lines) and column.
func Open(ctx context.Context, path string, layout Layout) (*Table, error) {
	if err := layout.Complete(); err != nil {
		return nil, err
	}
	if !IsTable(path) {
		return nil, fmt.Errorf("%s: want a table: %s", path, Endings)
	}
	f, err := unpack.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	digest := sha256.New()
	b := &builder{ctx: ctx, t: &Table{File: path, Layout: layout}, file: unpack.Plain(f), numbers: map[int][]float64{}}
	if err := formats[unpack.Ext(path)](io.TeeReader(f, digest), b); err != nil {
		return nil, err
	}
	b.seal()
	b.dropRowNumbers()
	t := b.t
	if t.to != nil { // as it came row by row
		for k := range t.cells {
			t.cells[k].reorder(t.to, len(t.Columns))
		}
		t.to = nil
	}
	if len(t.labels) == 0 {
		return nil, fmt.Errorf("%s: no rows: want at least one below the header", path)
	}
	if len(t.Columns) == 0 {
		return nil, fmt.Errorf("%s: no column is a feature: want one besides %s", path, layout.Label)
	}
	t.Digest = hex.EncodeToString(digest.Sum(nil))
	t.hash()
	return t, nil
}

// hash tells rows apart by their cells and phase.
func (t *Table) hash() {
	t.places = make([]uint64, t.Len())
	var shares sync.WaitGroup
	for k, n := 0, runtime.GOMAXPROCS(0); k < n; k++ {
		shares.Go(func() {
			for row, x := range t.between(k*t.Len()/n, (k+1)*t.Len()/n) {
				h := uint64(1)
				if t.phases != nil {
					h = game.Mix(uint64(math.Float32bits(t.phases[row])))
				}
				for _, term := range x {
					h += game.Mix(uint64(uint32(term.Index))<<32 | uint64(math.Float32bits(term.Value)))
				}
				t.places[row] = max(h, 1) // 0 is a row of which nothing is known
			}
		})
	}
	shares.Wait()
}

// rows visits the rows with what is not 0 in them, good until the next one.
func (t *Table) rows() iter.Seq2[int, models.Vector] { return t.between(0, t.Len()) }

// between visits the rows from first to the one before end.
func (t *Table) between(first, end int) iter.Seq2[int, models.Vector] {
	return func(yield func(int, models.Vector) bool) {
		var x models.Vector
		for row := first; row < end; row++ {
			x = t.cells[row/datasets.BlockRows].terms(row%datasets.BlockRows, x[:0])
			if t.to != nil {
				for k, term := range x {
					if term.Index != models.Bias {
						x[k].Index = t.to[term.Index]
					}
				}
			}
			if !yield(row, x) {
				return
			}
		}
	}
}

// Len is the number of rows.
func (t *Table) Len() int { return len(t.labels) }

// game is the number of the game that a row is of: its own, where no column names games.
func (t *Table) game(row int) uint64 {
	if t.groups != nil {
		return t.groups[row]
	}
	return uint64(row)
}

// Grouped reports whether a column says which rows are of one game.
func (t *Table) Grouped() bool { return t.groups != nil }

// Phases are the shares of the middlegame by row; nil: no column tells them.
func (t *Table) Phases() []float32 { return t.phases }

// Labels are the labels by row.
func (t *Table) Labels() []float64 { return t.labels }

// Renumbered is the table with its column c as feature to[c].
func (t *Table) Renumbered(to []int32) *Table {
	out := *t
	out.to = slices.Clone(to)
	for c := range t.to {
		out.to[c] = to[t.to[c]]
	}
	return &out
}

// Tapered reports whether each column has a weight for the middlegame and one for the
// endgame.
func (t *Table) Tapered() bool { return t.phases != nil }

// All implements [datasets.Samples]. Column c is feature c, or where weights are
// tapered features 2c (middlegame) and 2c+1.
func (t *Table) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		var s datasets.Sample
		var tapered models.Vector
		for row, x := range t.rows() {
			if t.Row(row, &s); t.phases != nil {
				tapered = t.tapered(row, x, tapered[:0])
				x = tapered
			}
			s.X = x
			if !yield(&s, nil) {
				return
			}
		}
	}
}

// tapered appends what the terms of a row say to both weights of their columns.
func (t *Table) tapered(row int, x, to models.Vector) models.Vector {
	for _, term := range x {
		mg, eg := t.taper(row, term.Value)
		if mg != 0 {
			to = append(to, models.Term{Index: 2 * term.Index, Value: mg})
		}
		if eg != 0 {
			to = append(to, models.Term{Index: 2*term.Index + 1, Value: eg})
		}
	}
	return to
}

// Thinned is the table with at most so many rows of each game, drawn by the seed.
func (t *Table) Thinned(most int, seed uint64) *Table {
	games := map[uint64][]int{}
	for row := range t.labels {
		games[t.game(row)] = append(games[t.game(row)], row)
	}
	draw := func(row int) uint64 { return game.Mix(uint64(row) ^ game.Mix(seed)) }
	for _, rows := range games {
		if len(rows) > most {
			slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(draw(a), draw(b)) })
		}
	}
	keep := make([]bool, t.Len())
	for _, rows := range games {
		for _, row := range rows[:min(most, len(rows))] {
			keep[row] = true
		}
	}
	out := *t
	out.cells, out.labels, out.places, out.to = nil, nil, nil, nil
	b := &builder{t: &out}
	b.t.phases, b.t.groups, b.t.weights, b.t.kinds = t.phases[:0:0], t.groups[:0:0], t.weights[:0:0], t.kinds[:0:0]
	var s datasets.Sample
	for row, x := range t.rows() {
		if !keep[row] {
			continue
		}
		for _, term := range x {
			b.columns, b.values = append(b.columns, term.Index), append(b.values, term.Value)
		}
		t.Row(row, &s)
		b.label, b.group, b.weight, b.kind = s.Y, s.Episode, s.Weight, s.Kind
		if t.phases != nil {
			b.phase = float64(t.phases[row])
		}
		b.end()
		out.places = append(out.places, t.places[row])
	}
	b.seal()
	return &out
}

// Reach is how many rows have a column, and for feature 2c and 2c+1 how many of them lie in
// the third of the phases nearest to the middlegame and to the endgame.
func (t *Table) Reach() (ends, rows []int64) {
	ends, rows = make([]int64, 2*len(t.Columns)), make([]int64, len(t.Columns))
	for row, x := range t.rows() {
		p := t.phases[row]
		for _, term := range x {
			if term.Index == models.Bias {
				continue
			}
			rows[term.Index]++
			switch {
			case 3*p >= 2:
				ends[2*term.Index]++
			case 3*p <= 1:
				ends[2*term.Index+1]++
			}
		}
	}
	return ends, rows
}

// builder adds rows to a table, cell by cell.
type builder struct {
	ctx     context.Context
	t       *Table
	names   []string
	roles   []role
	feature []int32           // number of a column among the features
	numbers map[int][]float64 // of columns that may number the rows, by feature
	file    *os.File          // what is read, where it is a regular file and not packed
	header  []byte            // the line that names the columns

	// The rows that are not sealed yet.
	ends    []uint32
	columns []int32
	values  []float32

	line   int // of the row at work, for messages
	label  float64
	phase  float64
	group  uint64
	weight float64
	kind   game.Bound
}

// head says what the columns are called.
func (b *builder) head(line int, names []string) error {
	for i, name := range names {
		if strings.ContainsAny(name, "\r\n") || !utf8.ValidString(name) { // messages name columns, on one line
			return fmt.Errorf("%s:%d: column %d, %q: want a name of one line in UTF-8", b.t.File, line, i+1, name)
		}
	}
	roles, err := b.t.Layout.roles(names)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", b.t.File, line, err)
	}
	for i, r := range roles {
		b.add(names[i], r)
	}
	if len(b.t.Columns) > mostColumns {
		return fmt.Errorf("%s:%d: %d columns: want at most %d", b.t.File, line, len(b.t.Columns), mostColumns)
	}
	if slices.Contains(b.roles, phaseRole) {
		b.t.phases = []float32{}
	}
	if slices.Contains(b.roles, groupRole) {
		b.t.groups = []uint64{}
	}
	return nil
}

func (b *builder) add(name string, r role) {
	at := int32(len(b.t.Columns))
	switch r {
	case biasRole:
		at = models.Bias
	case feature, numbered:
		b.t.Columns = append(b.t.Columns, name)
	case skipped:
		if !b.t.Layout.skips(name) {
			b.t.RowNumbers = append(b.t.RowNumbers, fmt.Sprintf("%q", name))
		}
	}
	b.names, b.roles, b.feature = append(b.names, name), append(b.roles, r), append(b.feature, at)
}

// begin starts a row, which stands in a line.
func (b *builder) begin(line int) error {
	b.line, b.label, b.phase, b.group, b.weight, b.kind = line, 0, 0, 0, 1, game.Exact
	if len(b.t.labels)%4096 == 0 {
		return b.ctx.Err()
	}
	return nil
}

// fault is an error in column i of the row at work.
func (b *builder) fault(i int, want, found string) error {
	return fmt.Errorf("%s:%d: column %d, %s: want %s, found %.40q", b.t.File, b.line, i+1, b.names[i], want, found)
}

// mustNumber is a fault where something else than a number stands.
func (b *builder) mustNumber(i int, text string) error { return b.fault(i, "a finite number", text) }

// named puts a group's name; equal numbers are one group, as 5 and 5.0. Episodes
// of samples have numbers, which say what is held out.
func (b *builder) named(i int, text string) error {
	if b.t.Layout.Unit == Utility {
		x, ok := spec.Decimal(text)
		if !ok || !(x >= 0 && x <= mostEpisode && x == math.Trunc(x)) {
			return b.fault(i, "a whole number of at least 0", text)
		}
		b.group = uint64(x)
		return nil
	}
	if text == "" || strings.EqualFold(text, "nan") {
		return b.fault(i, "the name of a game", text)
	}
	h := fnv.New64a()
	io.WriteString(h, spec.Canonical(text))
	b.group = h.Sum64()
	return nil
}

// set puts a number into column i of the row at work.
func (b *builder) set(i int, x float64, text func() string) error {
	if x-x != 0 {
		return b.mustNumber(i, text())
	}
	switch b.roles[i] {
	case labelRole:
		share, ok := b.t.Layout.Unit.share(x)
		if !ok {
			return b.fault(i, b.t.Layout.Unit.want(), text())
		}
		b.label = share
	case phaseRole:
		if b.phase = x / b.t.Layout.PhaseMax; b.phase < 0 || b.phase > 1 {
			return b.fault(i, fmt.Sprintf("a phase from 0 (endgame) to %v", b.t.Layout.PhaseMax), text())
		}
	case weightRole:
		if b.weight = x; x < 0 {
			return b.fault(i, "a weight of at least 0", text())
		}
	case kindRole:
		if b.kind = game.Bound(x); x != 0 && x != 1 && x != 2 {
			return b.fault(i, "0 (exact), 1 (lower bound) or 2 (upper bound)", text())
		}
	case feature, biasRole, numbered:
		if b.roles[i] == numbered {
			b.numbers[int(b.feature[i])] = append(b.numbers[int(b.feature[i])], x)
		}
		if math.Abs(x) > math.MaxFloat32 {
			return b.fault(i, "a number that a float32 can hold", text())
		}
		if v := float32(x); v != 0 {
			b.columns, b.values = append(b.columns, b.feature[i]), append(b.values, v)
		}
	}
	return nil
}

// end finishes the row. Weights and kinds are kept from the first on that says something.
func (b *builder) end() {
	t := b.t
	if b.weight != 1 && t.weights == nil {
		t.weights = slices.Repeat([]float64{1}, len(t.labels))
	}
	if b.kind != game.Exact && t.kinds == nil {
		t.kinds = make([]game.Bound, len(t.labels))
	}
	t.labels = append(t.labels, b.label)
	if b.ends = append(b.ends, uint32(len(b.values))); len(b.ends) == datasets.BlockRows {
		b.seal()
	}
	if t.phases != nil {
		t.phases = append(t.phases, float32(b.phase))
	}
	if t.groups != nil {
		t.groups = append(t.groups, b.group)
	}
	if t.weights != nil {
		t.weights = append(t.weights, b.weight)
	}
	if t.kinds != nil {
		t.kinds = append(t.kinds, b.kind)
	}
}

// seal keeps the rows that came since the last time.
func (b *builder) seal() {
	if len(b.ends) > 0 {
		b.t.cells = append(b.t.cells, seal(b.ends, b.columns, b.values, len(b.t.Columns)))
	}
	b.ends, b.columns, b.values = b.ends[:0], b.columns[:0], b.values[:0]
}
