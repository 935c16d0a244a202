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

// A small run of the headline, twice: the same report by one worker and by
// three, and no cell twice.
func TestSmallRun(t *testing.T) {
	var reports [][]byte
	for _, workers := range []int{1, 3} {
		s := &study.Session{Catalog: catalog.All(), Seed: 3, Workers: workers, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
		s.Over.Pairs, s.Over.Depths, s.Over.Slips = 12, []int{2}, []float64{0, 0.2}
		if _, err := page.RunAll(context.Background(), s, []study.Experiment{crossover}, "again"); err != nil {
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
	if !bytes.Contains(reports[0], []byte("<svg")) || !bytes.Contains(reports[0], []byte("costs expectimax points")) {
		t.Error("the report lacks its figure or its verdicts")
	}
}

// One decision ahead both planners choose alike, so whatever a match shows there
// is the world's doing: the experiment that once printed "noise costs less under
// expectimax" at that depth claims nothing of noise.
func TestDepthOneClaimsNothingOfNoise(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
	s.Over.Pairs, s.Over.Depths, s.Over.Slips = 200, []int{1}, []float64{0, 0.3}
	f, err := s.Run(context.Background(), crossover)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range f.Findings {
		if strings.Contains(v.Claim, "noise") || strings.Contains(v.Claim, "win-now") || v.Support == study.Supported {
			t.Errorf("%v: one decision ahead the planners do not differ", v)
		}
	}
}

func TestOverridesAreChecked(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Dir: t.TempDir(), Log: io.Discard, Quiet: true}
	s.Over.Positions = 5
	if _, err := s.Run(context.Background(), crossover); err == nil || !strings.Contains(err.Error(), "--positions") {
		t.Errorf("%v, want one that names --positions", err)
	}
}
