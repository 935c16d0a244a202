package study

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"sync"

	"plyfit/internal/disk"
	"plyfit/internal/progress"
	"plyfit/work"
)

// Cells returns one result per key, in the order of the keys, and computes those that the session's
// store lacks. A result must follow from its key alone. Both are stored as JSON. cost is the relative
// work of a key, for the progress bar; nil means that all are alike.
func Cells[K, R any](ctx context.Context, s *Session, title string, keys []K, cost func(K) float64, run func(ctx context.Context, key K) (R, error)) ([]R, error) {
	names, costs := make([]string, len(keys)), make([]float64, len(keys))
	var todo []int
	var done, total float64 // costs
	for i, k := range keys {
		text, err := json.Marshal(k)
		if err != nil {
			panic("study: a cell's key: " + err.Error())
		}
		names[i], costs[i] = title+" "+string(text), 1
		if cost != nil {
			costs[i] = cost(k)
		}
		if total += costs[i]; s.store.cells[names[i]] == nil {
			todo = append(todo, i)
		} else {
			done += costs[i]
		}
	}
	pool := &work.Pool[struct{}, R]{Workers: make([]struct{}, max(1, s.Workers)), Task: work.Task[struct{}, R]{
		Parts: func(int) int { return 1 },
		Do: func(ctx context.Context, _ struct{}, i, _ int) (R, error) {
			return abandonable(ctx, func() (R, error) { return run(ctx, keys[i]) })
		},
		Join: func(i int, parts []R) ([]byte, error) {
			text, err := json.Marshal(parts[0])
			if err != nil {
				err = fmt.Errorf("cell %s: %w", names[i], err)
			}
			return text, err
		},
	}}
	if s.stage != nil {
		if err := s.stage.serve(ctx, title, names, len(todo), work.NewUnits(pool.Task, pool.Workers, s.stage.end)); err != nil {
			return nil, err
		}
	} else if len(todo) > 0 {
		const parts = 10000 // of the work, for the bar
		bar := progress.New(s.Log, s.name+" "+title, parts, s.Quiet)
		defer bar.Finish()
		bar.Tell(work.Teller(s.Dir))
		show := func() { bar.Set(int64(math.Round(parts * done / total))) }
		show()
		r := work.Run{Units: todo, Put: func(i int, result []byte) error { return s.store.put(names[i], result) }}
		r.There = func(i int) {
			done += costs[i]
			show()
		}
		if work.ExecutorOf(ctx) != nil {
			var err error
			if r.Job, r.Files, err = s.pack(title, names); err != nil {
				return nil, err
			}
			r.Audit = &work.Audit{MostBytes: mostCellBytes, Check: func(_ context.Context, _ int, text []byte) error { return audit[R](text) }}
		}
		if err := pool.Run(ctx, r); err != nil {
			return nil, err
		}
	}
	results := make([]R, len(keys))
	for i, name := range names {
		if err := s.store.get(name, &results[i]); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// Span is a range of numbered results, and a part of the keys of [Parts].
type Span struct {
	From  int `json:"from"`
	Count int `json:"count"`
}

func (s *Span) span() *Span { return s }

// Parts returns the results of each key's span, computed by [Cells] whose spans have at most most of
// them, so that a kill costs little and all workers are busy.
func Parts[K, R any, S ~[]R, P interface {
	*K
	span() *Span
}](ctx context.Context, s *Session, title string, keys []K, most int, cost func(K) float64, run func(ctx context.Context, key K) (S, error)) ([]S, error) {
	var parts []K
	var of []int
	for i, k := range keys {
		span := P(&k).span()
		for left := *span; left.Count > 0; left = (Span{left.From + most, left.Count - most}) {
			*span = Span{left.From, min(most, left.Count)}
			parts, of = append(parts, k), append(of, i)
		}
	}
	found, err := Cells(ctx, s, title, parts, cost, run)
	out := make([]S, len(keys))
	for i, part := range found {
		out[of[i]] = append(out[of[i]], part...)
	}
	return out, err
}

// mostCellBytes is the maximum size of a result from another process.
const mostCellBytes = 16 << 20

// audit refuses text from another process that is not the result of a cell. A wrong result is noticed
// only if the cell is computed twice.
func audit[R any](text []byte) error {
	var r R
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	if again, err := json.Marshal(r); err != nil || !bytes.Equal(again, text) {
		return fmt.Errorf("want the result of a cell as it is written, %T", r)
	}
	return nil
}

// abandonable returns the result of run, or ctx's error as soon as ctx ends. A run that ignores its
// context then finishes unnoticed.
func abandonable[R any](ctx context.Context, run func() (R, error)) (none R, err error) {
	var result R
	done := make(chan error, 1)
	go func() {
		var err error
		result, err = run()
		done <- err
	}()
	select {
	case err := <-done:
		return result, err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// store is the file of an experiment's finished cells, one per line. Cells are appended as they are
// finished and sorted in the end, so that the file does not depend on the number of workers.
type store struct {
	mu    sync.Mutex
	file  work.Journal
	cells map[string]json.RawMessage
}

type storedCell struct {
	Cell   string          `json:"cell"`
	Result json.RawMessage `json:"result"`
}

func newStore(path string) *store {
	return &store{file: work.Journal{Path: path}, cells: map[string]json.RawMessage{}}
}

// openStore reads the cells at path; a missing file has none. It leaves out a last line that is torn.
// Any other line that is not a cell is an error.
func openStore(path string) (*store, error) {
	s := newStore(path)
	if err := s.file.Load(s.line); err != nil {
		return nil, fmt.Errorf("%w; remove the line to work its cell out anew", err)
	}
	return s, nil
}

// line adds the cell of a line.
func (s *store) line(text []byte, torn bool) error {
	const start = `{"cell":"`
	if n := min(len(text), len(start)); torn && string(text[:n]) == start[:n] {
		return nil
	}
	var c storedCell
	if err := json.Unmarshal(text, &c); err != nil || c.Cell == "" || c.Result == nil {
		return s.file.Fail(`want a cell as JSON, {"cell": ..., "result": ...}`)
	}
	s.cells[c.Cell] = c.Result
	return nil
}

// get reads the result of a cell that is in the store.
func (s *store) get(cell string, result any) error {
	if err := json.Unmarshal(s.cells[cell], result); err != nil {
		return fmt.Errorf("%s: cell %s: %w", s.file.Path, cell, err)
	}
	return nil
}

// put adds the result of a cell. Several goroutines may call it.
func (s *store) put(cell string, result []byte) error {
	line, err := disk.SealedLine(storedCell{cell, result})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells[cell] = result
	return s.file.Append(line)
}

// close writes the file anew unless its lines are whole and in order.
func (s *store) close() error {
	lines, err := s.lines()
	if err != nil {
		return err
	}
	if err := s.file.Close(); err != nil {
		return err
	}
	if old, _ := os.ReadFile(s.file.Path); bytes.Equal(old, lines) {
		return nil
	}
	return disk.WriteBytes(s.file.Path, lines)
}

// lines returns the lines of all cells except those named, in order.
func (s *store) lines(except ...string) (lines []byte, err error) {
	others := maps.Clone(s.cells)
	for _, cell := range except {
		delete(others, cell)
	}
	for _, cell := range slices.Sorted(maps.Keys(others)) {
		line, err := disk.SealedLine(storedCell{cell, others[cell]})
		if err != nil {
			return nil, err
		}
		lines = append(lines, line...)
	}
	return lines, nil
}
