package study

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"

	"plyfit/internal/progress"
	"plyfit/work"
)

// Cells computes one result a key, those in the store already left out, and returns them in the
// order of the keys. Everything that a result depends on must be in its key, which is stored as
// JSON, as the result is: so it does not matter which worker finds it, or when. cost is what a key
// takes in any unit, for the time left; nil: all alike.
func Cells[K, R any](ctx context.Context, s *Session, title string, keys []K, cost func(K) float64, run func(ctx context.Context, key K) (R, error)) ([]R, error) {
	results, texts, costs := make([]R, len(keys)), make([]string, len(keys)), make([]float64, len(keys))
	var todo []int
	var done, total float64 // costs
	for i, k := range keys {
		text, err := json.Marshal(k)
		if err != nil {
			panic("study: a cell's key: " + err.Error())
		}
		texts[i], costs[i] = title+" "+string(text), 1
		if cost != nil {
			costs[i] = cost(k)
		}
		found, err := s.Store.get(texts[i], &results[i])
		switch {
		case err != nil:
			return nil, err
		case found:
			done += costs[i]
		default:
			todo = append(todo, i)
		}
		total += costs[i]
	}
	task := work.Task[struct{}, R]{
		Parts: func(int) int { return 1 },
		Do: func(ctx context.Context, _ struct{}, i, _ int) (R, error) {
			return abandonable(ctx, func() (R, error) { return run(ctx, keys[i]) })
		},
		Join: func(i int, parts []R) ([]byte, error) {
			text, err := json.Marshal(parts[0])
			if err != nil {
				return nil, fmt.Errorf("cell %s: %w", texts[i], err)
			}
			return text, nil
		},
	}
	workers := make([]struct{}, max(1, s.Workers))
	if s.stage != nil {
		return results, s.stage.serve(ctx, title, texts, len(todo), work.NewUnits(task, workers, s.stage.end))
	}
	if len(todo) == 0 {
		return results, nil
	}
	const parts = 10000 // of the work, for the bar
	bar := progress.New(s.Log, s.name+" "+title, parts, s.Quiet)
	defer bar.Finish()
	bar.Tell(work.Teller(s.Dir))
	show := func() { bar.Set(int64(math.Round(parts * done / total))) }
	show()
	r := work.Run{
		Units: todo,
		Put:   func(i int, result []byte) error { return s.Store.put(texts[i], result) },
		There: func(i int) {
			done += costs[i]
			show()
		},
	}
	if work.ExecutorOf(ctx) != nil {
		var err error
		if r.Job, r.Files, err = s.pack(title, texts); err != nil {
			return nil, err
		}
		r.Audit = &work.Audit{MostBytes: mostCellBytes, Check: func(_ context.Context, _ int, text []byte) error { return audit[R](text) }}
	}
	if err := (&work.Pool[struct{}, R]{Task: task, Workers: workers}).Run(ctx, r); err != nil {
		return nil, err
	}
	for _, i := range todo {
		// By way of JSON, so that a result that was stored and one that was not are the same.
		if _, err := s.Store.get(texts[i], &results[i]); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// mostCellBytes is how large a result may be that another process hands in.
const mostCellBytes = 16 << 20

// audit refuses text from another process that is no result of a cell. Whether a result is right is
// found where one is computed twice.
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

// abandonable returns the result of work, or ctx's error as soon as that ends: work that does not
// ask its context is then left to finish for no one, so that a study that is stopped ends.
func abandonable[R any](ctx context.Context, work func() (R, error)) (none R, err error) {
	type answer struct {
		value R
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := work()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}
