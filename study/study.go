// Package study asks how much the quality of an evaluation matters, under minimax and under
// expectimax, by degrading it on purpose.
//
// The typical steps are:
//
//  1. Write down an [Experiment]: a question, a hypothesis before the first run, and a Run.
//  2. Session.Run runs it. The [Session] has the effort, the seed, and the user's [Overrides].
//  3. Run works in [Cells]: each is computed once, kept in the session's folder, and read by later runs.
//  4. Claims are decided by 95% intervals alone ([Decide]); tables, figures and each [Finding] are the
//     experiment's [Results].
//  5. [RunAll] runs experiments and writes their report: a page for a reader in a hurry first, then a
//     chapter per experiment.
//
// Package evaluation holds the frozen evaluation of a game, its damages, and the planners that search
// with the result; package measure plays their games; package ask holds the questions and the grid that
// they share. Package diagnose measures one evaluation, package confirm runs hypotheses that were
// written down first, and package lecture computes the Pacman table of a lecture.
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

// Experiment is one question put to the games.
type Experiment struct {
	Name       string
	Question   string
	Hypothesis string     // what was expected before the first run, and when it was written down
	Withdrawn  string     // findings of earlier runs that do not hold, and why; "" if there are none
	Design     string     // what is varied, what is held equal, and why the sizes are sufficient
	Takes      []string   // names of the overrides that Run uses
	Minutes    [3]float64 // CPU time by effort: quick as measured, the others from pilots
	Fixed      bool       // a protocol names all sizes, so that the effort changes nothing
	Run        func(ctx context.Context, s *Session) (*Results, error)
}

// Described returns e with the question and the sections of a page in Markdown.
func (e Experiment) Described(page string) Experiment {
	title, _, _ := strings.Cut(page, "\n")
	e.Question = strings.TrimPrefix(title, "# ")
	of := func(section string) string { return strings.Join(sections(page)[section], " ") }
	e.Hypothesis, e.Withdrawn, e.Design = of("Hypothesis"), of("Withdrawn"), of("Design")
	return e
}

// sections returns the paragraphs of each section of a page, each on one line.
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

// Effort is how much is measured.
type Effort int

const (
	Quick   Effort = iota // minutes: wide intervals, few findings
	Default               // about an hour
	Full                  // as much as the questions deserve
)

func (s Effort) String() string { return [...]string{"quick", "default", "full"}[s] }

// Session is a run of experiments.
type Session struct {
	Catalog catalog.Catalog
	Effort  Effort
	Seed    uint64
	Workers int // cells computed at once; never changes a result
	Dir     string
	Over    Overrides
	Log     io.Writer // receives the progress
	Quiet   bool

	running Experiment
	store   *work.Results // its cells
	stage   *stage        // computed for another process; nil if the experiment runs here
}

// Overrides replace settings of an experiment, if they are not zero. In JSON they have the names of flags.
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
	given := map[string]any{}
	text, err := json.Marshal(o)
	if err := cmp.Or(err, json.Unmarshal(text, &given)); err != nil {
		panic("study: " + err.Error())
	}
	return slices.Sorted(maps.Keys(given))
}

// Pick returns the number for the session's effort.
func (s *Session) Pick(quick, normal, full int) int { return [...]int{quick, normal, full}[s.Effort] }

// Pairs returns the user's number of pairs of games, or the one for the session's effort.
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

// Run runs one experiment and corrects its verdicts for their number (Holm).
func (s *Session) Run(ctx context.Context, e Experiment) (f *Results, err error) {
	for _, name := range s.Over.Given() {
		if !slices.Contains(e.Takes, name) {
			return nil, fmt.Errorf("study %s: takes no --%s", e.Name, name)
		}
	}
	s.running = e
	// Each version of the program has a folder: it neither reads nor overwrites cells of another.
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

// World is a game with or without a slip, or what a planner assumes.
type World struct {
	Slip    float64 `json:"slip,omitempty"`    // probability that a move is replaced by a random one
	Hostile bool    `json:"hostile,omitempty"` // nature moves against the player whose luck it is; only assumed, never played
}

// Of returns the world made of a base game.
func (w World) Of(g *game.Game) (*game.Game, error) {
	if w.Slip > 0 {
		return game.WithSlip(g, w.Slip)
	}
	return g, nil
}

// Averages reports whether a planner that assumes w averages; otherwise it is minimax. chancy means that
// the game has chance of its own.
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

// NewRand returns a source of random numbers that follows from the seeds alone.
func NewRand(seeds ...uint64) *rand.Rand {
	h := game.Seed(seeds...)
	return rand.New(rand.NewPCG(h, game.Mix(h)))
}
