package study

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"plyfit/internal/vectors"
)

type square struct{ N int }

func squares(runs *atomic.Int64, fail int) Experiment {
	return Experiment{Name: "squares", Run: func(ctx context.Context, s *Session) (*Results, error) {
		keys := make([]square, 50)
		for i := range keys {
			keys[i].N = i
		}
		found, err := Cells(ctx, s, "squares", keys, nil, func(_ context.Context, k square) (float64, error) {
			if k.N == fail {
				return 0, errors.New("enough")
			}
			runs.Add(1)
			return float64(k.N * k.N), nil
		})
		if err != nil {
			return nil, err
		}
		f := &Results{}
		for i, x := range found {
			if x != float64(i*i) {
				return nil, errors.New("out of order")
			}
		}
		return f, nil
	}}
}

// TestCellsResume checks that cells are computed once, except for cells in progress when a run
// stops, and that the file of cells does not depend on the number of workers.
func TestCellsResume(t *testing.T) {
	var files [][]byte
	for _, workers := range []int{1, 4} {
		var runs atomic.Int64
		s := &Session{Workers: workers, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
		if _, err := s.Run(context.Background(), squares(&runs, 20)); err == nil || !strings.Contains(err.Error(), "enough") {
			t.Fatalf("%v, want the cell's error", err)
		}
		first := runs.Load()
		vectors.Must(s.Run(context.Background(), squares(&runs, -1)))
		// Cells in progress when the run stopped may have to be computed again.
		all := runs.Load()
		if all < 50 || all >= 50+int64(workers) || first == 0 {
			t.Errorf("%d workers: %d cells run, %d of them before the stop; want 50 and those under way at the stop", workers, all, first)
		}
		if _, err := s.Run(context.Background(), squares(&runs, -1)); err != nil || runs.Load() != all {
			t.Errorf("a finished run ran %d cells, %v", runs.Load()-all, err)
		}
		data := vectors.Must(os.ReadFile(filepath.Join(s.Dir, "cells", "test", "squares.jsonl")))
		files = append(files, data)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the cells' file depends on the number of workers")
	}
}

func TestDamagedCells(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "cells", "test", "squares.jsonl")
	vectors.Check(os.MkdirAll(filepath.Dir(path), 0o777))
	vectors.Check(os.WriteFile(path, []byte("{\"cell\":\"a\",\"result\":1}\nnonsense\n"), 0o666))
	var runs atomic.Int64
	s := &Session{Workers: 1, Dir: dir, Log: io.Discard, Quiet: true}
	if _, err := s.Run(context.Background(), squares(&runs, -1)); err == nil || !strings.Contains(err.Error(), "squares.jsonl, line 2") {
		t.Errorf("%v, want one that names file and line", err)
	}
}
