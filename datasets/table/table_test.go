package table

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// write creates a file in the test's temporary directory and returns its path.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	vectors.Check(os.WriteFile(path, []byte(text), 0o644))
	return path
}

// columns is a small table: column names and rows.
type columns struct {
	names []string
	rows  [][]float64
}

// text formats the rows below the given header, with cells separated by commas.
func (c *columns) text(head, comma string) string {
	var b strings.Builder
	b.WriteString(head)
	for _, row := range c.rows {
		for i, x := range row {
			if i > 0 {
				b.WriteString(comma)
			}
			fmt.Fprint(&b, x)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// libsvm formats the rows with the label first and without zeros.
func (c *columns) libsvm() string {
	var b strings.Builder
	for _, row := range c.rows {
		fmt.Fprint(&b, row[slices.Index(c.names, "label")])
		for i, x := range row {
			switch name := c.names[i]; {
			case name == "episode":
				fmt.Fprintf(&b, " qid:%v", x)
			case name != "label" && x != 0:
				fmt.Fprintf(&b, " %s:%v", name, x)
			}
		}
		b.WriteString(" # a comment\n")
	}
	return b.String()
}

func (c *columns) npz(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, name := range c.names {
		w := vectors.Must(z.Create(name + ".npy"))
		header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }\n", len(c.rows))
		fmt.Fprintf(w, "\x93NUMPY\x01\x00%c%c%s", len(header)%256, len(header)/256, header)
		for _, row := range c.rows {
			vectors.Check(binary.Write(w, binary.LittleEndian, row[i]))
		}
	}
	vectors.Check(z.Close())
	return b.String()
}

func (c *columns) parquet(t testing.TB) string {
	t.Helper()
	group := parquet.Group{}
	for _, name := range c.names {
		group[name] = parquet.Leaf(parquet.DoubleType)
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[map[string]float64](&b, parquet.NewSchema("x", group))
	order := slices.Sorted(slices.Values(c.names))
	for _, row := range c.rows {
		var out parquet.Row
		for k, name := range order {
			out = append(out, parquet.DoubleValue(row[slices.Index(c.names, name)]).Level(0, 0, k))
		}
		vectors.Must(w.WriteRows([]parquet.Row{out}))
	}
	vectors.Check(w.Close())
	return b.String()
}

// inFormat returns the contents of a file with the given extension.
func (c *columns) inFormat(t testing.TB, ending string) string {
	switch head := c.names; ending {
	case ".csv":
		return c.text(strings.Join(head, ",")+"\n", ",")
	case ".tsv":
		return c.text(strings.Join(head, "\t")+"\n", "\t")
	case ".libsvm", ".svm":
		return c.libsvm()
	case ".npz":
		return c.npz(t)
	case ".parquet":
		return c.parquet(t)
	}
	t.Fatalf("%s: want a maker for the format", ending)
	return ""
}

// A row is a sample with named features.
type row struct {
	x         map[string]float32
	y, weight float64
	kind      game.Bound
	episode   uint64
}

func rowsOf(t testing.TB, table *Table) (out []row) {
	t.Helper()
	for s, err := range table.All() {
		if err != nil {
			t.Fatal(err)
		}
		r := row{map[string]float32{}, s.Y, s.Weight, s.Kind, s.Episode}
		for _, x := range s.X {
			name := "bias"
			if x.Index != models.Bias {
				name = table.Columns[x.Index]
			}
			r.x[name] += x.Value
		}
		out = append(out, r)
	}
	return out
}

// TestFormats checks that all formats produce the same samples from the same columns, both for the
// unit 0..1 and for Utility.
func TestFormats(t *testing.T) {
	c := columns{names: []string{"episode", "weight", "kind", "bias", "b", "a", "label"}}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		c.rows = append(c.rows, []float64{float64(i / 7), rng.Float64(), float64(rng.IntN(3)), float64(1 - 2*rng.IntN(2)), float64(rng.IntN(5) - 2), rng.NormFloat64(), rng.Float64()})
	}
	for _, unit := range []Unit{unitShare, Utility} {
		var want []row
		for _, r := range c.rows {
			w := row{map[string]float32{}, r[6], r[1], game.Exact, uint64(r[0])}
			features := []int{2, 3, 4, 5}
			if unit == Utility {
				w.kind, features = game.Bound(r[2]), []int{3, 4, 5}
			}
			for _, k := range features {
				if r[k] != 0 {
					w.x[c.names[k]] = float32(r[k])
				}
			}
			want = append(want, w)
		}
		for ending := range formats {
			table := vectors.Must(Open(t.Context(), write(t, "t"+ending, c.inFormat(t, ending)), Layout{Unit: unit}))
			got := rowsOf(t, table)
			if unit != Utility { // games are identified by a hash of their names
				numbers := map[uint64]uint64{}
				for i := range got {
					if _, known := numbers[got[i].episode]; !known {
						numbers[got[i].episode] = uint64(len(numbers))
					}
					got[i].episode = numbers[got[i].episode]
				}
			}
			if !table.Grouped() || !reflect.DeepEqual(got, want) {
				t.Errorf("%s of unit %s: read %+v, want %+v", ending, unit, got[:2], want[:2])
			}
		}
	}
}

// someSamples returns samples whose numbers have many digits, some of them very large or small.
func someSamples(features, n int) (names []string, out datasets.Rows) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range features {
		names = append(names, []string{"corner", "it's, 100% \"x\"", "two words", "{a}", "@data"}[i%5]+strings.Repeat("i", i/5))
	}
	for range n {
		s := datasets.Sample{Y: rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20)), Weight: rng.Float64(), Kind: game.Bound(rng.IntN(3)), Episode: rng.Uint64() >> 12}
		s.X = append(s.X, models.Term{Index: models.Bias, Value: float32(1 - 2*rng.IntN(2))})
		for i := range features {
			if rng.IntN(2) == 0 {
				s.X = append(s.X, models.Term{Index: int32(i), Value: float32(rng.NormFloat64() * math.Pow(10, float64(rng.IntN(60)-30)))})
			}
		}
		out = append(out, s)
	}
	return names, out
}

func collect(t testing.TB, s datasets.Samples) (out datasets.Rows) {
	t.Helper()
	for x, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		y := *x
		y.X, y.Position = slices.Clone(x.X), 0
		out = append(out, y)
	}
	return out
}

// TestExchange checks that a written table can be read back without any loss of precision.
func TestExchange(t *testing.T) {
	for _, features := range []int{1, 7, 700} {
		names, want := someSamples(features, 50)
		var text bytes.Buffer
		vectors.Check(Write(t.Context(), &text, names, want))
		table := vectors.Must(Open(t.Context(), write(t, "t.csv", text.String()), Layout{Unit: Utility}))
		if got := collect(t, table); !slices.Equal(table.Columns, names) || !reflect.DeepEqual(got, want) {
			t.Errorf("%d features: read\n%+v, want\n%+v", features, got[0], want[0])
		}
	}
	for want, err := range map[string]error{
		`"label" is also the name of column`: Write(t.Context(), io.Discard, []string{"label"}, datasets.Rows{}),
		"2^53":                               Write(t.Context(), io.Discard, []string{"a"}, datasets.Rows{{Episode: 1 << 60}}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	_, samples := someSamples(2, 1000)
	if err := Write(t.Context(), fullDisk{}, []string{"a", "b"}, samples); !errors.Is(err, errFull) {
		t.Errorf("on a full disk: error %v", err)
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// TestUnits checks that labels are converted to fractions of a point, except in the unit Utility.
func TestUnits(t *testing.T) {
	for unit, words := range map[Unit][3]string{unitShare: {"0", "0.5", "1"}, unitSigned: {"-1", "0", "1"}, unitWDL: {"0-1", "draw", "win"}, unitCentipawns: {"-1e5", "0", "1e5"}} {
		table := vectors.Must(Open(t.Context(), write(t, "t.csv", "a,label\n1,"+strings.Join(words[:], "\n1,")), Layout{Unit: unit}))
		for i, s := range allOf(table) {
			if math.Abs(s.Y-float64(i)/2) > 1e-9 {
				t.Errorf("%s: %s is %v, want %v", unit, words[i], s.Y, float64(i)/2)
			}
		}
	}
	if got, _ := unitCentipawns.share(400); math.Abs(got-10.0/11) > 1e-12 {
		t.Errorf("400 centipawns are %v of the point, want 10/11", got)
	}
	table, err := Open(t.Context(), write(t, "t.csv", "a,label\n1,-300.5"), Layout{Unit: Utility})
	if err != nil || allOf(table)[0].Y != -300.5 {
		t.Errorf("%v", err)
	}
}

// TestHostile checks the errors for invalid tables. For most invalid cells, they must contain the
// file, line and column.
func TestHostile(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		layout           Layout
	}{
		{"t.csv", "", "t.csv:1: want a header", Layout{}},
		{"t.csv", "a,label\n", "no rows", Layout{}},
		{"t.csv", "label\n1\n", "no feature columns", Layout{}},
		{"t.csv", "a,b\n1,2\n", `no column "label": the columns are a, b`, Layout{}},
		{"t.csv", "a,a,label\n1,2,1\n", `column 2: "a" is also the name of column 1`, Layout{}},
		{"t.csv", "a,id,label\n1,x,1\n", `column 2, id: want a finite number`, Layout{}},
		{"t.csv", "\xff\xfea\x00", "t.csv:1: UTF-16", Layout{}},
		{"t.libsvm", "\x001\x00 ", "t.libsvm:1: UTF-16 text or a binary file; want UTF-8 text", Layout{}},
		{"t.csv", "a,label\n1,32002\n", "want a label from -32000 to 32000 centipawns", Layout{Unit: unitCentipawns}},
		{"t.csv", "a\xff,label\n1,2\n", "want a single-line name in UTF-8", Layout{}},
		{"t.csv", "a,label\n1,0\n2,1\n3,57\n", `t.csv:4: column 2, label: want a label from 0 to 1, unless another label unit is declared (wdl, -1..1, cp), found "57"`, Layout{}},
		{"t.csv", "a,label\n1,won\n", `t.csv:2: column 2, label: want a label`, Layout{}},
		{"t.csv", "a,label\nx,1\n", `t.csv:2: column 1, a: want a finite number, found "x"`, Layout{}},
		{"t.csv", "a,label\nNaN,1\n", `t.csv:2: column 1, a: want a finite number`, Layout{}},
		{"t.csv", "a,label\n1e39,1\n", `t.csv:2: column 1, a: want a number within the range of float32`, Layout{}},
		{"t.csv", "a,label\n1,1,1\n", `t.csv:2: want 2 cells, as in the header; found 3`, Layout{}},
		{"t.csv", "a,label\n\"1,1\n", `t.csv:2: missing closing quote`, Layout{}},
		{"t.csv", "a,weight,label\n1,-1,1\n", `t.csv:2: column 2, weight: want a weight of at least 0`, Layout{}},
		{"t.csv", "a,phase,label\n1,25,1\n", `t.csv:2: column 2, phase: want a phase from 0 (endgame) to 24, found "25"`, Layout{Phase: "phase", PhaseMax: 24}},
		{"t.csv", "a,episode,label\n1,-1,1\n", `t.csv:2: column 2, episode: want a whole number`, Layout{Unit: Utility}},
		{"t.csv", "a,kind,label\n1,3,1\n", `t.csv:2: column 2, kind: want 0 (exact), 1 (lower bound) or 2 (upper bound), found "3"`, Layout{Unit: Utility}},
		{"t.csv", "a,label\n1,inf\n", `t.csv:2: column 2, label: want a finite number, found "inf"`, Layout{Unit: Utility}},
		{"t.libsvm", "1 1:2 1:3\n", `t.libsvm:1: column 1 occurs twice`, Layout{}},
		{"t.libsvm", "1 pawn\n", `t.libsvm:1: want COLUMN:VALUE after the label, found "pawn"`, Layout{}},
		{"t.libsvm", "2 1:3\n", `t.libsvm:1: column 1, label: want a label`, Layout{}},
		{"t.libsvm", "1 qid:4 1:3\n0 1:3\n", `t.libsvm:2: want a game (qid:GAME) in every row or in none`, Layout{}},
		{"t.csv", "label,a\n1,1_000\n", `found "1_000"`, Layout{}},
		{"t.csv", "label,a\n0_0,1\n", `found "0_0"`, Layout{}},
		{"t.csv", "label,a\n1,0x10p0\n", `found "0x10p0"`, Layout{}},
		{"t.libsvm", "1 a:1_000\n", "found", Layout{}},
		{"t.libsvm", "0_1 a:1\n", `found "0_1"`, Layout{}},
		{"t.npz", "PK nonsense", "t.npz: ", Layout{}},
		{"t.parquet", "PAR1 nonsense", "t.parquet: ", Layout{}},
	} {
		if _, err := Open(t.Context(), write(t, c.name, c.text), c.layout); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}
