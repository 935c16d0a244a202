package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plyfit/datasets"
	"plyfit/internal/vectors"
	"plyfit/learn/internal/learntest"
	"plyfit/learn/loss"
	"plyfit/models"
)

// overlapping returns 400 rows with n features. The labels overlap, and a fifth of them are draws.
func overlapping(rng *rand.Rand, n int) datasets.Rows {
	var data datasets.Rows
	for i := range 400 {
		x, z := make([]float64, n), 0.3
		for j := range x {
			x[j] = float64(rng.IntN(5) - 2)
			z += 0.4 * x[j]
		}
		y := 0.5
		if rng.IntN(5) > 0 {
			if y = 0; rng.Float64() < learntest.Logistic(z) {
				y = 1
			}
		}
		data = append(data, datasets.Sample{X: learntest.Vector(x...), Y: y, Weight: 1, Episode: uint64(i / 4)})
	}
	return data
}

// separatedNames returns the names of the weights that a report marks as separated.
func separatedNames(r *Report) (names []string) {
	for _, w := range r.Weights {
		if w.Separated {
			names = append(names, w.Name)
		}
	}
	return names
}

func TestSeparatedColumns(t *testing.T) {
	row := func(y float64, x ...float64) datasets.Sample {
		return datasets.Sample{X: learntest.Vector(x...), Y: y, Weight: 1}
	}
	base := func() datasets.Rows { return overlapping(rand.New(rand.NewPCG(1, 2)), 2) }
	for _, c := range []struct {
		name string
		add  []datasets.Sample // added to rows whose labels overlap in f0 and f1
		want []string
	}{
		{"none", nil, nil},
		{"wins alone", []datasets.Sample{row(1, 0, 1, 1), row(1, 0, -1, 2), row(1, 1, 0, 1)}, []string{"f2"}},
		{"for both sides", []datasets.Sample{row(1, 0, 1, 1), row(0, 0, -1, -2), row(0, 1, 0, -1)}, []string{"f2"}},
		{"losses alone", []datasets.Sample{row(0, 0, 1, 1), row(0, 2, 0, 3)}, []string{"f2"}},
		{"one exception", []datasets.Sample{row(1, 0, 1, 1), row(1, 0, -1, 2), row(0, 1, 0, 1)}, nil},
		{"one draw", []datasets.Sample{row(1, 0, 1, 1), row(1, 0, -1, 2), row(0.5, 1, 0, 1)}, nil},
		{"nearly a win", []datasets.Sample{row(1, 0, 1, 1), row(0.999, 0, -1, 2)}, nil},
		// f3 contradicts the result, but only in rows in which f2 determines the result.
		{"one behind the other", []datasets.Sample{row(1, 0, 1, 1, -1), row(1, 0, -1, 1, 2), row(1, 1, 0, 0, 1), row(1, 2, 0, 0, 1)}, []string{"f2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := base()
			for i, s := range c.add {
				s.Episode = uint64(1000 + i)
				data = append(data, s)
			}
			for _, l := range []Learner{
				Newton{Options: Options{Penalty: 1e-6}}, Newton{Options: Options{Penalty: 0.1}}, Newton{},
				Newton{Options: Options{Penalty: 1e-6}, Loss: loss.Squared{Link: models.Link{Kind: models.Logistic}, Hi: 1}},
			} {
				m := learntest.Model(4)
				r := vectors.Must(l.Learn(context.Background(), m, data))
				if got := separatedNames(&r); !slices.Equal(got, c.want) {
					t.Errorf("%+v: separated are %v, want %v", l, got, c.want)
				}
				if said := strings.Contains(strings.Join(r.Notes, "\n"), "separated: "); said != (c.want != nil) {
					t.Errorf("notes %q", r.Notes)
				}
				for _, w := range r.Weights {
					switch {
					case w.Separated && (w.Error != 0 || !math.IsNaN(m.Errors[w.Index]) || !strings.HasPrefix(w.Note, "separated: ")):
						t.Errorf("%s is separated, but has error %v, %v in the model, note %q", w.Name, w.Error, m.Errors[w.Index], w.Note)
					case !w.Separated && w.Support > 0 && !(w.Error > 0):
						t.Errorf("%s has no standard error: %+v", w.Name, w)
					}
				}
			}
		})
	}
}

// TestNoErrorsForCollinearColumns checks a column that is the sum of two other columns. Only the
// penalty separates the three, so none of them may have an interval.
func TestNoErrorsForCollinearColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var data datasets.Rows
	for i := range 400 {
		x, y, free := float64(rng.IntN(5)), float64(rng.IntN(5)), rng.NormFloat64()
		label := 0.0
		if 0.3*x-0.4*y+free+rng.NormFloat64() > 0 {
			label = 1
		}
		data = append(data, datasets.Sample{X: learntest.Vector(x, y, x+y, free), Y: label, Weight: 1, Episode: uint64(i / 2)})
	}
	o := Options{Penalty: 1e-4}
	for _, l := range []Learner{Ridge{Options: o}, Newton{Options: o}} {
		m := learntest.Model(4)
		r := vectors.Must(l.Learn(context.Background(), m, data))
		for _, w := range r.Weights {
			shared := w.Name == "f0" || w.Name == "f1" || w.Name == "f2"
			if shared != (w.Error == 0) || shared != strings.Contains(w.Note, "separated by the penalty alone") {
				t.Errorf("%T: %s has error %v, note %q", l, w.Name, w.Error, w.Note)
			}
			if w.Index >= 0 && shared != math.IsNaN(m.Errors[w.Index]) {
				t.Errorf("%T: %s has error %v in the model", l, w.Name, m.Errors[w.Index])
			}
		}
	}
}

// TestSeparatedWithoutErrors checks that a fit without standard errors lists separated columns.
func TestSeparatedWithoutErrors(t *testing.T) {
	data := overlapping(rand.New(rand.NewPCG(1, 2)), 2)
	data = append(data, datasets.Sample{X: learntest.Vector(0, 1, 1), Y: 1, Weight: 1, Episode: 1000}, datasets.Sample{X: learntest.Vector(1, 1, 2), Y: 1, Weight: 1, Episode: 1001})
	r := vectors.Must(LBFGS{Options: Options{Penalty: 1e-6}}.Learn(context.Background(), learntest.Model(3), data))
	if got := separatedNames(&r); !slices.Equal(got, []string{"f2"}) {
		t.Errorf("separated are %v, want f2", got)
	}
}

// TestSeparatedTogether checks columns that separate results only in combination with other
// columns. The report must mark each of them as separated or as shrunk by the penalty, so that
// their intervals are not mistaken for estimates from the data alone.
func TestSeparatedTogether(t *testing.T) {
	row := func(y float64, x ...float64) datasets.Sample {
		return datasets.Sample{X: learntest.Vector(x...), Y: y, Weight: 1}
	}
	for name, add := range map[string][]datasets.Sample{
		// f3 contradicts the result only in rows in which f2 determines the result.
		"behind": {row(1, 0, 1, 1, -1), row(1, 0, -1, 1, 2), row(1, 1, 0, 0, 1), row(1, 2, 0, 0, 1)},
		// f2-f3 is never negative in won rows and never positive in lost rows.
		"difference": {row(1, 0, 1, 2, 1), row(1, 0, -1, -1, -2), row(0, 1, 0, 1, 2), row(0, 1, 0, 1, 1), row(1, 1, 0, 2, 2), row(0, 0, 0, -1, -1)},
	} {
		data := overlapping(rand.New(rand.NewPCG(1, 2)), 2)
		for i, s := range add {
			s.Episode = uint64(1000 + i)
			data = append(data, s)
		}
		for _, penalty := range []float64{1e-6, 1e-4} {
			r := vectors.Must(Newton{Options: Options{Penalty: penalty}}.Learn(context.Background(), learntest.Model(4), data))
			for _, w := range r.Weights {
				if noted := w.Separated || strings.HasPrefix(w.Note, "shrunk: "); (w.Name == "f2" || w.Name == "f3") && !noted {
					t.Errorf("%s, penalty %v: %+v, want that the penalty holds it", name, penalty, w)
				}
			}
		}
	}
}

// TestNearlyCollinear checks a column that other columns repeat in all but three rows, all three of
// them won. The columns must be listed and must have no interval. If 2,000 rows differ, the columns
// must be treated like any others.
func TestNearlyCollinear(t *testing.T) {
	for _, c := range []struct {
		own   int
		named bool
	}{{3, true}, {2000, false}} {
		rng := rand.New(rand.NewPCG(4, 2))
		var data datasets.Rows
		for i := range 6000 {
			a, b := float64(rng.IntN(7)-3), float64(rng.IntN(7)-3)
			sum := a + b
			if i < c.own {
				sum++
			}
			y := 0.0
			if c.named && i < c.own || rng.Float64() < learntest.Logistic(0.3*sum) {
				y = 1
			}
			data = append(data, datasets.Sample{X: learntest.Vector(a, b, sum), Y: y, Weight: 1, Episode: uint64(i)})
		}
		r := vectors.Must(Newton{Options: Options{Unit: 1}}.Learn(context.Background(), learntest.Model(3), data))
		for _, w := range r.Weights {
			if w.Index < 0 {
				continue
			}
			_, _, ok := w.Interval()
			if named := strings.Contains(w.Note, "other columns repeat it"); named != c.named || ok == c.named {
				t.Errorf("%d rows of its own: %s has the note %q, and an interval: %v", c.own, w.Name, w.Note, ok)
			}
		}
	}
}
