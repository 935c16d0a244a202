package learn

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"plyfit/learn/internal/learntest"
	"plyfit/work"
	"plyfit/work/worktest"
)

// TestDivided: a fit has the same bits, report included, with any number of goroutines
// and where other processes sum its rows.
func TestDivided(t *testing.T) {
	rows := learntest.LogisticRows(rand.New(rand.NewPCG(4, 4)), 100_000, []float64{0.3, -0.2, 0.1})
	for name, learner := range map[string]func(o Options) Learner{
		"ridge":  func(o Options) Learner { return Ridge{Options: o} },
		"newton": func(o Options) Learner { return Newton{Options: o} },
	} {
		fit := func(ctx context.Context, workers int) (any, Report) {
			m := learntest.Model(3)
			r, err := learner(Options{HeldOut: SplitEvery(5, 1), Penalty: 1e-3, Workers: workers}).Learn(ctx, m, rows)
			if err != nil {
				t.Fatal(err)
			}
			return m, r
		}
		model, report := fit(context.Background(), 1)
		e := &worktest.Executor{Kinds: work.Kinds{Kind()}}
		for where, ctx := range map[string]context.Context{"here": context.Background(), "elsewhere": work.WithExecutor(context.Background(), e)} {
			if m, r := fit(ctx, 3); !reflect.DeepEqual(m, model) || !reflect.DeepEqual(r, report) {
				t.Errorf("%s %s: %+v, %+v, want %+v, %+v", name, where, m, r, model, report)
			}
		}
		if len(e.Jobs) == 0 || len(e.Jobs) != report.Steps {
			t.Errorf("%s: %d jobs, want one for each of %d passes", name, len(e.Jobs), report.Steps)
		}
	}
}
