package tune

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// truth are the weights that rows are drawn from.
var truth = []Weight{{"pawn", 90, 110}, {"knight", 320, 300}, {"king", -40, 10}}

// rows draws results of games with these weights: columns, phase 0 to 24, game, label.
func rows(n int) (x [][3]float64, phase []float64, label []float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		var row [3]float64
		p, z := float64(rng.IntN(25)), 0.0
		for i, w := range truth {
			row[i] = float64(rng.IntN(7) - 3)
			z += row[i] * (p/24*w.Middlegame + (1-p/24)*w.Endgame)
		}
		y := 0.0
		if rng.Float64() < 1/(1+math.Pow(10, -z/400)) {
			y = 1
		}
		x, phase, label = append(x, row), append(phase, p), append(label, y)
	}
	return x, phase, label
}

// write makes a file in a folder of the test's.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func csvOf(n int) string {
	var b strings.Builder
	b.WriteString("game,phase,pawn,knight,king,label\n")
	x, phase, label := rows(n)
	for i := range x {
		fmt.Fprintf(&b, "g%d,%v,%v,%v,%v,%v\n", i/10, phase[i], x[i][0], x[i][1], x[i][2], label[i])
	}
	return b.String()
}

func npzOf(t *testing.T, n int) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	put := func(name, shape string, data any) {
		w, err := z.Create(name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }\n", shape)
		fmt.Fprintf(w, "\x93NUMPY\x01\x00%c%c%s", len(header)%256, len(header)/256, header)
		if err := binary.Write(w, binary.LittleEndian, data); err != nil {
			t.Fatal(err)
		}
	}
	x, phase, label := rows(n)
	games := make([]float64, n)
	for i := range games {
		games[i] = float64(i / 10)
	}
	put("game", fmt.Sprintf("%d,", n), games)
	put("phase", fmt.Sprintf("%d,", n), phase)
	put("x", fmt.Sprintf("%d, 3", n), x)
	put("label", fmt.Sprintf("%d,", n), label)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, "t.npz", b.String())
}

func parquetOf(t *testing.T, n int) string {
	t.Helper()
	type row struct {
		Game   string  `parquet:"game"`
		King   int32   `parquet:"king"`
		Knight float32 `parquet:"knight"`
		Label  float64 `parquet:"label"`
		Pawn   int64   `parquet:"pawn"`
		Phase  float64 `parquet:"phase"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	x, phase, label := rows(n)
	for i := range x {
		if _, err := w.Write([]row{{fmt.Sprint("g", i/10), int32(x[i][2]), float32(x[i][1]), label[i], int64(x[i][0]), phase[i]}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, "t.parquet", b.String())
}

func libsvmOf(n int) string {
	var b strings.Builder
	x, phase, label := rows(n)
	for i := range x {
		fmt.Fprintf(&b, "%v qid:%d phase:%v", label[i], i/10, phase[i])
		for c, v := range x[i] {
			if v != 0 {
				fmt.Fprintf(&b, " %d:%v", c+1, v)
			}
		}
		b.WriteString(" # a comment\n")
	}
	return b.String()
}

func fitted(t *testing.T, path string, l Layout, o Options) *Result {
	t.Helper()
	table, err := Open(context.Background(), path, l)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Run(context.Background(), table, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFit finds the weights that results were drawn from, and the same ones from
// every format.
func TestFit(t *testing.T) {
	const n = 40000
	f := fitted(t, write(t, "t.csv", csvOf(n)), Layout{Phase: "phase", PhaseMax: 24, Group: "game"}, Options{})
	if f.Report.Episodes+f.Report.HeldOutEpisodes != n/10 {
		t.Errorf("%d and %d games, want %d", f.Report.Episodes, f.Report.HeldOutEpisodes, n/10)
	}
	at := map[string]float64{}
	for _, w := range f.Report.Weights {
		low, high, ok := w.Interval()
		at[w.Name] = (high - low) / 2
		if w.Index >= 0 && !ok {
			t.Errorf("%s has no interval", w.Name)
		}
	}
	for i, w := range f.Weights.Columns {
		for k, pair := range [][2]float64{{w.Middlegame, truth[i].Middlegame}, {w.Endgame, truth[i].Endgame}} {
			half := at[[...]string{"mg ", "eg "}[k]+w.Name]
			if math.Abs(pair[0]-pair[1]) > 2*half || half > 20 {
				t.Errorf("%s: %v ± %v, want %v", w.Name, pair[0], half, pair[1])
			}
		}
	}
	for name, other := range map[string]*Result{
		"libsvm":  fitted(t, write(t, "t.libsvm", libsvmOf(n)), Layout{Phase: "phase", PhaseMax: 24}, Options{HeldOut: 1 << 30}),
		"parquet": fitted(t, parquetOf(t, n), Layout{Phase: "phase", PhaseMax: 24, Group: "game"}, Options{HeldOut: 1 << 30}),
		"npz":     fitted(t, npzOf(t, n), Layout{Phase: "phase", PhaseMax: 24, Group: "game"}, Options{HeldOut: 1 << 30}),
	} {
		all := fitted(t, write(t, "t.csv", csvOf(n)), Layout{Phase: "phase", PhaseMax: 24, Group: "game"}, Options{HeldOut: 1 << 30})
		if other.Report.Rows != n || other.Report.Episodes != n/10 {
			t.Errorf("%s: %d rows of %d games, want %d of %d", name, other.Report.Rows, other.Report.Episodes, n, n/10)
		}
		if math.Abs(other.Report.Loss-all.Report.Loss) > 1e-12 {
			t.Errorf("%s: loss %v, want %v", name, other.Report.Loss, all.Report.Loss)
		}
	}
}

// TestFrozen keeps the starting weight of a frozen column, draws others to the prior,
// and measures what it starts from.
func TestFrozen(t *testing.T) {
	path := write(t, "t.csv", csvOf(20000))
	layout := Layout{Skip: []string{"phase", "game"}}
	start := &Weights{Columns: []Weight{{"knight", 250, 250}, {"pawn", 100, 100}}}
	f := fitted(t, path, layout, Options{Start: start, Frozen: []string{"knight"}, Integers: true})
	if got := f.Weights.Columns[1]; got.Middlegame != 250 {
		t.Errorf("the frozen column weighs %v, want 250", got.Middlegame)
	}
	for _, c := range f.Weights.Columns {
		if c.Middlegame != math.Trunc(c.Middlegame) {
			t.Errorf("%s weighs %v, want a whole number", c.Name, c.Middlegame)
		}
	}
	if f.Rounded == nil || f.Rounded.Training < f.Report.Loss || f.Rounded.Training > f.Report.Loss+1e-4 {
		t.Errorf("loss %+v of the whole numbers, want little more than %v", f.Rounded, f.Report.Loss)
	}
	if b := f.Report.Baselines; len(b) != 1 || b[0].Loss <= f.Report.Loss {
		t.Errorf("baselines %+v, want the starting weights, worse than %v", b, f.Report.Loss)
	}
	drawn := fitted(t, path, layout, Options{Start: start, Penalty: 1000})
	if got := drawn.Weights.Columns[0].Middlegame; math.Abs(got-100) > 1 {
		t.Errorf("a large penalty leaves pawn at %v, want about 100", got)
	}
	scaled := fitted(t, path, layout, Options{Start: &Weights{Columns: []Weight{{"knight", 3, 3}, {"pawn", 1, 1}}}, FitScale: true})
	if got := scaled.Weights.Columns[1].Middlegame; got < 2.5 || got > 3.5 {
		t.Errorf("on the scale of the start knight weighs %v, want about 3", got)
	}
}

// TestFrozenAndIntegers: what is frozen keeps its weight to the last digit, in the table,
// the model and every file, and says in how many rows it is.
func TestFrozenAndIntegers(t *testing.T) {
	path := write(t, "t.csv", csvOf(20000))
	layout := Layout{Phase: "phase", PhaseMax: 24, Group: "game"}
	start := &Weights{Tapered: true, Columns: []Weight{{"knight", 312.3456789, 287.5}}}
	free := fitted(t, path, layout, Options{})
	f := fitted(t, path, layout, Options{Start: start, Frozen: []string{"knight"}, Integers: true})
	if got := f.Weights.Columns[1]; got != start.Columns[0] {
		t.Errorf("frozen at %+v, is %+v", start.Columns[0], got)
	}
	if c := f.Weights.Columns[0]; c.Middlegame != math.Trunc(c.Middlegame) || c.Endgame != math.Trunc(c.Endgame) {
		t.Errorf("%+v, want whole numbers", c)
	}
	for i := range f.Report.Weights {
		if w, want := f.Report.Weights[i], free.Report.Weights[i]; w.Support != want.Support || w.Index >= 0 && w.Support < 10000 {
			t.Errorf("%s: %d rows, want %d, as where it is fitted", w.Name, w.Support, want.Support)
		}
	}
	for name, want := range map[string]string{
		"w.csv": "\nknight,312.3456789,287.5\n", "w.txt": "\nknight 312.3456789 287.5\n", "w.json": `"mg": 312.3456789,`,
		"w.h": "static const double eval_weights[3][2]", "w.go": "{312.3456789, 287.5}, // knight\n",
	} {
		var b bytes.Buffer
		if err := f.Write(&b, name, "eval"); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %v, want %q in\n%s", name, err, want, b.String())
		}
	}
	if row := f.weights().Rows[1]; row[1] != "312.3456789" || row[3] != "287.5" || row[5] != fmt.Sprint(free.weights().Rows[1][5]) {
		t.Errorf("the table says %q", row)
	}
	start.Columns[0] = Weight{"knight", 312, 287}
	var b bytes.Buffer
	f = fitted(t, path, layout, Options{Start: start, Frozen: []string{"knight"}, Integers: true})
	if err := f.Write(&b, "w.h", "eval"); err != nil || !strings.Contains(b.String(), "static const int eval_weights") || !strings.Contains(b.String(), "{312, 287}, // knight") {
		t.Errorf("%v, want whole numbers:\n%s", err, b.String())
	}
}

// coins are games of which the results are a coin each, so that no column tells anything,
// each under several names.
func coins(names int) string {
	const games, rows, columns = 150, 12, 10
	var b strings.Builder
	b.WriteString("game")
	for c := range columns {
		fmt.Fprintf(&b, ",x%d", c)
	}
	b.WriteString(",phase,label\n")
	for name := range names {
		rng := rand.New(rand.NewPCG(5, 6))
		for g := range games {
			label := rng.IntN(2)
			for r := range rows {
				fmt.Fprintf(&b, "%d", name*games+g)
				for range columns {
					fmt.Fprintf(&b, ",%d", rng.IntN(7)-3)
				}
				fmt.Fprintf(&b, ",%d,%d\n", rows-r, label)
			}
		}
	}
	return b.String()
}

// TestRepeatedGames: a game under four names is one piece of evidence, and stands on one
// side. Split by name, pure noise was certainly better than zero.
func TestRepeatedGames(t *testing.T) {
	layout := Layout{Phase: "phase", PhaseMax: 12, Group: "game"}
	once := fitted(t, write(t, "t.csv", coins(1)), layout, Options{})
	four := fitted(t, write(t, "t.csv", coins(4)), layout, Options{})
	a, b := &once.Report, &four.Report
	same := func(what string, x, y float64) {
		t.Helper()
		if math.Abs(x-y) > 1e-6*math.Abs(x) {
			t.Errorf("%s: once %v, four times %v", what, x, y)
		}
	}
	same("training loss", a.Loss, b.Loss)
	same("held-out loss", a.HeldOutLoss, b.HeldOutLoss)
	lowA, highA, _ := a.HeldOutInterval()
	lowB, highB, ok := b.HeldOutInterval()
	same("low", lowA, lowB)
	same("high", highA, highB)
	if !ok || highB < b.Zero.HeldOutLoss || b.HeldOutLoss < b.Zero.HeldOutLoss {
		t.Errorf("held-out loss %v, %v to %v, of pure noise: zero loses %v", b.HeldOutLoss, lowB, highB, b.Zero.HeldOutLoss)
	}
	for i := range a.Weights {
		same(a.Weights[i].Name, a.Weights[i].Value, b.Weights[i].Value)
		same("error of "+a.Weights[i].Name, a.Weights[i].Error, b.Weights[i].Error)
	}
	if n := four.Table.repeats.Episodes; n != 450 || once.Table.repeats.Episodes != 0 || b.Overlap.Rows != 0 {
		t.Errorf("%d games repeat, and %d once; overlap %+v", n, once.Table.repeats.Episodes, b.Overlap)
	}
	if text := four.overlap(); !strings.HasPrefix(text, "450 games go like another one, row for row") {
		t.Error(text)
	}
}

// TestOverlap: rows that stand on both sides are told, where no column names games.
func TestOverlap(t *testing.T) {
	text := coins(1)
	_, again, _ := strings.Cut(text, "\n")
	f := fitted(t, write(t, "t.csv", text+again+again+again), Layout{Phase: "phase", PhaseMax: 12, Skip: []string{"game"}}, Options{HeldOut: 10})
	o := &f.Report.Overlap
	if o.Share < 0.99 || o.Apart || !strings.Contains(f.overlap(), "% stand in training, too: loss") && !strings.Contains(f.overlap(), "All held-out rows stand in training, too.") {
		t.Errorf("%+v: %s", o, f.overlap())
	}
	f = fitted(t, write(t, "t.csv", text), Layout{Phase: "phase", PhaseMax: 12, Skip: []string{"game"}}, Options{HeldOut: 10})
	if text := f.overlap(); f.Report.Overlap.Rows != 0 || text != "None of the held-out rows stands in training." {
		t.Errorf("%+v: %s", f.Report.Overlap, text)
	}
}

// TestUnits: labels of all units come to the same shares, so to the same weights.
func TestUnits(t *testing.T) {
	text := csvOf(5000)
	share := fitted(t, write(t, "t.csv", text), Layout{Group: "game", Skip: []string{"phase"}}, Options{})
	head, body, _ := strings.Cut(text, "\n")
	for unit, words := range map[Unit][2]string{Signed: {"-1", "1"}, WDL: {"0-1", "win"}} {
		lines := strings.Split(strings.TrimSpace(body), "\n")
		for i, line := range lines {
			at := strings.LastIndexByte(line, ',')
			lines[i] = line[:at+1] + words[line[at+1]-'0']
		}
		other := fitted(t, write(t, "t.csv", head+"\n"+strings.Join(lines, "\n")), Layout{Unit: unit, Group: "game", Skip: []string{"phase"}}, Options{})
		if other.Weights.Columns[0] != share.Weights.Columns[0] {
			t.Errorf("%s: %+v, want %+v", unit, other.Weights.Columns[0], share.Weights.Columns[0])
		}
	}
	if got, _ := Centipawns.share(400); math.Abs(got-10.0/11) > 1e-12 {
		t.Errorf("400 centipawns are %v of the point, want 10/11", got)
	}
}

// TestHostile: what is wrong with a table is said with file, line and column.
func TestHostile(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"t.csv", "", "t.csv:1: want a header"},
		{"t.csv", "a,label\n", "no rows"},
		{"t.csv", "label\n1\n", "no column is a feature"},
		{"t.csv", "a,b\n1,2\n", `no column "label": the columns are a, b`},
		{"t.csv", "a,a,label\n1,2,1\n", `column 2: "a" is the name of column 1, too`},
		{"t.csv", "a,,label\n1,2,1\n", "column 2 has no name"},
		{"t.csv", "a,label\n1,0\n2,1\n3,57\n", `t.csv:4: column 2, label: want a label from 0 to 1, unless another unit of labels is declared (wdl, -1..1, cp), found "57"`},
		{"t.csv", "a,label\n1,won\n", `t.csv:2: column 2, label: want a label`},
		{"t.csv", "a,label\nx,1\n", `t.csv:2: column 1, a: want a finite number, found "x"`},
		{"t.csv", "a,label\nNaN,1\n", `t.csv:2: column 1, a: want a finite number`},
		{"t.csv", "a,label\n1e39,1\n", `t.csv:2: column 1, a: want a number that a float32 can hold`},
		{"t.csv", "a,label\n1,1,1\n", `t.csv:2: want 2 cells, as the header has, found 3`},
		{"t.csv", "a,label\n\"1,1\n", `t.csv:2: want quoted cells to end`},
		{"t.csv", "a,weight,label\n1,-1,1\n", `t.csv:2: column 2, weight: want a weight of at least 0`},
		{"t.libsvm", "1 1:2 1:3\n", `t.libsvm:1: column 1 comes twice`},
		{"t.libsvm", "1 pawn\n", `t.libsvm:1: want COLUMN:VALUE after the label, found "pawn"`},
		{"t.libsvm", "2 1:3\n", `t.libsvm:1: column 1, label: want a label`},
		{"t.libsvm", "1 qid:4 1:3\n0 1:3\n", `t.libsvm:2: want a game (qid:GAME) in every row or in none`},
		{"t.npz", "PK nonsense", "t.npz: "},
		{"t.parquet", "PAR1 nonsense", "t.parquet: "},
	} {
		if _, err := Open(context.Background(), write(t, c.name, c.text), Layout{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	path := write(t, "t.csv", "a,phase,label\n1,25,1\n")
	if _, err := Open(context.Background(), path, Layout{Phase: "phase", PhaseMax: 24}); err == nil || !strings.Contains(err.Error(), `t.csv:2: column 2, phase: want a phase from 0 (endgame) to 24, found "25"`) {
		t.Errorf("phase 25 of 24: %v", err)
	}
}

// TestWrite: every format has the columns in their order, and JSON and CSV read back.
func TestWrite(t *testing.T) {
	tapered := fitted(t, write(t, "t.csv", csvOf(5000)), Layout{Phase: "phase", PhaseMax: 24, Group: "game"}, Options{Integers: true})
	plain := fitted(t, write(t, "t.csv", csvOf(5000)), Layout{Skip: []string{"phase", "game"}}, Options{})
	for name, f := range map[string]*Result{"tapered": tapered, "plain": plain} {
		for ext := range writers {
			var b bytes.Buffer
			if err := f.Write(&b, "w"+ext, "mine"); err != nil {
				t.Fatalf("%s %s: %v", name, ext, err)
			}
			if a, z := strings.Index(b.String(), "pawn"), strings.LastIndex(b.String(), "king"); a < 0 || z < a {
				t.Errorf("%s %s: the columns are not in their order:\n%s", name, ext, b.String())
			}
			if ext != ".json" && ext != ".csv" {
				continue
			}
			back, err := ReadWeights(write(t, "w"+ext, b.String()))
			if err != nil {
				t.Fatalf("%s %s: %v", name, ext, err)
			}
			for i, c := range back.Columns {
				if c != f.Weights.Columns[i] {
					t.Errorf("%s %s: %+v read back, want %+v", name, ext, c, f.Weights.Columns[i])
				}
			}
		}
	}
	if err := CheckOutput("w.xls", "eval"); err == nil {
		t.Error("w.xls is taken")
	}
	if err := CheckOutput("w.h", "2eval"); err == nil {
		t.Error("name 2eval is taken")
	}
}
