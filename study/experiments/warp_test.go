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

// A small run of warps, twice: the same report by one worker and by
// three, and no cell twice.
func TestSmallRun(t *testing.T) {
	var reports [][]byte
	for _, workers := range []int{1, 3} {
		s := &study.Session{Catalog: catalog.All(), Seed: 3, Workers: workers, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
		s.Over.Pairs, s.Over.Positions, s.Over.Depths, s.Over.Slips = 12, 20, []int{2}, []float64{0, 0.2}
		s.Over.Games = []string{"connect4"}
		if _, err := page.RunAll(context.Background(), s, []study.Experiment{warp}, "again"); err != nil {
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
	if !bytes.Contains(reports[0], []byte("<svg")) || !bytes.Contains(reports[0], []byte("costs points in connect4")) {
		t.Error("the report lacks its figure or its verdicts")
	}
}

func TestOverridesAreChecked(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Dir: t.TempDir(), Log: io.Discard, Quiet: true}
	s.Over.Feature = "win-now"
	if _, err := s.Run(context.Background(), warp); err == nil || !strings.Contains(err.Error(), "--feature") {
		t.Errorf("%v, want one that names --feature", err)
	}
}
