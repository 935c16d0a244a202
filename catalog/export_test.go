package catalog

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// TestExportsOnPositions: what the exported files compute of the features of
// 10,000 positions is what plyfit's own evaluator says there, for each link and
// with a table.
func TestExportsOnPositions(t *testing.T) {
	if testing.Short() {
		t.Skip("plays and compiles")
	}
	for _, c := range []struct{ world, set string }{
		{"connect4", ""}, {"othello", ""}, {"chess", ""}, {"2048", ""}, {"othello", "othello/2-tuples"}, {"othello", "othello/patterns"}, {"tictactoe", "tuples"},
	} {
		t.Run(c.world+" "+c.set, func(t *testing.T) {
			w, err := All().World(c.world)
			if err != nil {
				t.Fatal(err)
			}
			set, m, err := w.Model("handwritten")
			if c.set != "" {
				set, err = w.Set(c.set)
				if err == nil {
					m = someModel(w, set)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			base := w.Base()
			e := &models.Export{Model: m, Min: base.Min, Max: base.Max, Name: "evaluation"}
			xs, want := somePositions(w, features.NewEvaluator(w.Game, set, m), 10000)
			for name, eval := range readers(t, e) {
				got := eval(xs)
				for i := range want {
					if !(math.Abs(got[i]-want[i]) <= models.Tolerance*math.Max(1, math.Abs(want[i]))) {
						t.Fatalf("%s, position %d: %v, want %v", name, i, got[i], want[i])
					}
				}
			}
		})
	}
}

// someModel has a weight everywhere and a logistic link.
func someModel(w *World, set features.Set) *models.Linear {
	m := models.New(w.Name, set.Name(), set.Blocks())
	for i := range m.Weights {
		m.Weights[i] = 0.1 * math.Sin(float64(i+1))
	}
	for i := range m.Table {
		m.Table[i] = float32(0.1 * math.Sin(float64(i+1)))
	}
	m.Bias, m.Link = 0.2, models.Link{Kind: models.Logistic, Scale: 0.5}
	return m
}

// somePositions are feature vectors of positions of random games as player 0
// sees them (negated where the other looks), and the evaluator's values for him.
func somePositions(w *World, e *features.Evaluator, n int) (xs []models.Vector, values []float64) {
	rng := rand.New(rand.NewPCG(9, 9))
	for len(xs) < n {
		for s := w.New(); s.Turn() != game.Nobody && len(xs) < n; {
			if s.Turn() >= 0 {
				p := e.Set().View(s)
				x := e.Set().Extract(s, p, nil)
				if p == 1 {
					for i := range x {
						x[i].Value = -x[i].Value
					}
				}
				xs, values = append(xs, x), append(values, e.Evaluate(s, 0))
			}
			moves := s.Moves(nil)
			s.Play(moves[rng.IntN(len(moves))])
		}
	}
	return xs, values
}

// readers evaluate vectors by what stands in the exported files.
func readers(t *testing.T, e *models.Export) map[string]func(xs []models.Vector) []float64 {
	t.Helper()
	var asCSV, asJSON, asGo bytes.Buffer
	for _, err := range []error{e.CSV(&asCSV), e.JSON(&asJSON), e.Go(&asGo)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	sum := func(weights map[int32]float64) func(xs []models.Vector) []float64 {
		return func(xs []models.Vector) (out []float64) {
			for _, x := range xs {
				z := weights[models.Bias]
				for _, term := range x {
					z += weights[term.Index] * float64(term.Value)
				}
				out = append(out, e.Model.Link.Apply(z, e.Min, e.Max))
			}
			return out
		}
	}
	in := csv.NewReader(&asCSV)
	in.Comment = '#'
	rows, err := in.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	fromCSV := map[int32]float64{}
	for _, row := range rows[1:] {
		i, err := strconv.Atoi(row[0])
		if err != nil {
			t.Fatal(err)
		}
		if fromCSV[int32(i)], err = strconv.ParseFloat(row[2], 64); err != nil {
			t.Fatal(err)
		}
	}
	var file struct {
		Bias    float64
		Weights []struct {
			Index  int32
			Weight float64
		}
	}
	if err := json.Unmarshal(asJSON.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	fromJSON := map[int32]float64{models.Bias: file.Bias}
	for _, w := range file.Weights {
		fromJSON[w.Index] = w.Weight
	}
	out := map[string]func(xs []models.Vector) []float64{"CSV": sum(fromCSV), "JSON": sum(fromJSON)}
	if _, err := exec.LookPath("go"); err == nil && e.Model.Len() < 5000 { // a table takes long to compile
		out["Go"] = func(xs []models.Vector) []float64 { return compiled(t, asGo.Bytes(), xs) }
	}
	return out
}

// compiled runs the exported Go file over the vectors.
func compiled(t *testing.T, source []byte, xs []models.Vector) []float64 {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":          "module own\n\ngo 1.26\n",
		"evaluation/e.go": string(source),
		"main.go": `package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"

	"own/evaluation"
)

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		var n int32
		if err := binary.Read(in, binary.LittleEndian, &n); err == io.EOF {
			return
		}
		x := make([]float64, len(evaluation.Features))
		for range n {
			var term struct {
				Index int32
				Value float32
			}
			if err := binary.Read(in, binary.LittleEndian, &term); err != nil {
				panic(err)
			}
			x[term.Index] += float64(term.Value)
		}
		binary.Write(out, binary.LittleEndian, evaluation.Eval(x))
	}
}
`} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var in, out bytes.Buffer
	for _, x := range xs {
		binary.Write(&in, binary.LittleEndian, int32(len(x)))
		binary.Write(&in, binary.LittleEndian, x)
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, &in, &out, os.Stderr
	cmd.Env = append(os.Environ(), "GOFLAGS=")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	values := make([]float64, len(xs))
	if err := binary.Read(&out, binary.LittleEndian, values); err != nil {
		t.Fatal(fmt.Errorf("values: %w", err))
	}
	return values
}
