// Package study asks how much the quality of an evaluation matters, under
// minimax and under expectimax, by degrading it on purpose.
//
// The journey: an [Experiment] has a question, a hypothesis written down before
// it ran, and a Run, which works in a [Session]: setting, seed, what the user
// wants otherwise ([Overrides]), and a store of finished cells that makes any
// run resumable ([Cells]). The instruments stand beside them: a frozen, graded
// [Evaluation] of a game; a [Damage] that warps it, adds noise to it or
// underweights a feature, tuned to a common error ([Equalise]); a [Walk] that
// looks at one tree through many damaged eyes at once; [Duel], which plays the
// damaged against the clean. What was found goes into [Findings], judged by
// intervals alone ([Judge]), and [Write] makes the report of them.
//
// A new experiment is one file here and one item in [All].
package study

import (
	"context"
	"fmt"
	"strings"
)

// Experiment is one question put to the games.
type Experiment struct {
	Name     string
	Question string
	// Hypothesis is what was expected before the first run, and when that was
	// written down; it is not changed afterwards.
	Hypothesis string
	// Withdrawn says which verdicts of earlier runs do not hold, and why; "" is
	// none.
	Withdrawn string
	// Design says how it is done: what is varied, what is held equal, why so
	// many positions and games.
	Design string
	// Takes names the overrides that it heeds, as their flags are called.
	Takes []string
	// Minutes is the CPU time it takes by setting: quick as measured, the others
	// reckoned from pilots.
	Minutes [3]float64
	Run     func(ctx context.Context, s *Session) (*Findings, error)
}

// All are plyfit's experiments, in the order in which they are best read.
func All() []Experiment {
	return []Experiment{warp, crossover, depth, truth, training, ghosts, thrashing, caution, linearity}
}

// Find is the experiment of that name.
func Find(name string) (Experiment, error) {
	var names []string
	for _, e := range All() {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return Experiment{}, fmt.Errorf("unknown experiment %q: want all, or one of %s", name, strings.Join(names, ", "))
}

// Setting is how much is measured.
type Setting int

const (
	Quick   Setting = iota // minutes: wide intervals, few verdicts
	Default                // about an hour
	Full                   // as much as the questions deserve
)

func (s Setting) String() string { return [...]string{"quick", "default", "full"}[s] }

// Outcome is what the intervals say of a claim.
type Outcome string

const (
	Supported    Outcome = "supported"
	Contradicted Outcome = "contradicted"
	NotDecided   Outcome = "not decided"
)
