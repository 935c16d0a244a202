package learn

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"plyfit/learn/internal/learntest"
)

// TestDivided: a fit has the same bits, report included, with any number of goroutines.
func TestDivided(t *testing.T) {
	rows := learntest.LogisticRows(rand.New(rand.NewPCG(4, 4)), 100_000, []float64{0.3, -0.2, 0.1})
	for name, learner := range map[string]func(o Options) Learner{
		"ridge":  func(o Options) Learner { return Ridge{Options: o} },
		"newton": func(o Options) Learner { return Newton{Options: o} },
	} {
		fit := func(workers int) (any, Report) {
			m := learntest.Model(3)
			r, err := learner(Options{HeldOut: SplitEvery(5, 1), Penalty: 1e-3, Workers: workers}).Learn(context.Background(), m, rows)
			if err != nil {
				t.Fatal(err)
			}
			return m, r
		}
		model, report := fit(1)
		if m, r := fit(3); !reflect.DeepEqual(m, model) || !reflect.DeepEqual(r, report) {
			t.Errorf("%s: %+v, %+v, want %+v, %+v", name, m, r, model, report)
		}
	}
}
