// Package study degrades an evaluation on purpose to measure how much its quality matters under
// minimax and under expectimax.
//
// The typical steps are:
//
//  1. Define an [Experiment] with a question, a hypothesis that is written down before the first
//     run, and a Run function.
//  2. Call Session.Run. The [Session] contains the effort, the seed, and the user's [Overrides].
//  3. Run computes [Cells]. Each cell is computed once and stored in the directory of the session;
//     later runs read it.
//  4. Claims are decided by 95% intervals only; see [Decide]. The tables, the figures and each
//     [Finding] are the [Results] of the experiment.
//  5. [RunAll] runs several experiments and writes their report. It starts with a summary, followed
//     by a chapter for each experiment.
//
// Package evaluation provides the frozen evaluation of a game, the errors added to it, and the
// planners that search with the result. Package measure plays their games. Package ask contains the
// experiments and the grid that they share. Package diagnose measures a single evaluation, package
// confirm tests preregistered hypotheses, and package lecture computes the Pacman table of a
// lecture.
package study

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/proc"
	"plyfit/work"
)

// An Experiment is a question that is answered by playing games.
type Experiment struct {
	Name       string
	Question   string
	Hypothesis string     // expected result, and the date on which it was written down
	Withdrawn  string     // findings of earlier runs that proved to be wrong, with the reason; empty if there are none
	Design     string     // what is varied, what is kept the same, and why the sample sizes suffice
	Takes      []string   // names of the overrides that Run uses
	Minutes    [3]float64 // CPU time by effort: measured for quick, estimated from pilot runs otherwise
	Fixed      bool       // whether a protocol specifies all sizes, so that the effort has no effect
	Run        func(ctx context.Context, s *Session) (*Results, error)
}

// Described returns e with the question and the sections taken from a Markdown page.
func (e Experiment) Described(page string) Experiment {
	title, _, _ := strings.Cut(page, "\n")
	e.Question = strings.TrimPrefix(title, "# ")
	of := func(section string) string { return strings.Join(sections(page)[section], " ") }
	e.Hypothesis, e.Withdrawn, e.Design = of("Hypothesis"), of("Withdrawn"), of("Design")
	return e
}

// sections returns the paragraphs of each section of a page. Each paragraph is a single line.
func sections(page string) map[string][]string {
	of := map[string][]string{}
	for section := range strings.SplitSeq(page, "\n## ") {
		name, body, _ := strings.Cut(section, "\n")
		for paragraph := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
			of[name] = append(of[name], strings.Join(strings.Fields(paragraph), " "))
		}
	}
	return of
}

// Effort determines the amount of measurement.
type Effort int

const (
	Quick   Effort = iota // takes minutes: wide intervals, few findings
	Default               // takes about an hour
	Full                  // as much as the questions require
)

func (s Effort) String() string { return [...]string{"quick", "default", "full"}[s] }

// A Session is a run of experiments.
type Session struct {
	Catalog catalog.Catalog
	Effort  Effort
	Seed    uint64
	Workers int // number of cells computed in parallel; does not affect the results
	Dir     string
	Over    Overrides
	Log     io.Writer // receives progress messages
	Quiet   bool

	running Experiment
	store   *work.Results // cells of the running experiment
	stage   *stage        // not nil if cells are computed for another process
}

// Overrides replaces settings of an experiment. Zero values are ignored. The JSON keys are the
// names of flags.
type Overrides struct {
	Games   []string  `json:"game,omitempty"`    // specs without slips
	Eval    string    `json:"eval,omitempty"`    // evaluation: handwritten, learned or a model file
	Warps   []string  `json:"warp,omitempty"`    // warps, in the syntax of ParseWarp
	Feature string    `json:"feature,omitempty"` // term to be underweighted
	Depths  []int     `json:"depth,omitempty"`   // in decisions
	Slips   []float64 `json:"slip,omitempty"`    // probabilities; 0 means no slips
	Assume  []float64 `json:"assume,omitempty"`  // slips that planners assume instead of the world's; 0 means minimax
	Error   float64   `json:"error,omitempty"`   // common size of all errors
	Pairs   int       `json:"pairs,omitempty"`   // number of pairs per cell
}

// Changed returns the names of the overrides that are set.
func (o *Overrides) Changed() []string {
	changed := map[string]any{}
	text, err := json.Marshal(o)
	if err := cmp.Or(err, json.Unmarshal(text, &changed)); err != nil {
		panic("study: " + err.Error())
	}
	return slices.Sorted(maps.Keys(changed))
}

// Pick returns whichever of the three numbers belongs to the session's effort.
func (s *Session) Pick(quick, normal, full int) int { return [...]int{quick, normal, full}[s.Effort] }

// Pairs returns the number of pairs of games, which is either set by the user or the default for
// the session's effort.
func (s *Session) Pairs(quick, normal, full int) int {
	return cmp.Or(s.Over.Pairs, s.Pick(quick, normal, full))
}

// Or returns a, or b if a is empty.
func Or[T any](a, b []T) []T {
	if len(a) > 0 {
		return a
	}
	return b
}

// Run runs an experiment. It adjusts the verdicts for multiple comparisons (Holm).
func (s *Session) Run(ctx context.Context, e Experiment) (f *Results, err error) {
	for _, name := range s.Over.Changed() {
		if !slices.Contains(e.Takes, name) {
			return nil, fmt.Errorf("study %s: the flag --%s is not supported", e.Name, name)
		}
	}
	s.running = e
	// Each version of the program has its own directory, so that cells of different versions are
	// never mixed.
	if s.store, err = work.OpenResults(filepath.Join(s.Dir, "cells", proc.Version(), e.Name+".jsonl")); err != nil {
		return nil, err
	}
	f, err = e.Run(ctx, s)
	if closed := s.store.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", e.Name, err)
	}
	f.correct()
	return f, nil
}

// World is a game with or without slips, or a planner's assumption about that game.
type World struct {
	Slip    float64 `json:"slip,omitempty"`    // probability that a move is replaced by a random one
	Hostile bool    `json:"hostile,omitempty"` // whether chance moves are chosen against the player who makes them; used only as an assumption
}

// Of returns the game g in this world.
func (w World) Of(g *game.Game) (*game.Game, error) {
	if w.Slip > 0 {
		return game.WithSlip(g, w.Slip)
	}
	return g, nil
}

// Averages reports whether a planner that assumes w averages over chance. If not, the planner is
// minimax. The parameter chancy specifies whether the game itself has chance moves.
func (w World) Averages(chancy bool) bool { return w.Slip > 0 || chancy && !w.Hostile }

func (w World) String() string {
	switch {
	case w.Hostile:
		return "hostile nature"
	case w.Slip > 0:
		return fmt.Sprintf("slip %v", w.Slip)
	}
	return "no slip"
}

// NewRand returns a random number generator that depends only on the seeds.
func NewRand(seeds ...uint64) *rand.Rand {
	h := game.Seed(seeds...)
	return rand.New(rand.NewPCG(h, game.Mix(h)))
}
