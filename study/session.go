package study

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"plyfit/catalog"
	"plyfit/internal/proc"
)

// Session is a run of experiments.
type Session struct {
	Catalog catalog.Catalog
	Effort  Effort
	Seed    uint64
	Workers int // cells computed at once; never changes a result
	Dir     string
	Over    Overrides

	Log   io.Writer // receives the progress
	Quiet bool

	name  string // of the experiment that runs
	fixed bool   // the experiment is of a protocol
	store *store // cells of the experiment
	stage *stage // computed for another process; nil if the experiment runs here
}

// Overrides replace settings of an experiment; a zero value leaves the experiment's own. In JSON they
// have the names of their flags.
type Overrides struct {
	Games   []string  `json:"game,omitempty"`    // specs without slip
	Eval    string    `json:"eval,omitempty"`    // handwritten, learned or a model file
	Warps   []string  `json:"warp,omitempty"`    // in the form that ParseWarp reads
	Feature string    `json:"feature,omitempty"` // the term to underweight
	Depths  []int     `json:"depth,omitempty"`   // decisions
	Slips   []float64 `json:"slip,omitempty"`    // probabilities, 0 for no slip
	Assume  []float64 `json:"assume,omitempty"`  // slips that planners assume, if not the world's; 0: minimax
	Error   float64   `json:"error,omitempty"`   // the common error of all damages
	Pairs   int       `json:"pairs,omitempty"`   // per cell
}

// Given returns the names of the overrides that are set.
func (o *Overrides) Given() []string {
	text, err := json.Marshal(o)
	given := map[string]any{}
	if err == nil {
		err = json.Unmarshal(text, &given)
	}
	if err != nil {
		panic("study: " + err.Error())
	}
	return slices.Sorted(maps.Keys(given))
}

// Pick returns the number for the session's effort.
func (s *Session) Pick(quick, normal, full int) int { return [...]int{quick, normal, full}[s.Effort] }

// Pairs returns the user's number of pairs of games, or the one for the session's effort.
func (s *Session) Pairs(quick, normal, full int) int {
	if s.Over.Pairs > 0 {
		return s.Over.Pairs
	}
	return s.Pick(quick, normal, full)
}

// Or returns a, or b if a is empty.
func Or[T any](a, b []T) []T {
	if len(a) > 0 {
		return a
	}
	return b
}

// Run runs one experiment. Its verdicts are corrected for their number (Holm), and withdrawn if an
// instrument check failed.
func (s *Session) Run(ctx context.Context, e Experiment) (f *Results, err error) {
	for _, name := range s.Over.Given() {
		if !slices.Contains(e.Takes, name) {
			return nil, fmt.Errorf("study %s: takes no --%s", e.Name, name)
		}
	}
	s.name, s.fixed = e.Name, e.Fixed
	// The folder is that of the program's version: a version neither reads nor overwrites cells of another.
	if s.store, err = openStore(filepath.Join(s.Dir, "cells", proc.Version(), e.Name+".jsonl")); err != nil {
		return nil, err
	}
	f, err = e.Run(ctx, s)
	if closed := s.store.close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", e.Name, err)
	}
	f.correct()
	f.refuse()
	return f, nil
}
