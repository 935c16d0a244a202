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

	name  string // of the experiment at work
	fixed bool   // it is of a protocol
	Store *store // its cells
	stage *stage // that is computed for another process; nil: the experiment is run
}

// Overrides are what the user wants otherwise than an experiment has it; zero values leave its own.
// In JSON they have the names of their flags.
type Overrides struct {
	Games   []string  `json:"game,omitempty"`    // specs without slip
	Eval    string    `json:"eval,omitempty"`    // handwritten, learned or a model file
	Warps   []string  `json:"warp,omitempty"`    // as ParseWarp reads them
	Feature string    `json:"feature,omitempty"` // the term to underweight
	Depths  []int     `json:"depth,omitempty"`   // decisions
	Slips   []float64 `json:"slip,omitempty"`    // probabilities, 0 for no slip
	Assume  []float64 `json:"assume,omitempty"`  // slips that planners assume, where they are not the world's; 0: minimax
	Error   float64   `json:"error,omitempty"`   // the common error of all damages
	Pairs   int       `json:"pairs,omitempty"`   // a cell
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

// Pick is the number that goes with the effort.
func (s *Session) Pick(quick, normal, full int) int { return [...]int{quick, normal, full}[s.Effort] }

// Pairs are the user's number of pairs of games, or that of the effort.
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

// Run runs one experiment in the session. Its verdicts are corrected for their number
// (Holm), and taken back where an instrument check failed.
func (s *Session) Run(ctx context.Context, e Experiment) (*Results, error) {
	for _, name := range s.Over.Given() {
		if !slices.Contains(e.Takes, name) {
			return nil, fmt.Errorf("study %s: takes no --%s", e.Name, name)
		}
	}
	var err error
	s.name, s.fixed = e.Name, e.Fixed
	// Cells of other code are in folders of their own and are neither read nor overwritten.
	if s.Store, err = OpenStore(filepath.Join(s.Dir, "cells", proc.Version(), e.Name+".jsonl")); err != nil {
		return nil, err
	}
	f, err := e.Run(ctx, s)
	if serr := s.Store.close(); err == nil {
		err = serr
	}
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", e.Name, err)
	}
	f.correct()
	f.refuse()
	return f, nil
}
