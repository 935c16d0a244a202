package selfplay

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// rememberer imitates an external program whose answers depend on the number of searches since it
// was started.
type rememberer struct {
	asked int
	timed bool
}

func (*rememberer) Begin(uint64)  {}
func (r *rememberer) Timed() bool { return r.timed }
func (r *rememberer) Search(_ context.Context, s game.State) (search.Result, error) {
	r.asked++
	x := float64(r.asked) / 1000
	return search.Result{Move: s.Moves(nil)[0], Value: x, Values: []float64{x, -x}, Depth: 1, Nodes: 1}, nil
}

// TestRepeatable checks that the labels of a program with memory do not depend on the number of
// workers, because the program is restarted for each episode. Programs that answer inconsistently
// or are limited by time must be rejected.
func TestRepeatable(t *testing.T) {
	cfg := config(t, "connect4", 20)
	run(t, cfg)
	program := search.Factory{Name: "program", Unrepeatable: true, New: func() (search.Agent, error) { return &rememberer{}, nil }}
	digests := map[string]bool{}
	for workers := 1; workers <= 3; workers++ {
		to := filepath.Join(t.TempDir(), "to")
		agent := vectors.Must(Repeatable(t.Context(), cfg.Game, program))
		m := vectors.Must(Relabel(t.Context(), RelabelConfig{Game: cfg.Game, Agent: agent, Once: true, From: cfg.Dir, To: to, Workers: workers}))
		digests[m.Digest] = true
		for _, r := range records(t, to) {
			if !r.HasValue || !(r.Value > 0 && r.Value < 0.1) {
				t.Fatalf("%+v: want the value of an episode's beginning", r)
			}
		}
	}
	if len(digests) != 1 {
		t.Errorf("%d digests of three numbers of workers", len(digests))
	}
	if _, err := Relabel(t.Context(), RelabelConfig{Game: cfg.Game, Agent: program, From: cfg.Dir, To: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "differ from run to run") {
		t.Errorf("error %v: want a program refused that is not known to repeat itself", err)
	}
	n := 0
	for want, make := range map[string]func() (search.Agent, error){
		"of the same game": func() (search.Agent, error) { n += 100; return &rememberer{asked: n}, nil },
		"a time limit":     func() (search.Agent, error) { return &rememberer{timed: true}, nil },
	} {
		program.New = make
		if _, err := Repeatable(t.Context(), cfg.Game, program); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
