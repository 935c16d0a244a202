package models

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// awkward lists names that need quoting.
var awkward = []string{`say "x"`, `a*/b`, `back\slash`, "café ??/", `100%`}

// exported returns exports of a model with awkward names, one for each kind of link.
func exported() []*Export {
	var all []*Export
	for i, l := range []Link{{Kind: Identity}, {Logistic, .05}, {Tanh, .02}} {
		blocks := []Block{{Name: "own", Len: 1}, {Name: "phase", Len: 8}, {Name: "odd", Len: len(awkward), Label: func(i int) string { return awkward[i] }},
			{Name: "pattern", Len: 27, Table: true}}
		m := New("some game", "some game/set", blocks)
		rng := rand.New(rand.NewPCG(1, uint64(i)))
		for k := range m.Weights {
			m.Weights[k] = math.Exp(rng.NormFloat64()*4) * float64(1-2*(k%2))
		}
		for k := range m.Table {
			m.Table[k] = float32(rng.NormFloat64())
		}
		m.Bias, m.Link = rng.NormFloat64(), l
		e := &Export{Model: m, Min: -1, Max: 3, Name: "eval_" + string(l.Kind)}
		if l.Kind == Identity {
			e.Min, e.Max = math.Inf(-1), math.Inf(1)
		}
		all = append(all, e)
	}
	return all
}

// inputs returns 10,000 random vectors of n small whole numbers, most of which are 0.
func inputs(n int) [][]float64 {
	rng := rand.New(rand.NewPCG(5, 5))
	all := make([][]float64, 10000)
	for i := range all {
		all[i] = make([]float64, n)
		for k := range all[i] {
			if rng.IntN(4) == 0 {
				all[i][k] = float64(rng.IntN(17) - 8)
			}
		}
	}
	return all
}

func sparse(x []float64) Vector {
	var v Vector
	for i, a := range x {
		if a != 0 {
			v = append(v, Term{int32(i), float32(a)})
		}
	}
	return v
}

func (e *Export) value(x []float64) float64 {
	return e.Model.Link.Apply(e.Model.Bias+e.Model.Dot(sparse(x)), e.Min, e.Max)
}

func closeTo(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// run passes all inputs to a compiled program on standard input. For each input, the program must
// print the dense and the sparse evaluation by each export.
func run(t *testing.T, cmd *exec.Cmd, exports []*Export, xs [][]float64) {
	t.Helper()
	var in, out bytes.Buffer
	for _, x := range xs {
		binary.Write(&in, binary.LittleEndian, x)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, os.Stderr
	vectors.Check(cmd.Run())
	if want := 16 * len(xs) * len(exports); out.Len() != want {
		t.Fatalf("%d bytes of values, want %d", out.Len(), want)
	}
	for i, x := range xs {
		for _, e := range exports {
			var got [2]float64
			binary.Read(&out, binary.LittleEndian, &got)
			want := e.value(x)
			closeTo(t, fmt.Sprintf("%s, vector %d, dense", e.Name, i), got[0], want)
			closeTo(t, fmt.Sprintf("%s, vector %d, sparse", e.Name, i), got[1], want)
		}
	}
}

func write(t *testing.T, path string, f func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	vectors.Check(f(&b))
	vectors.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	vectors.Check(os.WriteFile(path, b.Bytes(), 0o644))
}

func written(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func TestGoAgrees(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command to compile the export with")
	}
	dir, exports := t.TempDir(), exported()
	n := exports[0].Model.Len()
	var imports, calls strings.Builder
	for _, e := range exports {
		path := filepath.Join(dir, e.Name, "evaluation.go")
		write(t, path, e.Go)
		fmt.Fprintf(&imports, "\t\"alone/%s\"\n", e.Name)
		fmt.Fprintf(&calls, "\t\tvalues = append(values, %[1]s.Eval(x), %[1]s.EvalSparse(index, value))\n", e.Name)
		fmt.Fprintf(&calls, "\t\tif %s.Features[9].Name != %q {\n\t\t\tpanic(\"names\")\n\t\t}\n", e.Name, awkward[0])
	}
	write(t, filepath.Join(dir, "go.mod"), written("module alone\n\ngo 1.21\n"))
	write(t, filepath.Join(dir, "main.go"), written(`package main

import (
`+imports.String()+`	"bufio"
	"encoding/binary"
	"os"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	x := make([]float64, `+strconv.Itoa(n)+`)
	for binary.Read(in, binary.LittleEndian, x) == nil {
		var index []int32
		var value, values []float64
		for i, v := range x {
			if v != 0 {
				index, value = append(index, int32(i)), append(value, v)
			}
		}
`+calls.String()+`		binary.Write(out, binary.LittleEndian, values)
	}
}
`))
	program := filepath.Join(dir, "program")
	build := exec.Command(goTool, "build", "-o", program, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run(t, exec.Command(program), exports, inputs(n))

	source, _ := os.ReadFile(filepath.Join(dir, exports[1].Name, "evaluation.go"))
	if gofmt, err := exec.LookPath("gofmt"); err == nil {
		if out, _ := exec.Command(gofmt, "-l", dir).Output(); strings.Contains(string(out), "evaluation.go") {
			t.Errorf("gofmt would change\n%s", source)
		}
	}
	if !strings.Contains(string(source), "to 1e-09*max(1,|value|)") {
		t.Error("no tolerance in the file")
	}
}

func TestCAgrees(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler to compile the export with")
	}
	dir, exports := t.TempDir(), exported()
	n := exports[0].Model.Len()
	var includes, calls strings.Builder
	for k, e := range exports {
		write(t, filepath.Join(dir, e.Name+".h"), e.C)
		fmt.Fprintf(&includes, "#include \"%s.h\"\n", e.Name)
		fmt.Fprintf(&calls, "    v[%d] = %[2]s_eval(x); v[%d] = %[2]s_eval_sparse(n, index, value);\n", 2*k, e.Name, 2*k+1)
		fmt.Fprintf(&calls, "    if (strcmp(%s_names[12], %s)) return 1;\n", e.Name, quoteC(awkward[3]))
	}
	write(t, filepath.Join(dir, "main.c"), written(includes.String()+fmt.Sprintf(`#include <stdio.h>
#include <string.h>
int main(void) {
  double x[%[1]d], value[%[1]d], v[%[2]d];
  int index[%[1]d];
  while (fread(x, sizeof x, 1, stdin) == 1) {
    int n = 0;
    for (int i = 0; i < %[1]d; i++)
      if (x[i] != 0) { index[n] = i; value[n++] = x[i]; }
%[3]s    fwrite(v, sizeof v, 1, stdout);
  }
  return 0;
}
`, n, 2*len(exports), calls.String())))
	program := filepath.Join(dir, "program")
	build := exec.Command(cc, "-std=c99", "-Wall", "-Werror", "-pedantic", "-o", program, filepath.Join(dir, "main.c"), "-lm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run(t, exec.Command(program), exports, inputs(n))
}

// TestModulesAgree checks the exports as Python and JavaScript.
func TestModulesAgree(t *testing.T) {
	for command, ending := range map[string]string{"python3": ".py", "node": ".mjs"} {
		if _, err := exec.LookPath(command); err != nil {
			continue
		}
		dir, exports := t.TempDir(), exported()
		n := exports[0].Model.Len()
		args := []string{"testdata/vectors" + ending, strconv.Itoa(n)}
		for _, e := range exports {
			e.Path = filepath.Join(dir, e.Name+ending)
			write(t, e.Path, func(w io.Writer) error { return ExportFormats[strings.Replace(ending, "m", "", 1)](e, w) })
			args = append(args, e.Path)
		}
		run(t, exec.Command(command, args...), exports, inputs(n))
	}
}

func TestCSVAgrees(t *testing.T) {
	for _, e := range exported() {
		var b bytes.Buffer
		vectors.Check(e.CSV(&b))
		if !strings.Contains(b.String(), exact()) {
			t.Error("no tolerance in the file")
		}
		in := csv.NewReader(&b)
		in.Comment = '#'
		rows := vectors.Must(in.ReadAll())
		weights, bias := make([]float64, e.Model.Len()), 0.0
		for _, row := range rows[1:] {
			i, _ := strconv.Atoi(row[0])
			w, err := strconv.ParseFloat(row[2], 64)
			if err != nil || row[1] != e.Model.Name(int32(i)) {
				t.Fatalf("row %q", row)
			}
			if i < 0 {
				bias = w
			} else {
				weights[i] = w
			}
		}
		checkDense(t, e, bias, weights)
	}
}

func checkDense(t *testing.T, e *Export, bias float64, weights []float64) {
	t.Helper()
	for i, x := range inputs(len(weights)) {
		z := bias
		for k, v := range x {
			z += weights[k] * v
		}
		closeTo(t, fmt.Sprintf("%s, vector %d", e.Name, i), e.Model.Link.Apply(z, e.Min, e.Max), e.value(x))
	}
}

func TestExportErrors(t *testing.T) {
	big := &Export{Model: New("g", "g/s", []Block{{Name: "t", Len: sourceWeights + 1, Table: true}})}
	unbounded := exported()[1]
	unbounded.Max = math.Inf(1)
	nan := exported()[0]
	nan.Model.Weights[2] = math.NaN()
	name := exported()[0]
	name.Name = "not-good"
	over := exported()[0]
	over.Path = filepath.Join(t.TempDir(), "m.py")
	vectors.Check(os.WriteFile(tablePath(over.Path), []byte(tableMagic), 0o644))
	for want, f := range map[string]func(io.Writer) error{
		"want at most 1048576 in this format":           big.Go,
		"want at most 1048576":                          big.C,
		"want finite bounds":                            unbounded.JSON,
		`weight of "phase[1]": want a finite`:           nan.CSV,
		"want the name of a file to write":              big.Python,
		"this file is the table of a model":             over.JavaScript,
		`export name "not-good": want lower-case lette`: name.C,
	} {
		if err := f(io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestDiff(t *testing.T) {
	a, b := example(true).File(), example(true).File()
	diff := func() Difference {
		t.Helper()
		return vectors.Must(Diff(a, b))
	}
	d := diff()
	if len(d.Head) != 0 || len(d.Terms) != 6 || len(d.Tables) != 2 || d.Tables[0].Changed != 0 {
		t.Fatalf("a model differs from itself: %+v", d)
	}
	for _, x := range d.Terms {
		if x.A != x.B || x.Z != 0 || !x.InA || !x.InB {
			t.Errorf("%+v", x)
		}
	}
	b.Fingerprint, b.Bias = "other", 0
	b.Terms[0].Weight += 1.5 // the standard error is .5 in both models
	b.Terms[2].Name = "new"
	b.Table = append([]float32(nil), b.Table...)
	b.Table[7] += 2
	d = diff()
	if len(d.Head) != 1 || d.Head[0].Key != "fingerprint" || d.Terms[0].Z != .25/math.Sqrt(2*.125*.125) {
		t.Errorf("head %+v, bias %+v", d.Head, d.Terms[0])
	}
	if x := d.Terms[1]; x.Name != "a" || math.Abs(x.Z-1.5/math.Sqrt(.5)) > 1e-12 {
		t.Errorf("%+v", x)
	}
	if x := d.Terms[3]; x.InB || x.B != 0 {
		t.Errorf("%+v", x)
	}
	if x := d.Terms[len(d.Terms)-1]; x.Name != "new" || x.InA {
		t.Errorf("%+v", x)
	}
	if x := d.Tables[0]; x.Changed != 1 || math.Abs(x.RMS-2/math.Sqrt(40000)) > 1e-7 {
		t.Errorf("%+v", x)
	}
}

// TestDiffUnits checks that the difference between two models with different links stays the same
// when the first model is converted to the second model's link. Without a common unit, Times must
// be 0. For different games, Diff must return an error.
func TestDiffUnits(t *testing.T) {
	links := []Link{{Kind: Tanh}, {Kind: Logistic, Scale: 1}, {Kind: Tanh, Scale: 0.3}, {Kind: Logistic, Scale: 0.004}, {Kind: Identity}}
	for _, from := range links {
		for _, to := range links {
			a, b := example(true), example(true).File()
			a.Link, b.Link, b.Bias = from, to, 7
			b.Terms[0].Weight, b.Terms[1].Error = -3, 0.5
			d := vectors.Must(Diff(a.File(), b))
			on, ok := a.OnLink(to)
			if ok != (d.Times != 0) || ok != (from.Bounded() == to.Bounded()) {
				t.Fatalf("%v and %v: times %v, a link in common %v", from, to, d.Times, ok)
			}
			if !ok {
				continue
			}
			for z := -3.0; z <= 3; z++ {
				if x, y := from.Apply(z, -1, 2), to.Apply(z*d.Times, -1, 2); math.Abs(x-y) > 1e-12 {
					t.Errorf("%v of %v is %v, %v of %v is %v", from, z, x, to, z*d.Times, y)
				}
			}
			want, err := Diff(on.File(), b)
			if err != nil || want.Times != 1 {
				t.Fatalf("times %v, %v", want.Times, err)
			}
			near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-6*max(1, math.Abs(x)) } // tables have 32-bit weights
			for i, x := range d.Terms {
				if y := want.Terms[i]; x.Name != y.Name || !near(x.A, y.A) || x.B != y.B || !near(x.Z, y.Z) {
					t.Errorf("%v and %v: %+v, after conversion %+v", from, to, x, y)
				}
			}
			for i, x := range d.Tables {
				if y := want.Tables[i]; x.Name != y.Name || !near(x.RMS, y.RMS) {
					t.Errorf("%v and %v: %+v, after conversion %+v", from, to, x, y)
				}
			}
		}
	}
	a, b := example(true).File(), example(true).File()
	b.Game = "another"
	if _, err := Diff(a, b); err == nil || !strings.Contains(err.Error(), `found "another"`) {
		t.Errorf("another game: %v", err)
	}
}

// TestExportedLeaves checks that exports in every format state which positions the model
// evaluates. For afterstates, they must also contain a value that programs can read.
func TestExportedLeaves(t *testing.T) {
	for ending, value := range map[string]string{ // the value for afterstates
		".csv": "(leaves=afterstate)", ".json": `"leaves": "afterstate"`, ".go": `const Leaves = "afterstate"`, ".c": `_leaves[] = "afterstate"`,
		".py": `LEAVES = "afterstate"`, ".js": `leaves = "afterstate"`,
	} {
		for leaves, word := range map[Leaves]string{"": "It judges decisions:", Decision: "It judges decisions:", Afterstate: "It judges afterstates:"} {
			e := exported()[1]
			e.Model.Leaves, e.Path = leaves, filepath.Join(t.TempDir(), "out"+ending)
			var b bytes.Buffer
			vectors.Check(ExportFormats[ending](e, &b))
			if !strings.Contains(b.String(), word) {
				t.Errorf("%s of a model with leaves %q does not say %q", ending, leaves, word)
			}
			if strings.Contains(b.String(), value) != (leaves == Afterstate) {
				t.Errorf("%s of a model with leaves %q: %q is there: %v", ending, leaves, value, leaves != Afterstate)
			}
		}
	}
}

// TestReadExportedJSON checks that reading a JSON export of a model without tables returns the
// original model, and that incomplete exports are rejected.
func TestReadExportedJSON(t *testing.T) {
	for _, link := range []Link{{Kind: Identity}, {Logistic, .05}, {Tanh, .02}} {
		m := New("some game", "some game/set", []Block{{Name: "own", Len: 1}, {Name: "odd", Len: len(awkward), Label: func(i int) string { return awkward[i] }}})
		for i := range m.Weights {
			m.Weights[i] = 1 / float64(i+3)
		}
		m.Bias, m.Link, m.Leaves, m.Range = -1./7, link, Afterstate, &Range{-42, 42}
		var out bytes.Buffer
		vectors.Check((&Export{Model: m, Min: -1, Max: 1}).JSON(&out))
		f, err := Read("out.json", out.Bytes())
		if err != nil {
			t.Error(err)
			continue
		}
		want := m.File()
		if f.Game != want.Game || f.Features != want.Features || f.Link != want.Link || f.Leaves != want.Leaves || f.Bias != want.Bias || f.Range == nil || *f.Range != *want.Range || len(f.Terms) != len(want.Terms) {
			t.Errorf("%s: %+v, want %+v", link.Kind, f, want)
			continue
		}
		for i, w := range want.Terms {
			if got := f.Terms[i]; got.Name != w.Name || got.Weight != w.Weight {
				t.Errorf("%s: term %q %v, want %q %v", link.Kind, got.Name, got.Weight, w.Name, w.Weight)
			}
		}
	}
	for text, want := range map[string]string{
		`{"format": "plyfit-export/1", "game": "g", "features": "g/s", "link": "identity"}`:                                            `want the key "weights"`,
		`{"format": "plyfit-export/1", "game": "g", "features": "g/s", "link": "identity", "weights": [{"index": 0, "name": "a"}]}`:    `want the key "weight"`,
		`{"format": "plyfit-export/1", "game": "g", "features": "g/s", "link": "identity", "weights": [], "table": {"file": "t.bin"}}`: "want one of the keys",
	} {
		if _, err := Read("out.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
