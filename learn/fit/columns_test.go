package fit

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/datasets/table"
	"plyfit/internal/disk"
	"plyfit/internal/report"
	"plyfit/internal/vectors"
	"plyfit/learn/validate"
	"plyfit/models"
	"plyfit/search"
	"plyfit/selfplay"
)

// truth contains the weights from which the rows are drawn.
var truth = []models.Weight{{Name: "pawn", Middlegame: 90, Endgame: 110}, {Name: "knight", Middlegame: 320, Endgame: 300}, {Name: "king", Middlegame: -40, Endgame: 10}}

// rows returns n random rows with results drawn from the true weights.
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

// write creates a file in a temporary directory for the test.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	vectors.Check(os.WriteFile(path, []byte(text), 0o644))
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

// openTables returns tables with the given contents.
func openTables(t *testing.T, layout table.Layout, texts ...string) (tables []*table.Table) {
	t.Helper()
	for _, text := range texts {
		table := vectors.Must(table.Open(context.Background(), write(t, "t.csv", text), layout))
		tables = append(tables, table)
	}
	return tables
}

// setup contains the starting weights of a column fit.
type setup struct {
	start  *models.Weights
	frozen []string
}

func fitted(t *testing.T, text string, l table.Layout, g setup, o Options) *Result {
	t.Helper()
	rows := openTables(t, l, text)[0]
	if g.start != nil {
		o.Start = vectors.Must(ColumnModel(rows, g.start))
	}
	o.Frozen = vectors.Must(FrozenColumns(rows, o.Start, g.frozen))
	return vectors.Must(RunColumns(context.Background(), rows, o))
}

// described returns, in order, the texts and tables that describe a fit.
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

// TestRunColumns checks that a fit recovers the weights from which the results were drawn.
func TestRunColumns(t *testing.T) {
	const n = 40000
	f := fitted(t, csvOf(n), table.Layout{Phase: "phase", PhaseMax: 24, Group: "game"}, setup{}, Options{})
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

// TestFrozen checks that a frozen column keeps its starting weight while other weights are rounded,
// that the report measures the starting weights, and that a large penalty pulls a weight to its
// start. It also checks that the start or a frozen weight can set the scale.
func TestFrozen(t *testing.T) {
	text := csvOf(20000)
	layout := table.Layout{Skip: []string{"phase", "game"}}
	start := &models.Weights{Columns: []models.Weight{{Name: "knight", Middlegame: 250, Endgame: 250}, {Name: "pawn", Middlegame: 100, Endgame: 100}}}
	f := fitted(t, text, layout, setup{start, []string{"knight"}}, Options{Integers: true})
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
	drawn := fitted(t, text, layout, setup{start: start}, Options{Penalty: 1000})
	if got := drawn.Weights().Columns[0].Middlegame; math.Abs(got-100) > 1 {
		t.Errorf("a large penalty leaves pawn at %v, want about 100", got)
	}
	scaled := fitted(t, text, layout, setup{start: &models.Weights{Columns: []models.Weight{{Name: "knight", Middlegame: 3, Endgame: 3}, {Name: "pawn", Middlegame: 1, Endgame: 1}}}}, Options{Scale: Scale{Prior: true}})
	if got := scaled.Weights().Columns[1].Middlegame; got < 2.5 || got > 3.5 {
		t.Errorf("on the scale of the start knight weighs %v, want about 3", got)
	}
	// A frozen weight sets only the unit. The ratio of the weights and the loss must stay the same.
	free := fitted(t, text, layout, setup{}, Options{})
	pawn := &models.Weights{Columns: []models.Weight{{Name: "pawn", Middlegame: 7, Endgame: 7}}}
	unit := fitted(t, text, layout, setup{pawn, []string{"pawn"}}, Options{Scale: Scale{Free: true}})
	ratio := func(f *Result) float64 { return f.Weights().Columns[1].Middlegame / f.Weights().Columns[0].Middlegame }
	if got := unit.Weights().Columns[0].Middlegame; got != 7 {
		t.Errorf("the anchor weighs %v, want 7", got)
	}
	if a, b := ratio(free), ratio(unit); math.Abs(a/b-1) > 1e-3 || math.Abs(free.Report.Loss-unit.Report.Loss) > 1e-8 {
		t.Errorf("with an anchor the ratio of knight and pawn is %v and the loss %v, without %v and %v", b, unit.Report.Loss, a, free.Report.Loss)
	}
}

// TestFrozenAndIntegers checks that a frozen weight keeps every digit in the table and in weight
// files even though the other weights are rounded.
func TestFrozenAndIntegers(t *testing.T) {
	text := csvOf(20000)
	layout := table.Layout{Phase: "phase", PhaseMax: 24, Group: "game"}
	start := &models.Weights{Tapered: true, Columns: []models.Weight{{Name: "knight", Middlegame: 312.3456789, Endgame: 287.5}}}
	free := fitted(t, text, layout, setup{}, Options{})
	f := fitted(t, text, layout, setup{start, []string{"knight"}}, Options{Integers: true})
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
	f = fitted(t, text, layout, setup{start, []string{"knight"}}, Options{Integers: true})
	if err := f.Weights().Write(&b, "w.h", "eval"); err != nil || !strings.Contains(b.String(), "static const int eval_weights") || !strings.Contains(b.String(), "{312, 287}, // knight") {
		t.Errorf("%v, want whole numbers:\n%s", err, b.String())
	}
}

// overlap returns the text about held-out rows that also occur among the training rows.
func overlap(f *Result) string {
	text, _ := described(f)
	return text[len(text)-1]
}

// coins returns a table of games whose results are coin tosses, so that no column is informative.
// Each game occurs under the given number of names.
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

// TestRepeatedGames checks that a game that occurs under four names counts once and stays on one
// side of the split. When games were split only by name, pure noise appeared significantly better
// than zero.
func TestRepeatedGames(t *testing.T) {
	layout := table.Layout{Phase: "phase", PhaseMax: 12, Group: "game"}
	once := fitted(t, coins(1), layout, setup{}, Options{})
	four := fitted(t, coins(4), layout, setup{}, Options{})
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
	if text := overlap(four); !strings.HasPrefix(text, "450 games repeat another game row by row") {
		t.Error(text)
	}
}

// TestOverlap checks that rows that occur on both sides of the split are reported if no column
// identifies the games.
func TestOverlap(t *testing.T) {
	text := coins(1)
	_, again, _ := strings.Cut(text, "\n")
	f := fitted(t, text+again+again+again, table.Layout{Phase: "phase", PhaseMax: 12, Skip: []string{"game"}}, setup{}, Options{HeldOut: HeldOut{OneIn: 10}})
	o := &f.Report.Overlap
	if o.Share < 0.99 || o.Apart || !strings.Contains(overlap(f), "% with a loss of") && !strings.Contains(overlap(f), "All held-out rows also occur in training.") {
		t.Errorf("%+v: %s", o, overlap(f))
	}
	f = fitted(t, text, table.Layout{Phase: "phase", PhaseMax: 12, Skip: []string{"game"}}, setup{}, Options{HeldOut: HeldOut{OneIn: 10}})
	if text := overlap(f); f.Report.Overlap.Rows != 0 || text != "None of the held-out rows occurs in training." {
		t.Errorf("%+v: %s", f.Report.Overlap, text)
	}
}

// selfPlay returns a data set of games that an agent plays against itself.
func selfPlay(t *testing.T, w *catalog.World, agent string, episodes int, seed uint64) *datasets.Set {
	t.Helper()
	a := vectors.Must(w.Agent(agent, catalog.AgentOptions{}))
	dir := filepath.Join(t.TempDir(), "data")
	vectors.Must(selfplay.Run(context.Background(), selfplay.Config{Game: w.Game, Agents: []search.Factory{a.Factory}, Episodes: episodes, Seed: seed, Openings: 4, Dir: dir}))
	return vectors.Must(datasets.Open(dir))
}

// named returns the model of w with the given name.
func named(t *testing.T, w *catalog.World, name string) Named {
	t.Helper()
	set, m, err := w.Model(name)
	if err != nil {
		t.Fatal(err)
	}
	return Named{name, set, m}
}

// TestTestedRowsAreThoseOfAFit checks that a test evaluates a model on as many rows as a fit uses,
// with the same squared error and bias.
func TestTestedRowsAreThoseOfAFit(t *testing.T) {
	for _, c := range []struct{ game, model, agent string }{
		{"connect4", "learned", "alphabeta:depth=1,ties=random"},
		{"connect4+slip=0.2", "handwritten", "expectimax:depth=1"},
		{"2048:size=3", "handwritten", "random"},
		{"pig:players=3,target=20", "handwritten", "random"},
	} {
		w := world(t, c.game)
		data := selfPlay(t, w, c.agent, 20, 5)
		got, err := Test(context.Background(), w, []*datasets.Set{data}, named(t, w, c.model), Testing{})
		if err != nil {
			t.Fatal(c.game, err)
		}
		_, m, err := w.Model(c.model)
		if err != nil {
			t.Fatal(err)
		}
		rows, _, err := Rows(context.Background(), w, data, Options{Set: m.Features, Leaves: m.Leaves})
		if err != nil {
			t.Fatal(err)
		}
		all := vectors.Must(validate.ExamineModel(context.Background(), m, rows, validate.Reading{Link: m.Link, Lo: w.Base().Min, Hi: w.Base().Max}))
		e, want := got.Evaluations[0], all.Evaluations[0]
		if got.Rows != all.Rows || math.Abs(e.Squared.Value-want.Squared.Value) > 1e-5*want.Squared.Value || math.Abs(e.Bias.Value-want.Bias.Value) > 1e-4*(1+math.Abs(want.Bias.Value)) {
			t.Errorf("%s: %d rows, %+v; a fit has %d, %+v", c.game, got.Rows, e, all.Rows, want)
		}
		if points := strings.HasPrefix(c.game, "2048"); got.ToCome != points || (e.OutcomeR2 != nil) != points {
			t.Errorf("%s: still to come %v", c.game, got.ToCome)
		}
		if len(got.Stages) < 2 || got.Stages[0].Error <= 0 {
			t.Errorf("%s: stages %+v", c.game, got.Stages)
		}
	}
}

// TestTestedLeaves checks that a model of afterstates and a model of decisions are tested on the
// same number of records, each at its own positions.
func TestTestedLeaves(t *testing.T) {
	w := world(t, "2048")
	data := selfPlay(t, w, "expectimax:depth=1,eval=handwritten", 3, 5)
	_, m, err := w.Model("handwritten")
	if err != nil {
		t.Fatal(err)
	}
	if m.Leaves != models.Afterstate {
		t.Fatalf("the hand-written model is of %s", m.Leaves)
	}
	m.Leaves = models.Decision
	before := filepath.Join(t.TempDir(), "before.json")
	vectors.Check(m.File().Save(before))
	got := vectors.Must(Test(context.Background(), w, []*datasets.Set{data}, named(t, w, before), Testing{}))
	hand := vectors.Must(Test(context.Background(), w, []*datasets.Set{data}, named(t, w, "handwritten"), Testing{}))
	if got.Rows != hand.Rows || len(got.Evaluations) != 4 || len(hand.Evaluations) != 3 || got.Evaluations[1].Less.Alike {
		t.Errorf("%d rows and %+v; alone %d and %+v", got.Rows, got.Evaluations, hand.Rows, hand.Evaluations)
	}
	if a, b := got.Evaluations[1].Squared.Value, hand.Evaluations[0].Squared.Value; a != b {
		t.Errorf("the hand-written model errs by %v beside another, %v alone", a, b)
	}
	// After the move, more of the score is known, so the bias of predicting zero is smaller.
	if a, b := got.Evaluations[2].Bias.Value, hand.Evaluations[1].Bias.Value; !(a < b && b < 0) {
		t.Errorf("bias of zero %v before the move, %v after", a, b)
	}
	var page report.Page
	got.Describe(&page)
	if text := string(page.Blocks[0].(report.Text)); !strings.Contains(text, "handwritten is evaluated after the recorded move") {
		t.Error(text)
	}
}

// TestTestedTwice checks that games that occur in two data sets count once, and that a model
// compared with itself shows no difference.
func TestTestedTwice(t *testing.T) {
	w := world(t, "connect4")
	data := selfPlay(t, w, "alphabeta:depth=1,ties=random", 40, 5)
	again := filepath.Join(t.TempDir(), "again")
	vectors.Check(os.CopyFS(again, os.DirFS(data.Dir)))
	more := vectors.Must(datasets.Open(again))
	learned := named(t, w, "learned")
	once := vectors.Must(Test(context.Background(), w, []*datasets.Set{data}, learned, Testing{Against: []Named{learned}}))
	twice := vectors.Must(Test(context.Background(), w, []*datasets.Set{data, more}, learned, Testing{Against: []Named{learned}}))
	a, b := &once.Evaluations[0], &twice.Evaluations[0]
	if once.Groups != twice.Groups || math.Abs(*a.Squared.High-*b.Squared.High) > 1e-9 {
		t.Errorf("once %d groups to %v, twice %d to %v", once.Groups, *a.Squared.High, twice.Groups, *b.Squared.High)
	}
	if d := once.Evaluations[1].Less; !d.Alike || d.Squared.Value != 0 || d.CrossEntropy.Value != 0 {
		t.Errorf("a model beside itself: %+v", d)
	}
	if once.FittedTo != nil {
		t.Errorf("fitted to %v", once.FittedTo)
	}
}

// TestTestedWithoutWhatWasFitted checks that games in the model's training data are left out, and
// so are games that share positions with them.
func TestTestedWithoutWhatWasFitted(t *testing.T) {
	w := world(t, "connect4")
	data := selfPlay(t, w, "alphabeta:depth=1,ties=random", 40, 5)
	other := selfPlay(t, w, "alphabeta:depth=1,ties=random", 40, 6)
	model := named(t, w, "handwritten")
	test := func(fitted *datasets.Set, sets ...*datasets.Set) *Tested {
		t.Helper()
		return vectors.Must(Test(context.Background(), w, sets, model, Testing{FittedTo: fitted}))
	}
	all, alone := test(nil, data, other), test(nil, other)
	rest := test(data, data, other)
	if all.Known != 0 || rest.Known < 40 || rest.Known > 60 || rest.Episodes+rest.Replays != 80-rest.Known {
		t.Errorf("%d and %d known; %d games and %d replays left", all.Known, rest.Known, rest.Episodes, rest.Replays)
	}
	if strict := test(data, other); strict.Known != rest.Known-40 || strict.Rows != rest.Rows || strict.Rows > alone.Rows {
		t.Errorf("the other games: %d known, %d rows; beside the fitted ones %d and %d", strict.Known, strict.Rows, rest.Known, rest.Rows)
	}
	if _, err := Test(context.Background(), w, []*datasets.Set{data}, model, Testing{FittedTo: data}); err == nil || !strings.Contains(err.Error(), "no position has both a label outcome") {
		t.Errorf("nothing left: %v", err)
	}
	model.Model.Provenance = &models.Provenance{Data: data.Digest}
	if _, err := Test(context.Background(), w, []*datasets.Set{other}, model, Testing{FittedTo: other}); err == nil || !strings.Contains(err.Error(), "want the data set with digest "+data.Digest) {
		t.Errorf("another data set: %v", err)
	}
	if x := test(nil, other, data); len(x.FittedTo["handwritten"]) != 1 || x.FittedTo["handwritten"][0] != data.Dir {
		t.Errorf("fitted to %v", x.FittedTo)
	}
}

// TestTestedWeights checks that the weights from which the labels were drawn predict without
// significant bias in nearly all groups of rows, and that other weights predict worse. It also
// checks that a table split in two gives the same result as the whole table.
func TestTestedWeights(t *testing.T) {
	layout := table.Layout{Phase: "phase", PhaseMax: 24, Group: "game"}
	text := csvOf(20000)
	right := &models.Weights{File: "right", Tapered: true, Columns: truth}
	wrong := &models.Weights{File: "wrong", Tapered: true, Columns: []models.Weight{{Name: "pawn", Middlegame: 90, Endgame: 110}, {Name: "knight", Middlegame: 900, Endgame: 900}}}
	x := vectors.Must(TestColumns(context.Background(), openTables(t, layout, text), 0, right, wrong, right))
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
	if off > 2 { // there are 15 intervals of 95%
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
	halves := vectors.Must(TestColumns(context.Background(), openTables(t, layout, head+"\n"+strings.Join(lines[:10000], ""), head+"\n"+strings.Join(lines[10000:], "")), 0, right))
	a, b := x.Evaluations[0].Squared, halves.Evaluations[0].Squared
	if halves.Groups != 2000 || a.Value != b.Value || math.Abs(*a.Low-*b.Low) > 1e-12 {
		t.Errorf("whole %v to %v, in halves %v to %v", *a.Low, *a.High, *b.Low, *b.High)
	}
	// The same games in a second table count once.
	twice := vectors.Must(TestColumns(context.Background(), openTables(t, layout, text, text), 0, right))
	if b := twice.Evaluations[0].Squared; twice.Groups != 2000 || twice.Repeats != 2000 || math.Abs(*a.Low-*b.Low) > 1e-9 {
		t.Errorf("%d groups of %d games, %v to %v; once %v to %v", twice.Groups, twice.Episodes, *b.Low, *b.High, *a.Low, *a.High)
	}
}

// TestTestedOnTheirOwnTable checks that weights written by a fit include the fit's scale, and that
// a test on the table from which they were fitted is reported as such.
func TestTestedOnTheirOwnTable(t *testing.T) {
	layout := table.Layout{Phase: "phase", PhaseMax: 24, Group: "game"}
	f := fitted(t, csvOf(5000), layout, setup{}, Options{Scale: Scale{Value: 0.01}})
	file := filepath.Join(t.TempDir(), "w.json")
	vectors.Check(disk.Write(file, func(w io.Writer) error { return f.Weights().Write(w, file, "eval") }))
	w := vectors.Must(models.ReadWeights(file))
	x := vectors.Must(TestColumns(context.Background(), []*table.Table{f.Columns}, 0, w))
	// The loss over all rows is the weighted mean of the training and held-out losses.
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
	others := vectors.Must(TestColumns(context.Background(), openTables(t, layout, csvOf(4990)), 0, w))
	if len(others.FittedTo) != 0 || fmt.Sprint(x.FittedTo) != fmt.Sprintf("map[%s:[%s]]", file, f.Columns.File) {
		t.Errorf("fitted to %v, and %v", x.FittedTo, others.FittedTo)
	}
}
