// Package table reads tables written by other programs and writes samples as tables.
//
//  1. A [Layout] specifies the label column and its [Unit], and optionally the columns for
//     the game and the phase.
//
//  2. [Open] reads a [Table]. The file extension selects the format. Errors about a cell contain
//     its line and column.
//
//  3. The rows of the table are samples. Their features are the columns or, after
//     [Table.Renumbered], the features of a feature set.
//
//  4. [Write] writes samples as a table.
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

// formats maps file extensions to readers.
var formats = map[string]func(in io.Reader, b *builder) error{
	".csv":     readCSV,
	".tsv":     readTSV,
	".libsvm":  readLIBSVM,
	".svm":     readLIBSVM,
	".parquet": readParquet,
	".npz":     readNPZ,
}

// Endings lists the file extensions that [Open] supports, for error messages.
const Endings = ".csv, .tsv, .libsvm, .svm, .parquet or .npz"

// IsTable reports whether [Open] supports the extension of path, which may be followed by the
// extension of a compressed file (.gz, .zst).
func IsTable(path string) bool { return formats[unpack.Ext(path)] != nil }

// A Table contains the rows of a file in memory. If most cells are not 0, each cell takes 2 or 4
// bytes. Otherwise each nonzero cell takes 2 to 8 bytes. Each row takes another 16 to 41 bytes.
type Table struct {
	File    string
	Digest  string   // SHA-256 of the uncompressed file
	Columns []string // names of the features
	Layout  Layout   // with defaults filled in
	// RowNumbers lists the columns that were excluded because they contain only row numbers.
	RowNumbers []string

	*datasets.Store // rows; Position is a hash of the cells and the phase
	grouped         bool
}

// mostWhole is the maximum size in bytes of a file that has to be read into memory as a whole, such
// as a compressed .npz file or a file from a pipe.
const mostWhole = 4 << 30

// whole returns the input for random access: the file itself if possible, or its contents in memory
// otherwise.
func (b *builder) whole(in io.Reader) (io.ReaderAt, int64, error) {
	if b.file != nil {
		size, err := io.Copy(io.Discard, in) // feeds the digest
		return b.file, size, err
	}
	data, err := io.ReadAll(io.LimitReader(in, mostWhole+1))
	if err == nil && len(data) > mostWhole {
		err = fmt.Errorf("want at most %d bytes", int64(mostWhole))
	}
	return bytes.NewReader(data), int64(len(data)), err
}

const mostColumns = 1 << 20

// Open reads a table into memory. Errors about a cell include the file, the line and the column. In
// formats without lines, the line is the row number.
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
		return nil, fmt.Errorf("%s: no feature columns; want at least one in addition to %s", path, layout.Label)
	}
	t.Digest = hex.EncodeToString(digest.Sum(nil))
	return t, nil
}

// Grouped reports whether a column identifies the game of each row.
func (t *Table) Grouped() bool { return t.grouped }

// Renumbered returns a view of the table in which column c is feature to[c].
func (t *Table) Renumbered(to []int32) *Table {
	out := *t
	out.Store = t.Store.Renumbered(to)
	return &out
}

// Thinned returns a copy of the table with at most the given number of rows per game, selected at
// random as determined by seed.
func (t *Table) Thinned(most int, seed uint64) *Table {
	var games []uint64
	var order []int
	for x := range datasets.Outlines(t) { // reading from memory cannot fail
		games, order = append(games, x.Episode), append(order, len(order))
	}
	draw := func(row int) uint64 { return game.Mix(uint64(row) ^ game.Mix(seed)) }
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(draw(a), draw(b)) })
	keep, kept := make([]bool, len(games)), map[uint64]int{}
	for _, row := range order {
		kept[games[row]]++
		keep[row] = kept[games[row]] <= most
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

// Reach counts the rows in which each column is not 0. ends[2c] counts those of column c with a
// phase of at least 2/3, which is near the middlegame, and ends[2c+1] those with a phase of at most
// 1/3.
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

// A builder adds rows to a table, cell by cell.
type builder struct {
	ctx     context.Context
	t       *Table
	names   []string
	roles   []role
	feature []int32           // feature index of each column
	numbers map[int][]float64 // values of columns that may contain row numbers, by feature index
	file    *os.File          // input file; nil if it is compressed or not a regular file

	to []int32 // maps feature indices in file order to final ones; nil if they are the same

	line    int // line of the current row, for error messages
	current datasets.Sample
}

func newBuilder(ctx context.Context, file string, layout Layout) *builder {
	t := &Table{File: file, Layout: layout, Store: &datasets.Store{Limit: datasets.Unlimited}}
	return &builder{ctx: ctx, t: t, numbers: map[int][]float64{}}
}

// head adds the columns with the given names, read from the given line.
func (b *builder) head(line int, names []string) error {
	for i, name := range names {
		if strings.ContainsAny(name, "\r\n") || !utf8.ValidString(name) { // error messages contain column names and must be one line
			return fmt.Errorf("%s:%d: column %d, %q: want a single-line name in UTF-8", b.t.File, line, i+1, name)
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

// begin starts a row, read from the given line.
func (b *builder) begin(line int) error {
	b.line, b.current = line, datasets.Sample{X: b.current.X[:0], Weight: 1, Episode: uint64(b.t.Len())}
	if b.t.Len()%4096 == 0 {
		return b.ctx.Err()
	}
	return nil
}

// fault returns an error about column i of the current row.
func (b *builder) fault(i int, want, found string) error {
	return fmt.Errorf("%s:%d: column %d, %s: want %s, found %.40q", b.t.File, b.line, i+1, b.names[i], want, found)
}

// mustNumber returns the error for a cell that is not a finite number.
func (b *builder) mustNumber(i int, text string) error { return b.fault(i, "a finite number", text) }

// setGroup sets the game of the current row. Numbers with the same value, such as 5 and 5.0, identify
// the same game. Samples identify games by number, so names are hashed.
func (b *builder) setGroup(i int, text string) error {
	if b.t.Layout.Unit == Utility {
		x, ok := spec.Decimal(text)
		if !ok || !(x >= 0 && x <= mostEpisode && x == math.Trunc(x)) {
			return b.fault(i, "a whole number of at least 0", text)
		}
		b.current.Episode = uint64(x)
		return nil
	}
	if text == "" || strings.EqualFold(text, "nan") {
		return b.fault(i, "the name of a game", text)
	}
	h := fnv.New64a()
	io.WriteString(h, spec.Canonical(text))
	b.current.Episode = h.Sum64()
	return nil
}

// set stores a number in column i of the current row. The function text formats the number for
// error messages.
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
		b.current.Y = share
	case phaseRole:
		phase := x / b.t.Layout.PhaseMax
		if phase < 0 || phase > 1 {
			return b.fault(i, fmt.Sprintf("a phase from 0 (endgame) to %v", b.t.Layout.PhaseMax), text())
		}
		b.current.Phase = float32(phase)
	case weightRole:
		if b.current.Weight = x; x < 0 {
			return b.fault(i, "a weight of at least 0", text())
		}
	case kindRole:
		if b.current.Kind = game.Bound(x); x != 0 && x != 1 && x != 2 {
			return b.fault(i, "0 (exact), 1 (lower bound) or 2 (upper bound)", text())
		}
	case feature, biasRole, numbered:
		if b.roles[i] == numbered {
			b.numbers[int(b.feature[i])] = append(b.numbers[int(b.feature[i])], x)
		}
		if math.Abs(x) > math.MaxFloat32 {
			return b.fault(i, "a number within the range of float32", text())
		}
		if v := float32(x); v != 0 {
			b.current.X = append(b.current.X, models.Term{Index: b.feature[i], Value: v})
		}
	}
	return nil
}

// end adds the current row to the table.
func (b *builder) end() {
	b.t.identify(&b.current)
	b.t.Add(&b.current)
}

// identify sets the position of a row to a hash of its cells and phase.
func (t *Table) identify(row *datasets.Sample) {
	h := uint64(1)
	if t.Tapered {
		h = game.Mix(uint64(math.Float32bits(row.Phase)))
	}
	for _, term := range row.X {
		h += game.Mix(uint64(uint32(term.Index))<<32 | uint64(math.Float32bits(term.Value)))
	}
	row.Position = max(h, 1) // 0 means unknown
}

// dropped is the index that marks dropped features.
const dropped = math.MinInt32

// complete adds the last rows, removes columns of row numbers and puts the columns into their final
// order.
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
		row.X = slices.DeleteFunc(row.X, func(t models.Term) bool { return t.Index == dropped })
		slices.SortFunc(row.X, func(a, b models.Term) int { return cmp.Compare(a.Index, b.Index) })
		b.t.identify(row)
	})
}
