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
	results := make([]R, len(keys))
	c := &cells{store: s.Store, texts: make([]string, len(keys)), costs: make([]float64, len(keys))}
	var todo []int
	for i, k := range keys {
		text, err := json.Marshal(k)
		if err != nil {
			panic("study: a cell's key: " + err.Error())
		}
		c.texts[i], c.costs[i] = title+" "+string(text), 1
		if cost != nil {
			c.costs[i] = cost(k)
		}
		found, err := s.Store.get(c.texts[i], &results[i])
		switch {
		case err != nil:
			return nil, err
		case found:
			c.done += c.costs[i]
		default:
			todo = append(todo, i)
		}
		c.total += c.costs[i]
	}
	one := func(ctx context.Context, i int) (any, error) {
		return abandonable(ctx, func() (any, error) { return run(ctx, keys[i]) })
	}
	c.fits = func(text []byte) error {
		var r R
		if err := json.Unmarshal(text, &r); err != nil {
			return err
		}
		if again, err := json.Marshal(r); err != nil || !bytes.Equal(again, text) {
			return fmt.Errorf("want the result of a cell as it is written, %T", r)
		}
		return nil
	}
	if s.stage != nil {
		return results, s.stage.serve(ctx, c, title, len(todo), one)
	}
	if len(todo) > 0 {
		if err := workOff(ctx, s, c, title, todo, one); err != nil {
			return nil, err
		}
		for _, i := range todo {
			// By way of JSON, so that a result that was stored and one that was not are the same.
			if _, err := s.Store.get(c.texts[i], &results[i]); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// abandonable is what work returns, or ctx's error as soon as that ends: work that does not ask
// its context is then left to finish for no one, so that a study that is stopped ends.
func abandonable(ctx context.Context, work func() (any, error)) (any, error) {
	var value any
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		value, err = work()
	}()
	select {
	case <-done:
		return value, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type cells struct {
	store       *store
	texts       []string // what the store calls them
	costs       []float64
	total, done float64                 // costs
	fits        func(text []byte) error // what keeps a text from being a result
}

// mostCellBytes is how large a result may be that another process hands in.
const mostCellBytes = 16 << 20

// audit is what cells of other processes have to pass: they have to be results. Whether
// they are right is found where one is computed twice.
func (c *cells) audit() *work.Audit {
	return &work.Audit{
		MostBytes: mostCellBytes,
		Check:     func(_ context.Context, _ int, result []byte) error { return c.fits(result) },
	}
}

func workOff(ctx context.Context, s *Session, c *cells, title string, todo []int, run func(ctx context.Context, i int) (any, error)) error {
	const parts = 10000 // of the work, for the bar
	bar := progress.New(s.Log, s.name+" "+title, parts, s.Quiet)
	defer bar.Finish()
	bar.Tell(work.Teller(s.Dir))
	show := func() { bar.Set(int64(math.Round(parts * c.done / c.total))) }
	show()
	pool := &work.Pool[struct{}, any]{Workers: make([]struct{}, max(1, s.Workers)), Task: work.Task[struct{}, any]{
		Parts: func(int) int { return 1 },
		Do:    func(ctx context.Context, _ struct{}, i, _ int) (any, error) { return run(ctx, i) },
		Join: func(i int, parts []any) ([]byte, error) {
			text, err := json.Marshal(parts[0])
			if err != nil {
				return nil, fmt.Errorf("cell %s: %w", c.texts[i], err)
			}
			return text, nil
		},
	}}
	r := work.Run{
		Put: func(i int, result []byte) error { return c.store.put(c.texts[i], result) }, Units: todo,
		There: func(i int) {
			c.done += c.costs[i]
			show()
		},
	}
	if work.ExecutorOf(ctx) != nil {
		var err error
		if r.Job, r.Files, err = s.pack(c, title); err != nil {
			return err
		}
		r.Audit = c.audit()
	}
	err := pool.Run(ctx, r)
	// What was finished is kept even where something went wrong.
	if serr := s.Store.sort(); err == nil {
		err = serr
	}
	return err
}
