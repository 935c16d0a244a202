package fit

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/datasets/table"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/settings"
	"plyfit/internal/vectors"
	"plyfit/learn"
	"plyfit/learn/loss"
	"plyfit/learn/validate"
	"plyfit/models"
)

// constant is a learner that fits only a bias: the mean label of all rows.
type constant struct{}

func (constant) Learn(_ context.Context, m *models.Linear, data datasets.Samples) (learn.Report, error) {
	var r learn.Report
	for s, err := range data.All() {
		if err != nil {
			return r, err
		}
		r.Rows++
		m.Bias += (s.Y - m.Bias) / float64(r.Rows)
	}
	return r, nil
}

// TestNewMethod checks that a new learner needs only a Method and an item in Methods.
func TestNewMethod(t *testing.T) {
	mean := &Method{
		Name: "mean", Doc: "the mean label", Losses: []LossKind{SquaredError},
		Learner: func(*Options, loss.Function, learn.Options) learn.Learner { return constant{} },
	}
	defer func(methods []*Method) { Methods = methods }(Methods)
	Methods = append(Methods[:len(Methods):len(Methods)], mean)
	method := vectors.Must(MethodNamed("mean"))
	w := vectors.Must(catalog.All().World("tictactoe"))
	table := labelled(t, func(uint64) bool { return false })
	f := vectors.Must(RunTable(context.Background(), w, table, Options{Method: method}))
	if f.Model.Bias == 0 || f.Model.Provenance.Method != "mean" || f.Report.Rows == 0 {
		t.Errorf("bias %v by %s over %d rows", f.Model.Bias, f.Model.Provenance.Method, f.Report.Rows)
	}
	// An option that the new method does not support is rejected with an error that names the
	// methods that support it.
	for want, o := range map[string]Options{
		"loss logistic: method mean minimises squared error; use method newton or lbfgs": {Method: mean, Loss: CrossEntropy},
	} {
		if err := o.Complete(w); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestSettings checks that the methods named by options exist, and that a method rejects an option
// that it does not support with the error from [settings.Setting.Unread].
func TestSettings(t *testing.T) {
	w := vectors.Must(catalog.All().World("tictactoe"))
	read := 0
	for i, s := range settings.Of(new(Options)) {
		for _, name := range s.Readers() {
			if _, err := MethodNamed(name); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
		for _, m := range Methods {
			if s.ReadBy(m.Name) {
				read++
				continue
			}
			o := Options{Method: m}
			vectors.Check(settings.Of(&o)[i].Set("1"))
			if err := o.Complete(w); err == nil || err.Error() != s.Unread(m.Name).Error() {
				t.Errorf("%s of %s: %v", s.Name, m.Name, err)
			}
		}
	}
	if all := len(settings.Of(new(Options))) * len(Methods); read == 0 || read >= all {
		t.Errorf("%d of %d are read", read, all)
	}
}

// pair is a feature set with one plain feature and two patterns. Only shapes and names matter in
// this test.
type pair struct{ features.Set }

func (pair) Blocks() []features.Block {
	label := func(name string) func(int) string {
		return func(i int) string { return name + "[" + string("abc"[i]) + "]" }
	}
	return []features.Block{{Name: "plain", Len: 1}, {Name: "first", Len: 3, Label: label("first")}, {Name: "second", Len: 3, Label: label("second")}}
}

func (pair) Shapes() []features.Shape {
	return []features.Shape{{Name: "first", Rows: 2, Columns: 2, Cells: []int{0}}, {Name: "second", Rows: 2, Columns: 2, Cells: []int{3}}}
}

func (pair) Name() string                                                       { return "pair" }
func (pair) View(game.State) game.Player                                        { return 0 }
func (pair) Extract(_ game.State, _ game.Player, x models.Vector) models.Vector { return x }

// TestPatternTables checks values computed by hand. The first table adds 2, 4 and 4 - 2 with
// weights 1, 1 and 2: mean 2.5, variance 0.75. The second table adds the same value to every
// position, so its spread is 0. The plain feature and the bias belong to no table.
func TestPatternTables(t *testing.T) {
	m := &models.Linear{Weights: []float64{100, 2, 4, -2, 7, 0, 0}}
	sample := func(weight float64, indices ...int32) datasets.Sample {
		s := datasets.Sample{Weight: weight}
		for _, i := range indices {
			s.X = append(s.X, models.Term{Index: i, Value: 1})
		}
		return s
	}
	data := datasets.Rows{sample(1, 0, 1, 4, models.Bias), sample(1, 2, 4, models.Bias), sample(2, 0, 2, 3, 4)}
	got, err := PatternTables(pair{}, m, data)
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, error %v; want two tables", got, err)
	}
	if f := got[0]; f.Weights != 3 || f.Visited != 3 || math.Abs(f.Spread-math.Sqrt(0.75)) > 1e-12 {
		t.Errorf("first: %+v; want 3 of 3 weights, spread %v", f, math.Sqrt(0.75))
	}
	// The weights 2, 4 and -2 are visited 1, 3 and 2 times, so their mean is 10/6.
	mean := 10.0 / 6
	if f := got[0]; len(f.High) != 2 || f.High[0] != (Filling{"b", 4 - mean, 0.5}) || f.High[1].Symbols != "a" || len(f.Low) != 1 || f.Low[0] != (Filling{"c", -2 - mean, 2.0 / 6}) {
		t.Errorf("first: high %v, low %v", f.High, f.Low)
	}
	if f := got[1]; f.Visited != 1 || f.Spread != 0 || len(f.High)+len(f.Low) != 0 {
		t.Errorf("second: %+v; want one weight, no spread, nothing above or below", f)
	}
	f, ok, err := patternFigure(got, "three positions")
	if err != nil || !ok || !strings.Contains(f.Caption, "three positions") {
		t.Errorf("figure: %v, %v, %q", ok, err, f.Caption)
	}
	if none, err := PatternTables(nil, m, data); none != nil || err != nil {
		t.Errorf("a set without patterns: %v, %v", none, err)
	}
}

func TestCalibrationText(t *testing.T) {
	tenth := func(realised float64) validate.Stratum {
		return validate.Stratum{Predicted: 0.5, Realised: realised, Error: 0.05, Freedom: 1000}
	}
	right, low, high := tenth(0.5), tenth(0.2), tenth(0.9)
	for _, test := range []struct {
		groups []validate.Stratum
		want   string
	}{
		{nil, ""},
		{[]validate.Stratum{right, right}, "In none of the 2 groups"},
		{[]validate.Stratum{low, low}, "In all 2 groups the outcome is lower than predicted, by up to 0.3; the evaluation is too high."},
		{[]validate.Stratum{low, right, right}, "In 1 of 3 groups the outcome is lower"},
		{[]validate.Stratum{right, high}, "In 1 of 2 groups the outcome is higher than predicted, by up to 0.4; the evaluation is too low."},
		{[]validate.Stratum{low, high, high}, "In 2 of 3 groups the outcome is higher than predicted, and in 1 it is lower, by up to 0.4"},
	} {
		if _, got := calibrated("", test.groups); !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%v: got %q, want %q", test.groups, got, test.want)
		}
	}
}

// TestPictures checks that weights of squares are drawn on boards, and that other nonzero weights
// are drawn in rows sorted by size. Without nonzero weights, there must be no picture.
func TestPictures(t *testing.T) {
	names := []string{"small", "pawn-e4@0", "large", "nothing", "pawn-a1@0", "king-h8"}
	m := &models.Linear{Blocks: []models.Block{{Name: "all", Len: len(names), Label: func(i int) string { return names[i] }}},
		Weights: []float64{0.25, 0.5, -3, 0, -0.125, 0}}
	f, ok, err := Coefficients(m, func(name string) (low, high float64, ok bool) { return -4, 1, name == "large" })
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	picture := string(f.SVG)
	if strings.Index(picture, ">large<") > strings.Index(picture, ">small<") || !strings.Contains(picture, ">small<") {
		t.Errorf("want large before small: %s", picture)
	}
	for _, absent := range []string{"nothing", "pawn", "king"} {
		if strings.Contains(picture, absent) {
			t.Errorf("%s among the weights", absent)
		}
	}
	f, ok, err = SquareWeights(m)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if picture = string(f.SVG); !strings.Contains(picture, ">pawn@0<") || !strings.Contains(picture, ">.5<") || !strings.Contains(picture, ">-.12<") {
		t.Errorf("want a board of pawns with .5 and -.12: %s", picture)
	}
	m.Weights = make([]float64, len(names))
	if _, ok, err := Coefficients(m, nil); ok || err != nil {
		t.Errorf("a picture of no weights: %v", err)
	}
	if _, ok, err := SquareWeights(m); ok || err != nil {
		t.Errorf("boards of no weights: %v", err)
	}
}

// TestNoFiguresOverNoRows checks that no held-out loss is printed if nothing is held out. If all
// labels are equal, the output must omit R² and give the reason.
func TestNoFiguresOverNoRows(t *testing.T) {
	one := vectors.Must(os.ReadFile("testdata/t6-onegame.csv"))
	draws := "game,a,label\n"
	for k := range 40 {
		draws += fmt.Sprintf("%d,%d,0.5\n", k/4, k%7)
	}
	for text, want := range map[string]struct{ held, alike bool }{string(one): {false, false}, draws: {true, true}} {
		f := fitted(t, text, table.Layout{Group: "game"}, setup{}, Options{})
		words, tables := described(f)
		if got := len(tables[0].Head) == 3; got != want.held {
			t.Errorf("a column of held-out losses %v, want %v", got, want.held)
		}
		said := strings.Contains(strings.Join(f.Report.Notes, "\n"), "all labels are 0.5")
		if said != want.alike || f.Report.Alike != want.alike {
			t.Errorf("notes %q, alike %v, want %v", f.Report.Notes, f.Report.Alike, want.alike)
		}
		if all := strings.Join(words, "\n") + tables[0].Caption; !want.held && strings.Contains(strings.ToLower(strings.ReplaceAll(all, "nothing is held out", "")), "held") {
			t.Errorf("held-out figures over no rows: %s", all)
		}
		text := vectors.Must(json.Marshal(f.ColumnsJSON()))
		var got struct{ Report map[string]any }
		vectors.Check(json.Unmarshal(text, &got))
		for name, none := range map[string]bool{"held_out_loss": !want.held, "held_out_error": !want.held, "held_out_r2": !want.held || want.alike, "r2": want.alike, "loss": false} {
			if (got.Report[name] == nil) != none {
				t.Errorf("%s is %v in %s", name, got.Report[name], text)
			}
		}
		if zero := got.Report["zero"].(map[string]any); (zero["held_out_loss"] == nil) == want.held || zero["loss"] == nil {
			t.Errorf("zero: %v", zero)
		}
	}
}
