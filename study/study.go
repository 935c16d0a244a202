package study

import "context"

// Experiment is one question put to the games.
type Experiment struct {
	Name     string
	Question string
	// Hypothesis is what was expected, and when that was written down: before the first run.
	Hypothesis string
	// Withdrawn says which findings of earlier runs do not hold, and why; "" is none.
	Withdrawn string
	// Design says what is varied, what is held equal, and why so many positions and games.
	Design string
	// Takes names the overrides that it heeds, as their flags are called.
	Takes []string
	// Minutes is the CPU time by effort: quick as measured, the others by pilots.
	Minutes [3]float64
	// Fixed says that a protocol names all sizes, so that no effort changes them.
	Fixed bool
	Run   func(ctx context.Context, s *Session) (*Results, error)
}

// Effort is how much is measured.
type Effort int

const (
	Quick   Effort = iota // minutes: wide intervals, few findings
	Default               // about an hour
	Full                  // as much as the questions deserve
)

func (s Effort) String() string { return [...]string{"quick", "default", "full"}[s] }

// Support is what the intervals say of a claim.
type Support string

const (
	Supported    Support = "supported"
	Contradicted Support = "contradicted"
	NotDecided   Support = "not decided"
	negligible   Support = "negligible" // within the smallest effect of interest
	refused      Support = "refused"    // an instrument check failed
)
