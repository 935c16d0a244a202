package study

import (
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
)

// Experiment is one question put to the games.
type Experiment struct {
	Name     string
	Question string
	// Hypothesis is what was expected before the first run, and when it was written down.
	Hypothesis string
	// Withdrawn lists findings of earlier runs that do not hold, and why; "" if there are none.
	Withdrawn string
	// Design is what is varied, what is held equal, and why the sizes are sufficient.
	Design string
	// Takes names the overrides that Run uses, as their flags are called.
	Takes []string
	// Minutes is the CPU time by effort: quick as measured, the others from pilots.
	Minutes [3]float64
	// Fixed means that a protocol names all sizes, so that the effort changes nothing.
	Fixed bool
	Run   func(ctx context.Context, s *Session) (*Results, error)
}

// Described returns e with the texts of a page in Markdown: its title, which is the question, and
// its sections Hypothesis, Withdrawn and Design.
func (e Experiment) Described(page string) Experiment {
	title, _, _ := strings.Cut(page, "\n")
	of := sections(page)
	e.Question = strings.TrimPrefix(title, "# ")
	for name, text := range map[string]*string{"Hypothesis": &e.Hypothesis, "Withdrawn": &e.Withdrawn, "Design": &e.Design} {
		*text = strings.Join(of[name], " ")
	}
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

// World is a game with or without a slip, or what a planner assumes. A planner that averages nothing
// in the world that it assumes is minimax.
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

// Averages reports whether a planner that assumes w averages. chancy reports whether the game has
// chance of its own.
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
