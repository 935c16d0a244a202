package fit

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/datasets/table"
	"plyfit/internal/disk"
	"plyfit/models"
	"plyfit/study/report"
)

// The weights that the labels were drawn from predict them without bias at every stage,
// others worse, and a table in two parts is the table.
func TestTestedWeights(t *testing.T) {
	layout := table.Layout{Phase: "phase", PhaseMax: 24, Group: "game"}
	text := csvOf(20000)
	right := &models.Weights{File: "right", Tapered: true, Columns: truth}
	wrong := &models.Weights{File: "wrong", Tapered: true, Columns: []models.Weight{{Name: "pawn", Middlegame: 90, Endgame: 110}, {Name: "knight", Middlegame: 900, Endgame: 900}}}
	x, err := TestColumns(context.Background(), opened(t, layout, text), 0, right, wrong, right)
	if err != nil {
		t.Fatal(err)
	}
	if x.Rows != 20000 || x.Episodes != 2000 || x.Groups != 2000 || x.Scale != CentipawnScale || len(x.Phases) != 5 || x.Stages != nil || len(x.Calibration) != 10 {
		t.Fatalf("%+v", x)
	}
	off := 0
	for _, p := range x.Phases {
		if math.Abs(p.Bias()) > p.Half() {
			off++
		}
	}
	for _, c := range x.Calibration {
		if math.Abs(c.Bias()) > c.Half() {
			off++
		}
	}
	if off > 2 { // 15 intervals of 95%
		t.Errorf("%d of 15 intervals miss: %+v, %+v", off, x.Phases, x.Calibration)
	}
	if p := x.Phases; p[0].From != 24 || p[4].To != 0 || p[1].From >= p[0].To || math.Abs(p[0].From-math.Round(p[0].From)) > 1e-4 {
		t.Errorf("phases %+v", p)
	}
	if d := x.Evaluations[1].Less; !(*d.Squared.Low > 0 && *d.CrossEntropy.Low > 0) || d.Alike {
		t.Errorf("wrong weights: %+v", d)
	}
	if d := x.Evaluations[2].Less; !d.Alike || d.Squared.Value != 0 || d.Squared.Low != nil {
		t.Errorf("weights beside themselves: %+v", d)
	}
	if e := x.Evaluations[3]; e.Name != "zero" || math.Abs(e.CrossEntropy.Value-math.Ln2) > 1e-9 {
		t.Errorf("%+v", e)
	}
	head, body, _ := strings.Cut(text, "\n")
	lines := strings.SplitAfter(body, "\n")
	halves, err := TestColumns(context.Background(), opened(t, layout, head+"\n"+strings.Join(lines[:10000], ""), head+"\n"+strings.Join(lines[10000:], "")), 0, right)
	if err != nil {
		t.Fatal(err)
	}
	a, b := x.Evaluations[0].Squared, halves.Evaluations[0].Squared
	if halves.Groups != 2000 || a.Value != b.Value || math.Abs(*a.Low-*b.Low) > 1e-12 {
		t.Errorf("whole %v to %v, in halves %v to %v", *a.Low, *a.High, *b.Low, *b.High)
	}
	// The same games in a second table are evidence once.
	twice, err := TestColumns(context.Background(), opened(t, layout, text, text), 0, right)
	if err != nil {
		t.Fatal(err)
	}
	if b := twice.Evaluations[0].Squared; twice.Groups != 2000 || twice.Repeats != 2000 || math.Abs(*a.Low-*b.Low) > 1e-9 {
		t.Errorf("%d groups of %d games, %v to %v; once %v to %v", twice.Groups, twice.Episodes, *b.Low, *b.High, *a.Low, *a.High)
	}
}

// Weights that a fit wrote bring their scale, and say when they are tested on the table
// that they were fitted to.
func TestTestedOnTheirOwnTable(t *testing.T) {
	layout := table.Layout{Phase: "phase", PhaseMax: 24, Group: "game"}
	f := fitted(t, csvOf(5000), layout, given{}, Options{Scale: Scale{Value: 0.01}})
	file := filepath.Join(t.TempDir(), "w.json")
	if err := disk.Write(file, func(w io.Writer) error { return f.Weights().Write(w, file, "eval") }); err != nil {
		t.Fatal(err)
	}
	w, err := models.ReadWeights(file)
	if err != nil {
		t.Fatal(err)
	}
	x, err := TestColumns(context.Background(), []*table.Table{f.Columns}, 0, w)
	if err != nil {
		t.Fatal(err)
	}
	// Training and held-out losses together are the loss of all rows.
	r := &f.Report
	want := (r.Loss*float64(r.Rows) + r.HeldOutLoss*float64(r.HeldOutRows)) / float64(r.Rows+r.HeldOutRows)
	if got := x.Evaluations[0].CrossEntropy.Value; math.Abs(got-want) > 1e-9 || x.Scale != 0.01 {
		t.Errorf("cross-entropy %v on the scale %v, want %v", got, x.Scale, want)
	}
	var page report.Page
	x.Describe(&page)
	if text, ok := page.Blocks[0].(report.Text); !ok || !strings.HasPrefix(string(text), "NO TEST OF "+file) {
		t.Errorf("%q", page.Blocks[0])
	}
	others, err := TestColumns(context.Background(), opened(t, layout, csvOf(4990)), 0, w)
	if err != nil {
		t.Fatal(err)
	}
	if len(others.FittedTo) != 0 || fmt.Sprint(x.FittedTo) != fmt.Sprintf("map[%s:[%s]]", file, f.Columns.File) {
		t.Errorf("fitted to %v, and %v", x.FittedTo, others.FittedTo)
	}
}
