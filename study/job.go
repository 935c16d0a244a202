package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"

	"plyfit/catalog"
	"plyfit/models"
	"plyfit/search"
	"plyfit/work"
)

const (
	kindStudy = "study" // a job whose units are the cells of a stage
	cellsFile = "cells" // the job's file of the finished cells of other stages
)

// stageRest is what the cells of a stage follow from besides what all jobs have.
type stageRest struct {
	Experiment string    `json:"experiment"`
	Stage      string    `json:"stage"` // its title
	Keys       string    `json:"keys"`  // digest of its cells
	Effort     Effort    `json:"effort"`
	Over       Overrides `json:"over"`
}

// digestOf distinguishes stages with one title, and programs that disagree about their cells.
func digestOf(cells []string) string { return work.Digest([]byte(strings.Join(cells, "\n"))) }

func (s *Session) pack(title string, cells []string) (*work.Job, work.Files, error) {
	if s.running.Fixed {
		return nil, nil, fmt.Errorf("study confirm: a protocol is run by its own process: want a study, or no other machines")
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
	// A model that is not a file is shipped, so every process has it.
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

// stage runs an experiment for another process: up to the stage whose cells it serves, with the cells of
// earlier stages.
type stage struct {
	stageRest
	reached chan work.Units
	end     func() error // ends the experiment
}

// serve hands over the cells of the stage once the experiment has reached it.
func (g *stage) serve(ctx context.Context, title string, cells []string, lacking int, units work.Units) error {
	switch {
	case title == g.Stage && digestOf(cells) == g.Keys:
		g.reached <- units
		<-ctx.Done()
		return errors.New("the stage has served its cells")
	case lacking > 0:
		return fmt.Errorf("%d cells of %s are not there: want those of all stages before %s", lacking, title, g.Stage)
	}
	return nil
}

// Kind computes cells of the experiments that find returns, in other processes.
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
