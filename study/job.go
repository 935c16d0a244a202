package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"plyfit/catalog"
	"plyfit/models"
	"plyfit/search"
	"plyfit/work"
)

// kindStudy is the kind of job whose units are the cells of a stage.
const kindStudy = "study"

// cellsFile is what a job calls the cells of other stages, which are there.
const cellsFile = "cells"

// stageRest is what the cells of a stage follow from, beside what all jobs have. Where it is made
// again, the experiment runs up to there, over the cells of the stages before.
type stageRest struct {
	Experiment string    `json:"experiment"`
	Stage      string    `json:"stage"` // its title
	Keys       string    `json:"keys"`  // digest of its cells' keys
	Effort     Effort    `json:"effort"`
	Over       Overrides `json:"over"`
}

// keysDigest tells stages of one title apart, and programs that disagree on them.
func keysDigest(texts []string) string { return work.Digest([]byte(strings.Join(texts, "\n"))) }

// pack makes a job of the cells of a stage, for other processes.
func (s *Session) pack(title string, texts []string) (*work.Job, work.Files, error) {
	if s.fixed {
		return nil, nil, fmt.Errorf("study confirm: a protocol is run by its own process: want a study, or no other machines")
	}
	files, over := work.Memory{}, s.Over
	over.Games = nil
	job := &work.Job{Kind: kindStudy, Seed: s.Seed, To: len(texts), UnitSize: 1, Files: map[string]string{}}
	add := func(own map[string][]byte, err error) error {
		for name, data := range own {
			job.Files[search.Packed+name] = files.Add(data)
		}
		return err
	}
	for _, text := range s.Over.Games {
		w, err := s.Catalog.World(text)
		if err == nil {
			err = add(w.Files())
		}
		if err != nil {
			return nil, nil, err
		}
		over.Games = append(over.Games, w.Spec)
	}
	if path, _, _ := strings.Cut(over.Eval, ","); path != "" {
		if err := add(modelAt(path)); err != nil {
			return nil, nil, err
		}
	}
	lines, err := s.Store.lines(texts...)
	if err != nil {
		return nil, nil, err
	}
	job.Files[cellsFile] = files.Add(lines)
	job.Rest = stageRest{s.name, title, keysDigest(texts), s.Effort, over}
	return job, files, nil
}

// modelAt is the model file of that path, by its path; none where there is no file,
// since every process has the models that are shipped.
func modelAt(path string) (map[string][]byte, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	f, err := models.Load(path)
	if err != nil {
		return nil, err
	}
	data, err := f.Bundle()
	return map[string][]byte{path: data}, err
}

// stage is what another process runs of an experiment: up to the stage, whose cells it serves.
type stage struct {
	stageRest
	reached chan work.Units
	end     func() error // ends the experiment
}

// serve hands over the cells of the stage once the experiment has reached it.
func (g *stage) serve(ctx context.Context, title string, texts []string, lacking int, cells work.Units) error {
	switch {
	case title == g.Stage && keysDigest(texts) == g.Keys:
		g.reached <- cells
		<-ctx.Done()
		return errors.New("the stage has served its cells")
	case lacking > 0:
		return fmt.Errorf("%d cells of %s are not there: want those of all stages before %s", lacking, title, g.Stage)
	}
	return nil
}

// Kind computes the cells of the experiments that find finds, in other processes.
func Kind(c catalog.Catalog, find func(name string) (Experiment, error)) work.Kind {
	return work.Kind{Name: kindStudy, Open: func(job *work.Job, files work.Files, workers int) (work.Units, error) {
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		g := &stage{reached: make(chan work.Units), end: func() error {
			stop()
			<-ended
			return nil
		}}
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
		s := &Session{
			Catalog: c.WithFiles(job, files), Effort: g.Effort, Seed: job.Seed, Workers: workers, Over: g.Over,
			Log: io.Discard, Quiet: true, name: g.Experiment, stage: g, Store: newStore(cellsFile),
		}
		if err := s.Store.file.Read(bytes.NewReader(text), s.Store.line); err != nil {
			return nil, err
		}
		go func() {
			_, err := e.Run(ctx, s)
			ended <- err
		}()
		select {
		case cells := <-g.reached:
			return cells, nil
		case err := <-ended:
			stop()
			if err == nil {
				err = fmt.Errorf("the experiment has no such stage here")
			}
			return nil, fmt.Errorf("study %s, %s: %w", g.Experiment, g.Stage, err)
		}
	}}
}
