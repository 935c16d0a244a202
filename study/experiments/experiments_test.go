package experiments

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
	"plyfit/study/page"
)

func newSession(t *testing.T, workers int) *study.Session {
	return &study.Session{Catalog: catalog.All(), Seed: 1, Workers: workers, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
}

func checksPass(t *testing.T, f *study.Results, want int) {
	t.Helper()
	if len(f.Checks) != want {
		t.Errorf("%d checks, want %d", len(f.Checks), want)
	}
	for _, c := range f.Checks {
		if !c.Passed {
			t.Errorf("%s: %s", c.Name, c.Figure)
		}
	}
}

// One decision ahead nothing is claimed, and the headline is the negative control.
func TestCrossedAtDepthOne(t *testing.T) {
	s := newSession(t, 2)
	s.Over.Games, s.Over.Pairs, s.Over.Depths = []string{"connect4", "connect4:dice=on"}, 10, []int{1}
	f, err := s.Run(context.Background(), crossed)
	if err != nil {
		t.Fatal(err)
	}
	checksPass(t, f, 8)
	if len(f.Findings) > 0 || !strings.Contains(f.Headline, "at most 0.0000 in 18 cells") {
		t.Errorf("%d findings, headline %q", len(f.Findings), f.Headline)
	}
}

// The user's warps, twice: the same report by one worker and by three, with a claim on
// each of them and no claim about minimax.
func TestWarps(t *testing.T) {
	var reports [][]byte
	for _, workers := range []int{1, 3} {
		s := newSession(t, workers)
		s.Over.Pairs, s.Over.Depths, s.Over.Slips, s.Over.Warps = 12, []int{2}, []float64{0.2}, []string{"exp:3", "ranks"}
		if _, err := page.RunAll(context.Background(), s, []study.Experiment{crossed}, "again"); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(s.Dir, "report.html"))
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, data)
	}
	if !bytes.Equal(reports[0], reports[1]) {
		t.Error("the report depends on the number of workers")
	}
	for _, want := range []string{"<svg", "exp(3z) costs expectimax points", "ranks costs expectimax points", "no evaluation at all"} {
		if !bytes.Contains(reports[0], []byte(want)) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

// Calibrating moves expectimax's games and not one of minimax's, in both worlds of chance.
func TestCalibrationOfLearnedEvaluations(t *testing.T) {
	s := newSession(t, 2)
	s.Over.Pairs, s.Over.Depths = 40, []int{2}
	f, err := s.Run(context.Background(), calibration)
	if err != nil {
		t.Fatal(err)
	}
	checksPass(t, f, 8)
	if len(f.Findings) != 8 || len(f.Tables) != 5 || len(f.Tables[0].Rows) != 4 {
		t.Errorf("%d findings, %d tables, want 8 and 5: of 4 evaluations and 2 calibrations", len(f.Findings), len(f.Tables))
	}
	moved := 0
	for _, table := range f.Tables[1:] {
		for _, row := range table.Rows {
			if row[0] != "Platt" && row[0] != "isotonic" || row[2] == "1" {
				continue
			}
			if row[3] != "0.0000" {
				t.Errorf("%v: minimax gains or loses", row)
			}
			if !strings.HasPrefix(row[4], "0.0000") {
				moved++
			}
		}
	}
	if moved < 4 {
		t.Errorf("calibrating moves expectimax in %d of 8 rows: this test shows nothing", moved)
	}
}

// Halving an error gains what the greater one loses less what the smaller one loses, and
// errors come in the sizes that were asked for.
func TestHalvingGains(t *testing.T) {
	s := newSession(t, 2)
	s.Over.Pairs, s.Over.Depths = 40, []int{2}
	g, kinds, err := newSizes(context.Background(), s, "connect4")
	if err != nil {
		t.Fatal(err)
	}
	if s.Store, err = study.OpenStore(s.Dir + "/cells.jsonl"); err != nil {
		t.Fatal(err)
	}
	if err := g.Measure(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	gained := 0.0
	for i, k := range kinds {
		if k.half < 0 {
			continue
		}
		if k.share != 2*kinds[k.half].share || k.name != kinds[k.half].name {
			t.Errorf("half of %+v is %+v", k, kinds[k.half])
		}
		whole, half := &g.Errors[i], &g.Errors[k.half]
		if a, b := g.Units[0].Size(whole.Draws[0]), g.Units[0].Size(half.Draws[0]); a-2*b > 0.004 || 2*b-a > 0.004 {
			t.Errorf("%s has the size %.4f, and half of it %.4f", whole.Name, a, b)
		}
		w := g.Worlds[0]
		got := study.Mean(halving(g, i, k.half, w, 2).Expectimax.Units())
		want := study.Mean(g.Contrast(whole, w, 2).Expectimax.Units()) - study.Mean(g.Contrast(half, w, 2).Expectimax.Units())
		if got-want > 1e-12 || want-got > 1e-12 {
			t.Errorf("halving %s gains %v, want %v", k.name, got, want)
		}
		gained += got * got
	}
	if gained == 0 {
		t.Error("halving gained nothing anywhere: this test shows nothing")
	}
}

func TestOverridesAreChecked(t *testing.T) {
	s := newSession(t, 1)
	s.Over.Assume = []float64{0}
	if _, err := s.Run(context.Background(), crossed); err == nil || !strings.Contains(err.Error(), "--assume") {
		t.Errorf("%v, want one that names --assume", err)
	}
}
