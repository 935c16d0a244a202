package study

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"sync"

	"plyfit/catalog"
	"plyfit/internal/program"
	"plyfit/internal/progress"
)

// Session is a run of experiments: what is asked for, and where it is kept.
type Session struct {
	Catalog catalog.Catalog
	Effort  Effort
	Seed    uint64
	Workers int // cells worked on at once; never changes a result
	Dir     string
	Over    Overrides

	Log   io.Writer // of progress
	Quiet bool

	// Ledger is what the ledger of seeds calls the run; "": study and the
	// experiment's name.
	Ledger string

	name  string // of the experiment at work
	Store *store // its cells
}

// Overrides are what the user wants otherwise than an experiment has it; zero
// values leave its own.
type Overrides struct {
	Games     []string  `json:"games,omitempty"`     // specs without slip
	Eval      string    `json:"eval,omitempty"`      // handwritten, learned or a model file
	Warps     []string  `json:"warps,omitempty"`     // as ParseWarp reads them
	Feature   string    `json:"feature,omitempty"`   // the term to underweight
	Depths    []int     `json:"depths,omitempty"`    // decisions
	Slips     []float64 `json:"slips,omitempty"`     // probabilities, 0 for no slip
	Assume    []float64 `json:"assume,omitempty"`    // slips that planners assume, where they are not the world's; 0: minimax
	Error     float64   `json:"error,omitempty"`     // the common error of all damages
	Positions int       `json:"positions,omitempty"` // a cell
	Pairs     int       `json:"pairs,omitempty"`     // a cell
}

// Given names the overrides that are set, as their flags are called.
func (o *Overrides) Given() []string {
	var names []string
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"game", o.Games != nil}, {"eval", o.Eval != ""}, {"warp", o.Warps != nil}, {"feature", o.Feature != ""},
		{"depth", o.Depths != nil}, {"slip", o.Slips != nil}, {"assume", o.Assume != nil}, {"error", o.Error != 0},
		{"positions", o.Positions != 0}, {"pairs", o.Pairs != 0},
	} {
		if f.set {
			names = append(names, f.name)
		}
	}
	return names
}

// Pick is the number that goes with the effort.
func (s *Session) Pick(quick, normal, full int) int { return [...]int{quick, normal, full}[s.Effort] }

// Positions are the user's number, or that of the effort.
func (s *Session) Positions(quick, normal, full int) int {
	if s.Over.Positions > 0 {
		return s.Over.Positions
	}
	return s.Pick(quick, normal, full)
}

// Pairs are the like for pairs of games.
func (s *Session) Pairs(quick, normal, full int) int {
	if s.Over.Pairs > 0 {
		return s.Over.Pairs
	}
	return s.Pick(quick, normal, full)
}

// Or is a where the user gave any, else b.
func Or[T any](a, b []T) []T {
	if len(a) > 0 {
		return a
	}
	return b
}

// cellsPath is the file of an experiment's cells. Those of other code lie in
// folders of their own and are neither read nor overwritten: a run is by one
// build.
func (s *Session) cellsPath(name string) string {
	return filepath.Join(s.Dir, "cells", program.Version(), name+".jsonl")
}

// Run runs one experiment in the session. Its verdicts are corrected for their number
// (Holm), and taken back where an instrument check failed.
func (s *Session) Run(ctx context.Context, e Experiment) (*Results, error) {
	takes := map[string]bool{}
	for _, name := range e.Takes {
		takes[name] = true
	}
	for _, name := range s.Over.Given() {
		if !takes[name] {
			return nil, fmt.Errorf("study %s: takes no --%s", e.Name, name)
		}
	}
	var err error
	s.name = e.Name
	if s.Store, err = OpenStore(s.cellsPath(e.Name)); err != nil {
		return nil, err
	}
	f, err := e.Run(ctx, s)
	// What was finished is kept even where something went wrong.
	if werr := s.Store.flush(); err == nil {
		err = werr
	}
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", e.Name, err)
	}
	f.correct()
	f.refuse()
	return f, nil
}

// Cells works out one result a key, those in the store already left out, and
// returns them in the order of the keys. Everything that a result depends on
// must be in its key, which is stored as JSON, as the result is: so it does not
// matter which worker finds it, or when. cost is what a key takes in any unit,
// for the time left; nil: all alike.
func Cells[K, R any](ctx context.Context, s *Session, title string, keys []K, cost func(K) float64, run func(ctx context.Context, key K) (R, error)) ([]R, error) {
	results := make([]R, len(keys))
	texts := make([]string, len(keys))
	var todo []int
	var total, done float64
	price := func(i int) float64 {
		if cost == nil {
			return 1
		}
		return cost(keys[i])
	}
	for i, k := range keys {
		text, err := json.Marshal(k)
		if err != nil {
			panic("study: a cell's key: " + err.Error())
		}
		texts[i] = title + " " + string(text)
		total += price(i)
		found, err := s.Store.get(texts[i], &results[i])
		switch {
		case err != nil:
			return nil, err
		case found:
			done += price(i)
		default:
			todo = append(todo, i)
		}
	}
	if len(todo) == 0 {
		return results, nil
	}
	// A run that was refused leaves no ledger behind, either.
	record := sync.OnceValue(func() error { return RecordSeeds(s.Dir, cmp.Or(s.Ledger, "study "+s.name), s.Seed) })
	const parts = 10000 // of the work, for the bar
	bar := progress.New(s.Log, s.name+" "+title, parts, s.Quiet)
	defer bar.Finish()
	share := func() int64 { return int64(math.Round(parts * done / total)) }
	bar.Set(share())

	var mu sync.Mutex // guards done, and results by way of the store
	err := inParallel(ctx, s.Workers, todo, func(ctx context.Context, i int) error {
		r, err := run(ctx, keys[i])
		if err == nil {
			err = ctx.Err() // a search that was stopped says so by no error
		}
		if err == nil {
			err = record()
		}
		if err == nil {
			// By way of JSON, so that a result that was stored and one that
			// was not are the same.
			err = s.Store.put(texts[i], r, &results[i])
		}
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		done += price(i)
		bar.Set(share())
		return nil
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// inParallel works off a list of jobs. The first error ends it, and is returned; so
// does the end of ctx.
func inParallel(ctx context.Context, workers int, list []int, work func(ctx context.Context, job int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	jobs := make(chan int)
	var wait sync.WaitGroup
	for range max(1, workers) {
		wait.Go(func() {
			for i := range jobs {
				if ctx.Err() != nil {
					continue
				}
				if err := work(ctx, i); err != nil {
					stop(err)
				}
			}
		})
	}
feed:
	for _, i := range list {
		select {
		case jobs <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(jobs)
	wait.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
