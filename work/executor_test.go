package work_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"plyfit/work"
	"plyfit/work/worktest"
)

// squares returns a kind of job whose units are lists of squares, each multiplied by a number read
// from a file.
func squares(factor string, t *testing.T) work.Kind {
	return work.Kind{Name: "squares", Open: func(job *work.Job, files work.Files, workers int) (work.Units, error) {
		text, err := files.Read(job.Files[factor])
		if err != nil {
			return nil, err
		}
		var times int
		if _, err := fmt.Sscan(string(text), &times); err != nil {
			return nil, err
		}
		return work.NewUnits(work.Task[struct{}, int]{
			Parts: func(unit int) int { return unit%3 + 1 },
			Do: func(ctx context.Context, _ struct{}, unit, part int) (int, error) {
				if work.ExecutorOf(ctx) != nil {
					t.Errorf("unit %d would hand its own work over", unit)
				}
				return times * (unit + part) * (unit + part), nil
			},
			Join: func(_ int, parts []int) ([]byte, error) { return fmt.Append(nil, parts), nil },
		}, make([]struct{}, workers), nil), nil
	}}
}

// TestExecutor checks that a run with a job is passed to the context's executor, and that each
// result is audited and stored. Runs without a job or without an executor are computed in this
// process.
func TestExecutor(t *testing.T) {
	files := work.Memory{}
	job := &work.Job{Kind: "squares", To: 20, UnitSize: 1, Files: map[string]string{"factor": files.Add([]byte("3"))}}
	var units []int
	want := map[int]string{}
	for unit := range 20 {
		units = append(units, unit)
		var parts []int
		for p := range unit%3 + 1 {
			parts = append(parts, 3*(unit+p)*(unit+p))
		}
		want[unit] = fmt.Sprint(parts)
	}
	e := &worktest.Executor{Kinds: work.Kinds{squares("factor", t)}, Seed: 1}
	ctx := work.WithExecutor(context.Background(), e)
	none := errors.New("done here")
	pool := &work.Pool[struct{}, int]{Workers: make([]struct{}, 1), Task: work.Task[struct{}, int]{
		Parts: func(int) int { return 1 },
		Do:    func(context.Context, struct{}, int, int) (int, error) { return 0, none },
	}}
	got := map[int]string{}
	put := func(unit int, result []byte) error { got[unit] = string(result); return nil }
	counted, audited := 0, 0
	audit := &work.Audit{MostBytes: 100, Check: func(_ context.Context, unit int, result []byte) error {
		if audited++; string(result) != want[unit] {
			return fmt.Errorf("%s: want %s", result, want[unit])
		}
		return nil
	}}
	err := pool.Run(ctx, work.Run{Job: job, Files: files, Put: put, Units: units, Audit: audit,
		Ready: func(unit int) bool { return unit < counted+5 },
		There: func(int) { counted++ },
	})
	if err != nil || !reflect.DeepEqual(got, want) || counted != 20 || e.Twice == 0 || audited != 20+e.Twice {
		t.Errorf("%v, %v; %d done twice", err, got, e.Twice)
	}
	if err := pool.Run(ctx, work.Run{Put: put, Units: units}); !errors.Is(err, none) {
		t.Errorf("a run without a job: %v, want it done here", err)
	}
	if err := pool.Run(work.WithExecutor(ctx, nil), work.Run{Job: job, Put: put, Units: units}); !errors.Is(err, none) {
		t.Errorf("without an executor: %v, want it done here", err)
	}
}

// TestOpenRefuses checks that the error for a job that cannot be opened states what is missing.
func TestOpenRefuses(t *testing.T) {
	kinds := work.Kinds{squares("factor", t)}
	for want, job := range map[string]*work.Job{
		`job of kind "cubes": want one of squares`: {Kind: "cubes"},
		"no file with SHA-256 abc is available":    {Kind: "squares", Files: map[string]string{"factor": "abc"}},
	} {
		if _, err := kinds.Open(job, work.Memory{}, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestParseJob checks that a decoded job encodes to the same bytes and has the same Rest, and that
// invalid jobs and units are rejected.
func TestParseJob(t *testing.T) {
	type rest struct {
		Rate float64 `json:"rate"`
		Text string  `json:"text"`
	}
	for _, job := range []*work.Job{
		{Kind: "match", World: "nim", Agents: []string{"a<b", "c"}, Seed: 1<<64 - 1, To: 20, UnitSize: 4, Files: map[string]string{"x": "y"}, Rest: rest{0.1, "<&>"}},
		{Kind: "bare"},
	} {
		got, build, err := work.ParseJob(job.Canonical())
		if err != nil || build != work.ThisBuild() || string(got.Canonical()) != string(job.Canonical()) || got.Name() != job.Name() {
			t.Errorf("%s comes back as %s of %v, %v", job.Canonical(), got.Canonical(), build, err)
		}
		var r rest
		if err := got.Decode(&r); (err == nil) != (job.Rest != nil) || err == nil && r != job.Rest {
			t.Errorf("%s: the rest comes back as %v, %v", job.Canonical(), r, err)
		}
	}
	for unit, want := range map[int]bool{-1: false, 0: true, 4: true, 5: false, 1 << 60: false} {
		if got := (&work.Job{To: 20, UnitSize: 4}).CheckUnit(unit) == nil; got != want {
			t.Errorf("20 pairs by 4: has unit %d: %v, want %v", unit, got, want)
		}
	}
	for _, bad := range []work.Job{{To: 20}, {UnitSize: 4}, {To: -1, UnitSize: 4}} {
		if bad.CheckUnit(0) == nil {
			t.Errorf("%+v has a unit", bad)
		}
	}
	for _, text := range []string{"", "{", `{"kind":1}`, `{"kind":"a","colour":"red"}`, `{"kind":"a"} {}`} {
		if j, _, err := work.ParseJob([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "job: ") {
			t.Errorf("%q: %v, %v, want an error", text, j, err)
		}
	}
	job, _, err := work.ParseJob([]byte(`{"kind":"a","rest":{"rate":1,"colour":"red"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Decode(&rest{}); err == nil {
		t.Error("an unknown field of the rest: want an error")
	}
}
