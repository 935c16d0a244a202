package study

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"strings"

	"plyfit/catalog"
	"plyfit/internal/progress"
	"plyfit/models"
	"plyfit/search"
	"plyfit/work"
)

// Cells returns a result for each key, in the order of the keys. It computes the results that are
// not in the session's store. A result must depend only on its key. Keys and results are stored as
// JSON. The callback cost returns a key's relative cost for the progress bar; if it is nil, all
// keys cost the same.
func Cells[K, R any](ctx context.Context, s *Session, title string, keys []K, cost func(K) float64, run func(ctx context.Context, key K) (R, error)) ([]R, error) {
	names, costs := make([]string, len(keys)), make([]float64, len(keys))
	var todo []int
	var done, total float64 // sums of costs
	for i, k := range keys {
		text, err := json.Marshal(k)
		if err != nil {
			panic("study: a cell's key: " + err.Error())
		}
		names[i], costs[i] = title+" "+string(text), 1
		if cost != nil {
			costs[i] = cost(k)
		}
		if total += costs[i]; !s.store.Has(names[i]) {
			todo = append(todo, i)
		} else {
			done += costs[i]
		}
	}
	pool := &work.Pool[struct{}, R]{Workers: make([]struct{}, max(1, s.Workers)), Task: work.Task[struct{}, R]{
		Parts: func(int) int { return 1 },
		Do:    func(ctx context.Context, _ struct{}, i, _ int) (R, error) { return run(ctx, keys[i]) },
		Join:  func(_ int, parts []R) ([]byte, error) { return json.Marshal(parts[0]) },
	}}
	if s.stage != nil {
		if err := s.stage.serve(ctx, title, names, len(todo), work.NewUnits(pool.Task, pool.Workers, s.stage.end)); err != nil {
			return nil, err
		}
	} else if len(todo) > 0 {
		const parts = 10000 // resolution of the progress bar
		bar := progress.New(s.Log, s.running.Name+" "+title, parts, s.Quiet)
		defer bar.Finish()
		bar.OnProgress(work.ProgressWriter(s.Dir))
		show := func() { bar.Set(int64(math.Round(parts * done / total))) }
		show()
		r := work.Run{Units: todo, Put: func(i int, result []byte) error { return s.store.Put(names[i], result) }}
		r.There = func(i int) {
			done += costs[i]
			show()
		}
		if work.ExecutorOf(ctx) != nil {
			var err error
			if r.Job, r.Files, err = s.pack(title, names); err != nil {
				return nil, err
			}
			r.Audit = &work.Audit{MostBytes: 16 << 20, Check: audit[R]}
		}
		if err := pool.Run(ctx, r); err != nil {
			return nil, err
		}
	}
	results := make([]R, len(keys))
	for i, name := range names {
		if err := s.store.Get(name, &results[i]); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// Span is a range of numbered results. It is embedded in the keys of [Parts].
type Span struct {
	From  int `json:"from"`
	Count int `json:"count"`
}

func (s *Span) span() *Span { return s }

// Parts returns the results for the span of each key. It splits the spans into cells with at most
// the given number of results. This keeps all workers busy, and little work is lost if the run is
// killed.
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

// audit returns an error if a result from another process cannot be the result of a cell.
func audit[R any](_ context.Context, _ int, text []byte) error {
	var r R
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	if again, err := json.Marshal(r); err != nil || !bytes.Equal(again, text) {
		return fmt.Errorf("want the encoded result of a cell, %T", r)
	}
	return nil
}

const (
	kindStudy = "study" // kind of a job whose units are the cells of a stage
	cellsFile = "cells" // name of the job file that contains the finished cells of other stages
)

// stageRest contains the settings of a stage that are specific to this kind of job.
type stageRest struct {
	Experiment string    `json:"experiment"`
	Stage      string    `json:"stage"` // title of the stage
	Keys       string    `json:"keys"`  // digest of its cells
	Effort     Effort    `json:"effort"`
	Over       Overrides `json:"over"`
}

// digestOf returns a digest that distinguishes stages with the same title, and versions of the
// program with different cells.
func digestOf(cells []string) string { return work.Digest([]byte(strings.Join(cells, "\n"))) }

func (s *Session) pack(title string, cells []string) (*work.Job, work.Files, error) {
	if s.running.Fixed {
		return nil, nil, fmt.Errorf("study confirm: a protocol cannot run on other machines; run the protocol locally, or use a study")
	}
	over := s.Over
	over.Games = nil
	packed := map[string][]byte{}
	for _, text := range s.Over.Games {
		w, err := s.Catalog.World(text)
		if err != nil {
			return nil, nil, err
		}
		own, err := w.Files()
		if err != nil {
			return nil, nil, err
		}
		maps.Copy(packed, own)
		over.Games = append(over.Games, w.Spec)
	}
	// A model that is not a file is a shipped one, which all processes have.
	path, _, _ := strings.Cut(over.Eval, ",")
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		f, err := models.Load(path)
		if err != nil {
			return nil, nil, err
		}
		if packed[path], err = f.Bundle(); err != nil {
			return nil, nil, err
		}
	}
	lines, err := s.store.Lines(cells...)
	if err != nil {
		return nil, nil, err
	}
	files := work.Memory{}
	job := &work.Job{Kind: kindStudy, Seed: s.Seed, To: len(cells), UnitSize: 1, Files: map[string]string{cellsFile: files.Add(lines)}}
	for name, data := range packed {
		job.Files[search.Packed+name] = files.Add(data)
	}
	job.Rest = stageRest{s.running.Name, title, digestOf(cells), s.Effort, over}
	return job, files, nil
}

// stage runs an experiment for another process until it reaches the stage whose cells are needed.
// The cells of earlier stages are already known.
type stage struct {
	stageRest
	reached chan work.Units
	end     func() error // stops the experiment
}

// serve provides the units of the stage once the experiment has reached that stage.
func (g *stage) serve(ctx context.Context, title string, cells []string, lacking int, units work.Units) error {
	switch {
	case title == g.Stage && digestOf(cells) == g.Keys:
		g.reached <- units
		<-ctx.Done()
		return errors.New("the stage has already returned its cells")
	case lacking > 0:
		return fmt.Errorf("%d cells of %s are missing; want the cells of all stages before %s", lacking, title, g.Stage)
	}
	return nil
}

// Kind returns the kind of job that computes cells in other processes. The callback find returns an
// experiment by name.
func Kind(c catalog.Catalog, find func(name string) (Experiment, error)) work.Kind {
	return work.Kind{Name: kindStudy, Open: func(job *work.Job, files work.Files, workers int) (work.Units, error) {
		g := &stage{reached: make(chan work.Units)}
		if err := job.Decode(&g.stageRest); err != nil {
			return nil, err
		}
		e, err := find(g.Experiment)
		if err != nil {
			return nil, err
		}
		text, err := files.Read(job.Files[cellsFile])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", cellsFile, err)
		}
		s := &Session{Catalog: c.WithFiles(job, files), Effort: g.Effort, Seed: job.Seed, Workers: workers, Over: g.Over, stage: g}
		if s.store, err = work.ReadResults(cellsFile, bytes.NewReader(text)); err != nil {
			return nil, err
		}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		g.end = func() error {
			stop()
			<-ended
			return nil
		}
		go func() {
			_, err := e.Run(ctx, s)
			ended <- err
		}()
		select {
		case units := <-g.reached:
			return units, nil
		case err := <-ended:
			stop()
			if err == nil {
				err = errors.New("the experiment has no such stage here")
			}
			return nil, fmt.Errorf("study %s, %s: %w", g.Experiment, g.Stage, err)
		}
	}}
}
