package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/internal/vectors"
	"plyfit/learn/internal/learntest"
	"plyfit/learn/loss"
	"plyfit/models"
)

// laid returns n rows with the given number of features and no bias. The parameter zeros is the
// fraction of values that are 0. The labels are drawn from a logistic model with the weights 0.4,
// -0.3, 0.4, ...
func laid(n, features int, zeros float64) (out datasets.Rows) {
	rng := rand.New(rand.NewPCG(uint64(n), 8))
	for i := range n {
		s := datasets.Sample{Weight: 1, Episode: uint64(i), Position: uint64(i + 1)}
		z := 0.0
		for j := range features {
			if rng.Float64() < zeros {
				continue
			}
			v := float32(rng.NormFloat64())
			s.X = append(s.X, models.Term{Index: int32(j), Value: v})
			z += float64([]float64{0.4, -0.3}[j%2] * float64(v))
		}
		if rng.Float64() < 1/(1+elementary.Exp(-z)) {
			s.Y = 1
		}
		out = append(out, s)
	}
	return out
}

// TestDense checks that rows stored as cells give bit-identical results to rows stored as terms. It
// covers frozen features, row weights, bounds and held-out rows, and several numbers of goroutines.
func TestDense(t *testing.T) {
	for _, zeros := range []float64{0, 0.3, 0.9} {
		data := laid(40000, 9, zeros)
		for i := range data {
			s := &data[i]
			s.Weight, s.Kind, s.Episode = float64(i%4)/2, game.Bound(max(0, i%50-47)), uint64(i/3)
		}
		terms := slices.Clone(data)
		for i := range terms { // an explicit zero for the frozen feature, which prevents the block from using cells
			terms[i].X = append(slices.Clip(terms[i].X), models.Term{Index: 4, Value: 0})
		}
		for _, criterion := range []loss.Function{loss.Logistic{}, loss.Squared{Link: models.Link{Kind: models.Tanh, Scale: 0.5}, Hi: 1}} {
			l := Newton{Loss: criterion, Options: Options{Frozen: []int32{4, models.Bias}, HeldOut: SplitEvery(5, 2), Penalty: 1e-3}}
			fit := func(data datasets.Samples, workers int) (*models.Linear, Report) {
				m := learntest.Model(9)
				m.Weights[4] = 0.5
				l.Workers = workers
				r := vectors.Must(l.Learn(context.Background(), m, data))
				return m, r
			}
			want, notes := fit(terms, 1)
			for workers := 1; workers <= 3; workers += 2 {
				m, r := fit(data, workers)
				if !slices.Equal(m.Weights, want.Weights) || !reflect.DeepEqual(r, notes) {
					t.Errorf("%v of 0, %T, %d goroutines: %v, want %v; report %v, want %v", zeros, criterion, workers, m.Weights, want.Weights, r, notes)
				}
			}
		}
	}
}

// TestApproach checks that a fit of many rows in memory, which begins with a fit of some of them,
// finds the same weights to within 1e-9 in fewer passes, and in at most four.
func TestApproach(t *testing.T) {
	data := laid(leastRows, 4, 0.2)
	for i := range data {
		if i%5000 > 0 { // a feature that occurs in too few of the rows that are fitted first
			data[i].X = slices.DeleteFunc(data[i].X, func(t models.Term) bool { return t.Index == 3 })
		}
	}
	fit := func(data datasets.Samples, tolerance float64) ([]float64, int) {
		m := learntest.Model(4)
		r := vectors.Must(Newton{Options: Options{HeldOut: SplitEvery(5, 2)}, Tolerance: tolerance}.Learn(context.Background(), m, data))
		return m.Weights, r.Steps
	}
	want, passes := fit(data, 1e-18)
	w, n := fit(learntest.Stored(data, false), 0)
	for j := range w {
		if !(math.Abs(w[j]-want[j]) <= 1e-9*math.Abs(want[j])) {
			t.Errorf("weight %d is %v, want %v", j, w[j], want[j])
		}
	}
	if n > 4 || n >= passes {
		t.Errorf("%d passes, want at most 4, and fewer than %d", n, passes)
	}
}

// TestSingleRowGames checks that the jackknife for single-row games agrees with the general one.
func TestSingleRowGames(t *testing.T) {
	data := laid(600, 5, 0.4)
	data[7].X = append(data[7].X, models.Term{Index: 5, Value: 1}) // the only row with this feature
	fit := func(groups int) []float64 {
		m := learntest.Model(6)
		vectors.Must((Newton{Options: Options{Groups: groups, Penalty: 1e-6}}).Learn(context.Background(), m, data))
		return m.Errors
	}
	alone, grouped := fit(0), fit(1)
	for j, e := range alone[:5] {
		if !(e > 0) || !(math.Abs(e-grouped[j]) <= 1e-9*e) {
			t.Errorf("weight %d: error %v, want %v", j, e, grouped[j])
		}
	}
	if !math.IsNaN(alone[5]) || !math.IsNaN(grouped[5]) {
		t.Errorf("a weight that one row tells of has errors %v and %v, want none", alone[5], grouped[5])
	}
}

// TestTapered checks that adding tapered rows grouped by phase gives the same weights, losses and
// errors as adding rows one by one, to within 1e-9. It covers frozen features, row weights and
// bounds. One and three goroutines must give bit-identical results.
func TestTapered(t *testing.T) {
	const terms = 6
	rng := rand.New(rand.NewPCG(5, 1))
	frozen := []int32{3, 8, 9, models.Bias}
	var rows, expanded datasets.Rows
	for i := range 20_000 {
		s := datasets.Sample{Weight: float64(rng.IntN(3)), Episode: uint64(i), Position: uint64(i + 1), Phase: []float32{0, 0.25, 0.5, 1}[rng.IntN(4)]}
		z := 0.0
		for c := range terms - 1 {
			if v := float32(rng.IntN(5) - 2); v != 0 {
				s.X = append(s.X, models.Term{Index: int32(c), Value: v})
				z += float64(float64(v) * float64(0.1+0.3*s.Phase))
			}
		}
		if rng.Float64() < 1/(1+elementary.Exp(-z)) {
			s.Y = 1
		}
		if i%50 == 0 {
			s.Y, s.Kind = 0.4, game.Bound(i%3)
		}
		rows = append(rows, s)
	}
	rows[7].X = append(rows[7].X, models.Term{Index: terms - 1, Value: 1}) // the only row with this feature
	rows[7].Phase, rows[7].Weight = 1, 1
	data := learntest.Stored(rows, true)
	for s := range data.All() {
		row := *s
		row.X = slices.Clone(s.X)
		expanded = append(expanded, row)
	}
	fit := func(data datasets.Samples, workers int) (*models.Linear, Report) {
		m := learntest.Model(2 * terms)
		m.Weights[3], m.Weights[8] = 0.1, 0.2
		r := vectors.Must(Newton{Options: Options{Penalty: 1e-6, HeldOut: SplitEvery(5, 2), Frozen: frozen, Workers: workers}}.Learn(context.Background(), m, data))
		return m, r
	}
	want, told := fit(expanded, 1)
	m, r := fit(data, 1)
	near := func(what string, got, want float64) {
		if !learntest.Near(got, want, 1e-9) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("loss", r.Loss, told.Loss)
	near("held-out loss", r.HeldOutLoss, told.HeldOutLoss)
	for i := range m.Weights {
		near(m.Name(int32(i)), m.Weights[i], want.Weights[i])
		near("error of "+m.Name(int32(i)), m.Errors[i], want.Errors[i])
		near("freedom of "+m.Name(int32(i)), r.Weights[i+1].Freedom, told.Weights[i+1].Freedom)
		if r.Weights[i+1].Note != told.Weights[i+1].Note || r.Weights[i+1].Support != told.Weights[i+1].Support {
			t.Errorf("%+v, want %+v", r.Weights[i+1], told.Weights[i+1])
		}
	}
	if again, _ := fit(data, 3); !slices.Equal(again.Weights, m.Weights) || !slices.EqualFunc(again.Errors, m.Errors, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
		t.Error("three goroutines come to other bits than one")
	}
}

// TestHeldGroups checks that held-out errors do not depend on the order of the rows.
func TestHeldGroups(t *testing.T) {
	data := laid(400, 3, 0)
	fit := func(order func(i int) int) float64 {
		rows := make(datasets.Rows, len(data))
		for i := range rows {
			rows[order(i)] = data[i]
			rows[order(i)].Episode = uint64(i / 4)
		}
		r := vectors.Must(Newton{Options: Options{HeldOut: SplitEvery(2, 2)}}.Learn(context.Background(), learntest.Model(3), rows))
		return r.HeldOutError
	}
	want := fit(func(i int) int { return i })
	if got := fit(func(i int) int { return i * 7 % 400 }); !(math.Abs(got-want) <= 1e-9*want) || want <= 0 {
		t.Errorf("error %v, want %v", got, want)
	}
}

// TestGoroutines checks that fits by Ridge and Newton are bit-identical with one and three
// goroutines.
func TestGoroutines(t *testing.T) {
	rows := learntest.LogisticRows(rand.New(rand.NewPCG(4, 4)), 100_000, []float64{0.3, -0.2, 0.1})
	for name, learner := range map[string]func(o Options) Learner{
		"ridge":  func(o Options) Learner { return Ridge{Options: o} },
		"newton": func(o Options) Learner { return Newton{Options: o} },
	} {
		fit := func(workers int) (any, Report) {
			m := learntest.Model(3)
			r := vectors.Must(learner(Options{HeldOut: SplitEvery(5, 1), Penalty: 1e-3, Workers: workers}).Learn(context.Background(), m, rows))
			return m, r
		}
		model, report := fit(1)
		if m, r := fit(3); !reflect.DeepEqual(m, model) || !reflect.DeepEqual(r, report) {
			t.Errorf("%s: %+v, %+v, want %+v, %+v", name, m, r, model, report)
		}
	}
}
