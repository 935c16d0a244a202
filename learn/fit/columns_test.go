package fit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/datasets/table"
	"plyfit/models"
	"plyfit/study/report"
)

// truth are the weights that rows are drawn from.
var truth = []models.Weight{{Name: "pawn", Middlegame: 90, Endgame: 110}, {Name: "knight", Middlegame: 320, Endgame: 300}, {Name: "king", Middlegame: -40, Endgame: 10}}

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

// opened are tables of these texts.
func opened(t *testing.T, layout table.Layout, texts ...string) (tables []*table.Table) {
	t.Helper()
	for _, text := range texts {
		table, err := table.Open(context.Background(), write(t, "t.csv", text), layout)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	return tables
}

// given are weights that a fit of columns is told.
type given struct {
	start  *models.Weights
	frozen []string
}

func fitted(t *testing.T, text string, l table.Layout, g given, o Options) *Result {
	t.Helper()
	rows := opened(t, l, text)[0]
	var err error
	if g.start != nil {
		if o.Start, err = ColumnModel(rows, g.start); err != nil {
			t.Fatal(err)
		}
	}
	if o.Frozen, err = FrozenColumns(rows, o.Start, g.frozen); err != nil {
		t.Fatal(err)
	}
	f, err := RunColumns(context.Background(), rows, o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// described is what a fit says, one after the other.
func described(f *Result) (text []string, tables []report.Table) {
	var page report.Page
	Describe(&page, f)
	for _, b := range page.Blocks {
		switch b := b.(type) {
		case report.Text:
			text = append(text, string(b))
		case report.Table:
			tables = append(tables, b)
		}
	}
	return text, tables
}

// TestRunColumns finds the weights that results were drawn from.
func TestRunColumns(t *testing.T) {
	const n = 40000
	f := fitted(t, csvOf(n), table.Layout{Phase: "phase", PhaseMax: 24, Group: "game"}, given{}, Options{})
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
	for i, w := range f.Weights().Columns {
		for k, pair := range [][2]float64{{w.Middlegame, truth[i].Middlegame}, {w.Endgame, truth[i].Endgame}} {
			half := at[[...]string{"mg ", "eg "}[k]+w.Name]
			if math.Abs(pair[0]-pair[1]) > 2*half || half > 20 {
				t.Errorf("%s: %v ± %v, want %v", w.Name, pair[0], half, pair[1])
			}
		}
	}
}

// TestFrozen keeps the starting weight of a frozen column, draws others to the prior,
// and measures what it starts from.
func TestFrozen(t *testing.T) {
	text := csvOf(20000)
	layout := table.Layout{Skip: []string{"phase", "game"}}
	start := &models.Weights{Columns: []models.Weight{{Name: "knight", Middlegame: 250, Endgame: 250}, {Name: "pawn", Middlegame: 100, Endgame: 100}}}
	f := fitted(t, text, layout, given{start, []string{"knight"}}, Options{Integers: true})
	if got := f.Weights().Columns[1]; got.Middlegame != 250 {
		t.Errorf("the frozen column weighs %v, want 250", got.Middlegame)
	}
	for _, c := range f.Weights().Columns {
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
	drawn := fitted(t, text, layout, given{start: start}, Options{Penalty: 1000})
	if got := drawn.Weights().Columns[0].Middlegame; math.Abs(got-100) > 1 {
		t.Errorf("a large penalty leaves pawn at %v, want about 100", got)
	}
	scaled := fitted(t, text, layout, given{start: &models.Weights{Columns: []models.Weight{{Name: "knight", Middlegame: 3, Endgame: 3}, {Name: "pawn", Middlegame: 1, Endgame: 1}}}}, Options{Scale: Scale{Prior: true}})
	if got := scaled.Weights().Columns[1].Middlegame; got < 2.5 || got > 3.5 {
		t.Errorf("on the scale of the start knight weighs %v, want about 3", got)
	}
	// An anchor changes the unit alone: the ratio of the weights and the loss stay.
	free := fitted(t, text, layout, given{}, Options{})
	pawn := &models.Weights{Columns: []models.Weight{{Name: "pawn", Middlegame: 7, Endgame: 7}}}
	unit := fitted(t, text, layout, given{pawn, []string{"pawn"}}, Options{Scale: Scale{Free: true}})
	ratio := func(f *Result) float64 { return f.Weights().Columns[1].Middlegame / f.Weights().Columns[0].Middlegame }
	if got := unit.Weights().Columns[0].Middlegame; got != 7 {
		t.Errorf("the anchor weighs %v, want 7", got)
	}
	if a, b := ratio(free), ratio(unit); math.Abs(a/b-1) > 1e-3 || math.Abs(free.Report.Loss-unit.Report.Loss) > 1e-8 {
		t.Errorf("with an anchor the ratio of knight and pawn is %v and the loss %v, without %v and %v", b, unit.Report.Loss, a, free.Report.Loss)
	}
}

// TestFrozenAndIntegers: what is frozen keeps its weight to the last digit, in the table,
// the model and every file, and says in how many rows it is.
func TestFrozenAndIntegers(t *testing.T) {
	text := csvOf(20000)
	layout := table.Layout{Phase: "phase", PhaseMax: 24, Group: "game"}
	start := &models.Weights{Tapered: true, Columns: []models.Weight{{Name: "knight", Middlegame: 312.3456789, Endgame: 287.5}}}
	free := fitted(t, text, layout, given{}, Options{})
	f := fitted(t, text, layout, given{start, []string{"knight"}}, Options{Integers: true})
	if got := f.Weights().Columns[1]; got != start.Columns[0] {
		t.Errorf("frozen at %+v, is %+v", start.Columns[0], got)
	}
	if c := f.Weights().Columns[0]; c.Middlegame != math.Trunc(c.Middlegame) || c.Endgame != math.Trunc(c.Endgame) {
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
		var b strings.Builder
		if err := f.Weights().Write(&b, name, "eval"); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %v, want %q in\n%s", name, err, want, b.String())
		}
	}
	_, tables := described(f)
	_, freely := described(free)
	if row := tables[1].Rows[1]; row[1] != "312.3456789" || row[3] != "287.5" || row[5] != freely[1].Rows[1][5] {
		t.Errorf("the table says %q", row)
	}
	start.Columns[0] = models.Weight{Name: "knight", Middlegame: 312, Endgame: 287}
	var b strings.Builder
	f = fitted(t, text, layout, given{start, []string{"knight"}}, Options{Integers: true})
	if err := f.Weights().Write(&b, "w.h", "eval"); err != nil || !strings.Contains(b.String(), "static const int eval_weights") || !strings.Contains(b.String(), "{312, 287}, // knight") {
		t.Errorf("%v, want whole numbers:\n%s", err, b.String())
	}
}

// overlap is what a fit says of the held-out rows.
func overlap(f *Result) string {
	text, _ := described(f)
	return text[len(text)-1]
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
	layout := table.Layout{Phase: "phase", PhaseMax: 12, Group: "game"}
	once := fitted(t, coins(1), layout, given{}, Options{})
	four := fitted(t, coins(4), layout, given{}, Options{})
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
	if n := four.Repeats; n != 450 || once.Repeats != 0 || b.Overlap.Rows != 0 {
		t.Errorf("%d games repeat, and %d once; overlap %+v", n, once.Repeats, b.Overlap)
	}
	if text := overlap(four); !strings.HasPrefix(text, "450 games go like another one, row for row") {
		t.Error(text)
	}
}

// TestOverlap: rows that stand on both sides are told, where no column names games.
func TestOverlap(t *testing.T) {
	text := coins(1)
	_, again, _ := strings.Cut(text, "\n")
	f := fitted(t, text+again+again+again, table.Layout{Phase: "phase", PhaseMax: 12, Skip: []string{"game"}}, given{}, Options{HeldOut: HeldOut{OneIn: 10}})
	o := &f.Report.Overlap
	if o.Share < 0.99 || o.Apart || !strings.Contains(overlap(f), "% stand in training, too: loss") && !strings.Contains(overlap(f), "All held-out rows stand in training, too.") {
		t.Errorf("%+v: %s", o, overlap(f))
	}
	f = fitted(t, text, table.Layout{Phase: "phase", PhaseMax: 12, Skip: []string{"game"}}, given{}, Options{HeldOut: HeldOut{OneIn: 10}})
	if text := overlap(f); f.Report.Overlap.Rows != 0 || text != "None of the held-out rows stands in training." {
		t.Errorf("%+v: %s", f.Report.Overlap, text)
	}
}
