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
	"math"
	"os"
	"slices"
	"strings"
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

// Table is the rows of a file, in memory: 2 or 4 bytes a cell where most are not 0, else 4 to 8 a
// cell that is not 0, and 16 to 37 a row.
type Table struct {
	File    string
	Digest  string   // SHA-256 of the file, unpacked where it was packed
	Columns []string // the features
	Layout  Layout   // complete
	// RowNumbers lists the columns that are left out because they number the rows.
	RowNumbers []string

	*datasets.Store // the rows, whose columns are features and whose positions are hashes of cells and phase
	grouped         bool
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
	b := newBuilder(ctx, path, layout)
	b.file = unpack.Plain(f)
	if err := formats[unpack.Ext(path)](io.TeeReader(f, digest), b); err != nil {
		return nil, err
	}
	b.complete()
	t := b.t
	if t.Len() == 0 {
		return nil, fmt.Errorf("%s: no rows: want at least one below the header", path)
	}
	if len(t.Columns) == 0 {
		return nil, fmt.Errorf("%s: no column is a feature: want one besides %s", path, layout.Label)
	}
	t.Digest = hex.EncodeToString(digest.Sum(nil))
	return t, nil
}

// Grouped reports whether a column says which rows are of one game.
func (t *Table) Grouped() bool { return t.grouped }

// Renumbered is the table with its column c as feature to[c].
func (t *Table) Renumbered(to []int32) *Table {
	out := *t
	out.Store = t.Store.Renumbered(to)
	return &out
}

// Thinned is the table with at most so many rows of each game, drawn by the seed.
func (t *Table) Thinned(most int, seed uint64) *Table {
	var games []uint64
	var order []int
	for x := range datasets.Outlines(t) { // no error, in memory
		games, order = append(games, x.Episode), append(order, len(order))
	}
	draw := func(row int) uint64 { return game.Mix(uint64(row) ^ game.Mix(seed)) }
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(draw(a), draw(b)) })
	keep, taken := make([]bool, len(games)), map[uint64]int{}
	for _, row := range order {
		taken[games[row]]++
		keep[row] = taken[games[row]] <= most
	}
	out, row := *t, 0
	out.Store = &datasets.Store{Limit: datasets.Unlimited, Tapered: t.Tapered}
	for x := range t.Plain().All() {
		if keep[row] {
			out.Add(x)
		}
		row++
	}
	out.Seal()
	return &out
}

// Reach is how many rows have a column, and for feature 2c and 2c+1 how many of them lie in
// the third of the phases nearest to the middlegame and to the endgame.
func (t *Table) Reach() (ends, rows []int64) {
	ends, rows = make([]int64, 2*len(t.Columns)), make([]int64, len(t.Columns))
	for s := range t.Plain().All() {
		for _, term := range s.X {
			if term.Index == models.Bias {
				continue
			}
			rows[term.Index]++
			switch {
			case 3*s.Phase >= 2:
				ends[2*term.Index]++
			case 3*s.Phase <= 1:
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

	to []int32 // the feature of each column, by the order in which the file has them; nil: its own number

	line int // of the row at work, for messages
	now  datasets.Sample
}

func newBuilder(ctx context.Context, file string, layout Layout) *builder {
	t := &Table{File: file, Layout: layout, Store: &datasets.Store{Limit: datasets.Unlimited}}
	return &builder{ctx: ctx, t: t, numbers: map[int][]float64{}}
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
		b.t.Tapered = true
	}
	if slices.Contains(b.roles, groupRole) {
		b.t.grouped = true
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
	b.line, b.now = line, datasets.Sample{X: b.now.X[:0], Weight: 1, Episode: uint64(b.t.Len())}
	if b.t.Len()%4096 == 0 {
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
		b.now.Episode = uint64(x)
		return nil
	}
	if text == "" || strings.EqualFold(text, "nan") {
		return b.fault(i, "the name of a game", text)
	}
	h := fnv.New64a()
	io.WriteString(h, spec.Canonical(text))
	b.now.Episode = h.Sum64()
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
		b.now.Y = share
	case phaseRole:
		phase := x / b.t.Layout.PhaseMax
		if phase < 0 || phase > 1 {
			return b.fault(i, fmt.Sprintf("a phase from 0 (endgame) to %v", b.t.Layout.PhaseMax), text())
		}
		b.now.Phase = float32(phase)
	case weightRole:
		if b.now.Weight = x; x < 0 {
			return b.fault(i, "a weight of at least 0", text())
		}
	case kindRole:
		if b.now.Kind = game.Bound(x); x != 0 && x != 1 && x != 2 {
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
			b.now.X = append(b.now.X, models.Term{Index: b.feature[i], Value: v})
		}
	}
	return nil
}

// end finishes the row.
func (b *builder) end() {
	b.t.identify(&b.now)
	b.t.Add(&b.now)
}

// identify gives a row a hash of its cells and phase as its position.
func (t *Table) identify(row *datasets.Sample) {
	h := uint64(1)
	if t.Tapered {
		h = game.Mix(uint64(math.Float32bits(row.Phase)))
	}
	for _, term := range row.X {
		h += game.Mix(uint64(uint32(term.Index))<<32 | uint64(math.Float32bits(term.Value)))
	}
	row.Position = max(h, 1) // 0 is a row of which nothing is known
}

// gone is the number of a column that is dropped.
const gone = math.MinInt32

// complete ends the rows and puts the columns in their order.
func (b *builder) complete() {
	b.t.Seal()
	b.dropRowNumbers()
	if b.to == nil {
		return
	}
	b.t.Rewrite(func(row *datasets.Sample) {
		for k := range row.X {
			if f := &row.X[k].Index; *f != models.Bias {
				*f = b.to[*f]
			}
		}
		row.X = slices.DeleteFunc(row.X, func(t models.Term) bool { return t.Index == gone })
		slices.SortFunc(row.X, func(a, b models.Term) int { return cmp.Compare(a.Index, b.Index) })
		b.t.identify(row)
	})
}
