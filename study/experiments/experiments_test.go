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

func TestOverridesAreChecked(t *testing.T) {
	s := newSession(t, 1)
	s.Over.Assume = []float64{0}
	if _, err := s.Run(context.Background(), crossed); err == nil || !strings.Contains(err.Error(), "--assume") {
		t.Errorf("%v, want one that names --assume", err)
	}
}
