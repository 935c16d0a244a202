package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding"

	"plyfit/datasets"
	"plyfit/internal/vectors"
)

// numbersOf returns an error unless column x of the table contains the given numbers.
func numbersOf(t *Table, err error, want []float64) error {
	if err != nil {
		return err
	}
	if t.Len() != len(want) {
		return fmt.Errorf("%d rows, want %d", t.Len(), len(want))
	}
	for row, s := range allOf(t) {
		got := float32(0)
		for _, term := range s.X {
			if t.Columns[term.Index] == "x" {
				got = term.Value
			}
		}
		if got != float32(want[row]) {
			return fmt.Errorf("row %d: %v, want %v", row, got, want[row])
		}
	}
	return nil
}

// parquetOf returns a file with the columns label and x, and one row for each value of x.
func parquetOf(t testing.TB, node parquet.Node, values ...parquet.Value) string {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[any](&b, parquet.NewSchema("x", parquet.Group{"label": parquet.Leaf(parquet.DoubleType), "x": node}))
	for _, v := range values {
		vectors.Must(w.WriteRows([]parquet.Row{{parquet.DoubleValue(0.5).Level(0, 0, 0), v.Level(0, 0, 1)}}))
	}
	vectors.Check(w.Close())
	return b.String()
}

// TestParquetTypes checks columns of many Parquet types. A column must either be read correctly or
// be rejected with an error that contains its name, and it must be possible to skip the column.
func TestParquetTypes(t *testing.T) {
	i32, i64 := parquet.Int32Value, parquet.Int64Value
	fixed := func(b ...byte) parquet.Value { return parquet.FixedLenByteArrayValue(b) }
	codecs := map[string]compress.Codec{"none": &parquet.Uncompressed, "snappy": &parquet.Snappy, "gzip": &parquet.Gzip, "zstd": &parquet.Zstd}
	encodings := []encoding.Encoding{&parquet.Plain, &parquet.RLE, &parquet.RLEDictionary, &parquet.DeltaBinaryPacked, &parquet.DeltaLengthByteArray, &parquet.DeltaByteArray, &parquet.ByteStreamSplit}
	for name, c := range map[string]struct {
		node   parquet.Node
		values []parquet.Value
		want   []float64 // nil if the column must be rejected
	}{
		"bool":           {parquet.Leaf(parquet.BooleanType), []parquet.Value{parquet.BooleanValue(true), parquet.BooleanValue(false)}, []float64{1, 0}},
		"int32":          {parquet.Leaf(parquet.Int32Type), []parquet.Value{i32(-7), i32(math.MaxInt32)}, []float64{-7, math.MaxInt32}},
		"int8":           {parquet.Int(8), []parquet.Value{i32(-7)}, []float64{-7}},
		"int64":          {parquet.Int(64), []parquet.Value{i64(-7)}, []float64{-7}},
		"uint8":          {parquet.Uint(8), []parquet.Value{i32(200)}, []float64{200}},
		"uint32":         {parquet.Uint(32), []parquet.Value{i32(-1), i32(math.MinInt32)}, []float64{1<<32 - 1, 1 << 31}},
		"uint64":         {parquet.Uint(64), []parquet.Value{i64(-1), i64(5)}, []float64{1 << 64, 5}},
		"float":          {parquet.Leaf(parquet.FloatType), []parquet.Value{parquet.FloatValue(1.5)}, []float64{1.5}},
		"double":         {parquet.Leaf(parquet.DoubleType), []parquet.Value{parquet.DoubleValue(0.1)}, []float64{0.1}},
		"decimal 32":     {parquet.Decimal(3, 9, parquet.Int32Type), []parquet.Value{i32(1500), i32(-1)}, []float64{1.5, -0.001}},
		"decimal 64":     {parquet.Decimal(3, 18, parquet.Int64Type), []parquet.Value{i64(1<<53 + 1), i64(-2500)}, []float64{9007199254740.993, -2.5}},
		"decimal bytes":  {parquet.Decimal(2, 30, parquet.FixedLenByteArrayType(3)), []parquet.Value{fixed(0, 1, 0), fixed(0xff, 0xff, 0x9c)}, []float64{2.56, -1}},
		"decimal text":   {parquet.Decimal(2, 30, parquet.ByteArrayType), []parquet.Value{parquet.ByteArrayValue([]byte{0x80}), parquet.ByteArrayValue([]byte{100})}, []float64{-1.28, 1}},
		"STRING":         {parquet.String(), []parquet.Value{parquet.ByteArrayValue([]byte("1.5"))}, nil},
		"JSON":           {parquet.JSON(), []parquet.Value{parquet.ByteArrayValue([]byte("1.5"))}, nil},
		"UUID":           {parquet.UUID(), []parquet.Value{fixed(make([]byte, 16)...)}, nil},
		"DATE":           {parquet.Date(), []parquet.Value{i32(20000)}, nil},
		"TIME":           {parquet.Time(parquet.Microsecond), []parquet.Value{i64(20000)}, nil},
		"TIMESTAMP":      {parquet.Timestamp(parquet.Millisecond), []parquet.Value{i64(20000)}, nil},
		"a list":         {parquet.Repeated(parquet.Leaf(parquet.Int32Type)), []parquet.Value{i32(1).Level(0, 1, 1)}, nil},
		"or a group":     {parquet.Group{"y": parquet.Leaf(parquet.Int32Type)}, []parquet.Value{i32(1)}, nil},
		"INT96":          {parquet.Leaf(parquet.Int96Type), []parquet.Value{parquet.Int96Value([3]uint32{1, 2, 3})}, nil},
		"FIXED_LEN_BYTE": {parquet.Leaf(parquet.FixedLenByteArrayType(2)), []parquet.Value{fixed(1, 2)}, nil},
	} {
		path := ""
		check := func(how string, node parquet.Node) {
			path = write(t, "t.parquet", parquetOf(t, node, c.values...))
			exportFile(t, name+" "+how, path, map[string][]float64{"x": c.want})
			table, err := Open(t.Context(), path, Layout{})
			if c.want == nil {
				if err == nil || !strings.Contains(err.Error(), "column x: want") || !strings.Contains(err.Error(), name) {
					t.Errorf("%s: %v, want it to be refused by its name", name, err)
				}
			} else if err := numbersOf(table, err, c.want); err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
			}
		}
		for codec, by := range codecs {
			for _, e := range encodings {
				if node, ok := encoded(c.node, e); ok {
					check(codec+" "+e.Encoding().String(), parquet.Compressed(node, by))
				}
			}
		}
		check("", c.node)
		if _, err := Open(t.Context(), path, Layout{Skip: []string{"x"}}); err == nil || !strings.Contains(err.Error(), "no feature columns") {
			t.Errorf("%s, skipped: %v", name, err)
		}
	}
	// Make sure that the test would detect a reader that ignores the scale of decimals.
	table, err := Open(t.Context(), write(t, "t.parquet", parquetOf(t, parquet.Leaf(parquet.Int32Type), i32(1500))), Layout{})
	if numbersOf(table, err, []float64{1.5}) == nil {
		t.Error("1500 passes as the decimal 1.500")
	}
}

// encoded returns node with the given encoding. ok is false if the type does not support the
// encoding, and for RLE with any type except booleans.
func encoded(node parquet.Node, e encoding.Encoding) (out parquet.Node, ok bool) {
	defer func() { ok = recover() == nil && ok }()
	return parquet.Encoded(node, e), e != &parquet.RLE || node.Type().Kind() == parquet.Boolean
}

// exportFile copies a file and the numbers in its columns to the directory PLYFIT_PARQUET, where
// the Python tests read them. If a list is empty, the column must be rejected.
func exportFile(t *testing.T, name, file string, columns map[string][]float64) {
	if dir := os.Getenv("PLYFIT_PARQUET"); dir != "" {
		vectors.Check(os.WriteFile(filepath.Join(dir, name), vectors.Must(os.ReadFile(file)), 0o600))
		vectors.Check(os.WriteFile(filepath.Join(dir, name+".json"), vectors.Must(json.Marshal(columns)), 0o600))
	}
}

// TestParquetFiles reads files by other programs and passes their numbers to the Python tests.
func TestParquetFiles(t *testing.T) {
	for _, file := range vectors.Must(filepath.Glob("testdata/*.parquet")) {
		var l Layout
		if name := filepath.Base(file); strings.HasPrefix(name, "q21") {
			l.Skip = []string{"note", "l"}
		} else if strings.HasPrefix(name, "k10") {
			l.Skip = []string{"day", "at"}
		}
		table := vectors.Must(Open(t.Context(), file, l))
		columns := map[string][]float64{}
		for _, name := range table.Columns {
			columns[name] = make([]float64, table.Len())
		}
		for row, s := range allOf(table) {
			columns["label"] = append(columns["label"], s.Y)
			for _, term := range s.X {
				columns[table.Columns[term.Index]][row] = float64(term.Value)
			}
		}
		exportFile(t, filepath.Base(file), file, columns)
	}
}

// TestArrayTypes checks NumPy types likewise, in both byte orders and with one or two dimensions.
func TestArrayTypes(t *testing.T) {
	label := append(npy("<f8", "2,", 0), bytes.Repeat(binary.LittleEndian.AppendUint64(nil, math.Float64bits(0.5)), 2)...)
	for kind, want := range map[string]float64{
		"f8": -1.5, "f4": -1.5, "f2": -1.5, "i8": -7, "i4": -7, "i2": -7, "i1": -7, "u8": 1 << 63, "u4": 1<<32 - 7, "u2": 1<<16 - 7, "u1": 249, "b1": 1,
		"c8": math.NaN(), "M8[s]": math.NaN(), "f16": math.NaN(), "O": math.NaN(), "U3": math.NaN(), "S2": math.NaN(), "V8": math.NaN(),
	} {
		for sign, order := range map[string]binary.AppendByteOrder{"<": binary.LittleEndian, ">": binary.BigEndian, "|": binary.LittleEndian} {
			var cell []byte
			switch kind {
			case "f8":
				cell = order.AppendUint64(nil, math.Float64bits(want))
			case "f4":
				cell = order.AppendUint32(nil, math.Float32bits(float32(want)))
			case "f2":
				cell = order.AppendUint16(nil, 0xbe00)
			case "i8":
				cell = order.AppendUint64(nil, uint64(math.MaxUint64-6))
			case "u8":
				cell = order.AppendUint64(nil, 1<<63)
			case "i4", "u4":
				cell = order.AppendUint32(nil, math.MaxUint32-6)
			case "i2", "u2":
				cell = order.AppendUint16(nil, math.MaxUint16-6)
			case "i1", "u1":
				cell = []byte{249}
			case "b1":
				cell = []byte{1}
			default:
				cell = make([]byte, 16)
			}
			for _, shape := range []string{"2,", "2, 1"} {
				arrays := map[string][]byte{"label": label, "x": append(npy(sign+kind, shape, 0), append(cell, cell...)...)}
				path := write(t, "t.npz", string(archive(t, arrays)))
				table, err := Open(t.Context(), path, Layout{})
				if math.IsNaN(want) {
					if err == nil || !strings.Contains(err.Error(), `array "x.npy": type "`+sign+kind) {
						t.Errorf("%s%s: %v, want it to be refused by its name", sign, kind, err)
					}
				} else if err := numbersOf(table, err, []float64{want, want}); err != nil {
					t.Errorf("%s%s (%s): %v", sign, kind, shape, err)
				}
				if _, err := Open(t.Context(), path, Layout{Skip: []string{"x"}}); err == nil || !strings.Contains(err.Error(), "no feature columns") {
					t.Errorf("%s%s, skipped: %v", sign, kind, err)
				}
			}
		}
	}
	// This archive contains game names, labels in a two-dimensional array, and skipped arrays of
	// other shapes.
	text := func(s string) (out []byte) {
		for _, c := range s {
			out = binary.LittleEndian.AppendUint32(out, uint32(c))
		}
		return out
	}
	arrays := map[string][]byte{
		"label": append(npy("<f8", "2, 1", 0), label[len(label)-16:]...), "x": append(npy("|u1", "2,", 0), 3, 4),
		"game": append(npy("<U2", "2,", 0), text("a\x00bé")...), "scalar": npy("<f8", "", 8), "wide": npy("<f8", "2, 3, 4", 192), "pair": npy("<f4", "2, 2", 16),
		"id": append(npy("<u8", "2,", 0), 1, 0, 0, 0, 0, 0, 0, 0x80, 2, 0, 0, 0, 0, 0, 0, 0x80), "nan": append(npy("<f2", "2,", 0), 0, 0, 0, 0x7e),
	}
	table, err := Open(t.Context(), write(t, "t.npz", string(archive(t, arrays))), Layout{Group: "game", Skip: []string{"scalar", "wide", "pair", "id", "nan"}})
	vectors.Check(numbersOf(table, err, []float64{3, 4}))
	if rows := allOf(table); rows[0].Episode == rows[1].Episode || len(table.Columns) != 1 {
		t.Errorf("rows %v, columns %v", rows, table.Columns)
	}
	table, err = Open(t.Context(), write(t, "t.npz", string(archive(t, arrays))), Layout{Group: "id", Skip: []string{"scalar", "wide", "pair", "game", "nan"}})
	if rows := allOf(table); err != nil || rows[0].Episode == rows[1].Episode {
		t.Errorf("2^63+1 and 2^63+2 are one game: %v", err)
	}
	if _, err = Open(t.Context(), write(t, "t.npz", string(archive(t, arrays))), Layout{Group: "nan", Skip: []string{"scalar", "wide", "pair", "game", "id"}}); err == nil {
		t.Error("NaN is the name of a game")
	}
}

// TestForeignTables reads files in testdata that other programs wrote, and checks the errors for
// unsupported ones and for a sparse SciPy matrix.
func TestForeignTables(t *testing.T) {
	for file, l := range map[string]Layout{
		"q31-decimal4.parquet": {Group: "game"}, "q34-u32.parquet": {Group: "game"}, "n8-colvec.npz": {}, "n32-u2.npz": {},
		"q21-duck-extra.parquet": {Group: "game", Skip: []string{"note", "l"}},
	} {
		if _, err := Open(t.Context(), "testdata/"+file, l); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	for file, said := range map[string]string{
		"z1-struct.npz": `array "data.npy": structured arrays are not supported; want one array for each column`, "k10-types.parquet": "column day: want numbers, not DATE",
	} {
		if _, err := Open(t.Context(), "testdata/"+file, Layout{Label: "dec"}); err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("%s: %v, want %q", file, err, said)
		}
	}
	sparse := map[string][]byte{"format": npy("|S3", "", 3), "data": npy("<f8", "2,", 16), "indices": npy("<i4", "2,", 8)}
	if _, err := Open(t.Context(), write(t, "t.npz", string(archive(t, sparse))), Layout{}); err == nil || !strings.Contains(err.Error(), "sparse SciPy matrices") {
		t.Errorf("a sparse matrix: %v", err)
	}
	withoutLayout := vectors.Must(Open(t.Context(), "testdata/t26-cr.csv", Layout{}))
	for file, skip := range map[string]string{"k1-index.parquet": "__index_level_0__", "t2-unnamed.csv": "Unnamed: 0"} {
		numbered := vectors.Must(Open(t.Context(), "testdata/"+file, Layout{}))
		without := vectors.Must(Open(t.Context(), "testdata/"+file, Layout{Skip: []string{skip}}))
		if !equalTables(numbered, without) || fmt.Sprint(numbered.RowNumbers) != fmt.Sprintf("[%q]", skip) {
			t.Errorf("%s: columns %v, row numbers %v", file, numbered.Columns, numbered.RowNumbers)
		}
		if file == "t2-unnamed.csv" && !equalTables(withoutLayout, without) {
			t.Error("ends of lines by CR make another table")
		}
	}
	want := vectors.Must(Open(t.Context(), "testdata/q30-ref.csv", Layout{Group: "game"}))
	got := vectors.Must(Open(t.Context(), "testdata/q31-decimal4.parquet", Layout{Group: "game"}))
	same := func(a, b datasets.Sample) bool { return a.Y == b.Y && a.Position == b.Position }
	if !slices.EqualFunc(allOf(got), allOf(want), same) {
		t.Error("decimals are not the numbers of the CSV")
	}
	// Concatenating two files, headers included, gives a file with the rows of both.
	text := "label,x\n1,2\n0,3\n"
	for ending, comma := range map[string]string{".csv": ",", ".tsv": "\t"} {
		both := strings.ReplaceAll(text+text, ",", comma)
		table, err := Open(t.Context(), write(t, "t"+ending, both), Layout{})
		if err := numbersOf(table, err, []float64{2, 3, 2, 3}); err != nil {
			t.Errorf("%s: %v", ending, err)
		}
	}
}

// equalTables reports whether two tables have equal columns and rows.
func equalTables(a, b *Table) bool {
	return slices.Equal(a.Columns, b.Columns) && fmt.Sprint(allOf(a)) == fmt.Sprint(allOf(b))
}

func allOf(t *Table) (rows datasets.Rows) {
	for s := range t.All() {
		row := *s
		row.X = slices.Clone(s.X)
		rows = append(rows, row)
	}
	return rows
}

// TestRowNumbers checks that a column of row numbers does not affect the table, for several names,
// positions and orders of the numbers. Numbers that repeat or are not whole do not count as row
// numbers, and a column listed in Keep is kept.
func TestRowNumbers(t *testing.T) {
	c := columns{names: []string{"game", "b", "a", "label"}}
	rng := rand.New(rand.NewPCG(5, 8))
	for row := range 300 {
		c.rows = append(c.rows, []float64{float64(row / 7), float64(rng.IntN(3)), rng.NormFloat64(), float64(rng.IntN(2))})
	}
	with := func(name string, place int, number func(row int) float64) *columns {
		d := &columns{names: slices.Insert(slices.Clone(c.names), place, name)}
		for row, r := range c.rows {
			d.rows = append(d.rows, slices.Insert(slices.Clone(r), place, number(row)))
		}
		return d
	}
	shuffled := rng.Perm(300)
	for ending := range formats {
		want := vectors.Must(Open(t.Context(), write(t, "t"+ending, c.inFormat(t, ending)), Layout{}))
		for _, name := range []string{"id", "Index", "row_id", "Unnamed: 0", "Unnamed: 0.1", "__index_level_0__", "...1", ""} {
			if strings.HasSuffix(ending, "svm") && !strings.ContainsAny(name[:min(1, len(name))], "_.") {
				continue // rows of this format omit columns
			}
			for _, place := range []int{0, 2, 4} {
				for _, number := range []func(row int) float64{func(row int) float64 { return float64(row) }, func(row int) float64 { return 1e9 + float64(shuffled[row]) }} {
					got, err := Open(t.Context(), write(t, "t"+ending, with(name, place, number).inFormat(t, ending)), Layout{})
					if err != nil || !equalTables(got, want) || fmt.Sprint(got.RowNumbers) != fmt.Sprintf("[%q]", name) {
						t.Errorf("%s with %q at %d: columns %v, row numbers %v, %v", ending, name, place, got.Columns, got.RowNumbers, err)
					}
				}
			}
		}
		twice := func(row int) float64 { return float64(row % 150) }
		halves := func(row int) float64 { return float64(row) + 0.5 }
		for _, number := range []func(row int) float64{twice, halves} {
			got := vectors.Must(Open(t.Context(), write(t, "t"+ending, with("id", 0, number).inFormat(t, ending)), Layout{}))
			if !slices.Contains(got.Columns, "id") || got.Notes() != nil {
				t.Errorf("%s: an id that is no row number: columns %v", ending, got.Columns)
			}
		}
		got := vectors.Must(Open(t.Context(), write(t, "t"+ending, with("id", 0, func(row int) float64 { return float64(row) }).inFormat(t, ending)), Layout{Keep: []string{"id"}}))
		if !slices.Contains(got.Columns, "id") {
			t.Errorf("%s: a kept id: columns %v", ending, got.Columns)
		}
	}
}

// TestNamesOfGames checks that equal numbers identify the same game in several notations and in two
// formats, and that 2^53 and 2^53+1 identify different games.
func TestNamesOfGames(t *testing.T) {
	table := vectors.Must(Open(t.Context(), write(t, "t.csv", "a,id,game,label\n1,0,5,1\n2,1,5.0,1\n3,2,5e0,0\n4,3,9007199254740993,0\n5,4,9007199254740992,0\n6,5,-0,1\n7,6,0,1\n"), Layout{}))
	numbers := columns{names: []string{"a", "game", "label"}, rows: [][]float64{{1, 5, 1}, {2, 1e15, 0}}}
	double := vectors.Must(Open(t.Context(), write(t, "t.npz", numbers.npz(t)), Layout{}))
	text := vectors.Must(Open(t.Context(), write(t, "t.csv", "a,game,label\n1,5,1\n2,1000000000000000,0\n"), Layout{}))
	groups := func(t *Table) (list []uint64) {
		for _, s := range allOf(t) {
			list = append(list, s.Episode)
		}
		return list
	}
	g := groups(table)
	if g[0] != g[1] || g[0] != g[2] || g[3] == g[4] || g[5] != g[6] || g[0] == g[3] || !slices.Equal(groups(double), groups(text)) || g[0] != groups(text)[0] {
		t.Errorf("groups %v; of numbers %v, of text %v", g, groups(double), groups(text))
	}
}

// TestReorder checks that the order of the cells in a file does not affect the table, both for
// dense and sparse rows and for columns that first occur late in the file.
func TestReorder(t *testing.T) {
	for name, late := range map[string]int{"at once": 0, "late": 400} {
		for _, step := range []int{1, 7} {
			var mixed, sorted strings.Builder
			for row := range 600 {
				var cells []string
				for c := 0; c < 20; c += step {
					if row >= late || c < 8 {
						cells = append(cells, fmt.Sprintf("%d:%d", c+1, row%9+c+1))
					}
				}
				fmt.Fprintln(&sorted, "1", strings.Join(cells, " "))
				slices.Reverse(cells)
				fmt.Fprintln(&mixed, "1\u00a0", strings.Join(cells, " \t"))
			}
			open := func(text string) *Table {
				path := filepath.Join(t.TempDir(), "x.libsvm")
				vectors.Check(os.WriteFile(path, []byte(text), 0o600))
				return vectors.Must(Open(context.Background(), path, Layout{}))
			}
			got, want := open(mixed.String()), open(sorted.String())
			if !equalTables(got, want) {
				t.Errorf("%s, each %d: columns %v, want %v, or other rows", name, step, got.Columns, want.Columns)
			}
		}
	}
}

// TestThinned checks that at most the given number of rows per game is selected, that the selection
// depends on the seed, and that the rows are unchanged.
func TestThinned(t *testing.T) {
	var text strings.Builder
	text.WriteString("label,game,phase,a,b,weight\n")
	for row := range 900 {
		fmt.Fprintf(&text, "%d,g%d,%d,%d,%d,%d\n", row%2, row%30%7, row%25, row, -row%3, 1+row%2)
	}
	table := vectors.Must(Open(context.Background(), write(t, "t.csv", text.String()), Layout{Group: "game", Phase: "phase", PhaseMax: 24}))
	all := map[string]bool{}
	for s := range table.All() {
		all[fmt.Sprint(*s)] = true
	}
	var drawn [][]string
	for seed := range uint64(2) {
		thin := table.Thinned(5, seed)
		rows, games := map[string]bool{}, map[uint64]int{}
		for s := range thin.All() {
			if text := fmt.Sprint(*s); !all[text] {
				t.Fatalf("%s is no row of the table", text)
			} else {
				rows[text] = true
			}
			games[s.Episode]++
		}
		if len(games) != 7 || len(rows) != 35 || thin.Len() != 35 || !slices.Equal(slices.Collect(maps.Values(games)), []int{5, 5, 5, 5, 5, 5, 5}) {
			t.Errorf("%d rows, %v of games, want 5 of each of 7", len(rows), games)
		}
		drawn = append(drawn, slices.Sorted(maps.Keys(rows)))
	}
	if slices.Equal(drawn[0], drawn[1]) {
		t.Error("two seeds draw the same rows")
	}
	if table.Thinned(1000, 1).Len() != 900 {
		t.Error("rows of small games went")
	}
}
