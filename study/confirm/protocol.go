package confirm

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"plyfit/catalog"
	"plyfit/study"
)

// format is what a protocol's key "format" says.
const format = "plyfit-protocol/1"

// analysis is the version of the analysis in this package. It changes whenever
// the same pairs could come to another verdict.
const analysis = 3

// scattered is the version before it, which took units without any scatter for exact.
// Protocols that were written for it run by this one: where units differ at all, as in
// every game that is played, both come to the same.
const scattered = 2

// Protocol is a study written down before it is run.
type Protocol struct {
	Format     string       `json:"format"`
	Name       string       `json:"name"`  // of the run's files
	Title      string       `json:"title"` // the question
	Written    string       `json:"written"`
	Analysis   int          `json:"analysis"` // the version of the analysis that it was written for
	Alpha      float64      `json:"alpha"`    // of the whole family
	Family     string       `json:"family"`   // "holm"
	Stopping   string       `json:"stopping"` // "none": all pairs are played before anything is decided
	Seed       uint64       `json:"seed"`     // openings, luck and errors follow from it and the units' seeds
	Exclusions Exclusions   `json:"exclusions"`
	Worlds     []World      `json:"worlds"`
	Errors     []Error      `json:"errors"`
	Hypotheses []Hypothesis `json:"hypotheses"`

	Path   string         `json:"-"` // of the file
	Digest string         `json:"-"` // SHA-256 of the file's bytes, in hexadecimal digits
	games  []*studiedGame // of the worlds
}

// Exclusions are the rules by which a base evaluation is left out.
type Exclusions struct {
	// Reliability is the least and the greatest slope of held-out outcomes on what
	// the base evaluation predicted; none: no fitted base is left out.
	Reliability []float64 `json:"reliability,omitempty"`

	// Unreached leaves a base evaluation out of its world where an error of the
	// hypotheses there cannot become as large as it is to be; false: the run ends with
	// an error.
	Unreached bool `json:"unreached,omitempty"`

	// Units is the least number of units that decides a hypothesis, 2 where it is left
	// out: a world with fewer is not played, and its hypotheses are not decided.
	Units int `json:"units,omitempty"`
}

// World is a game with its slip, with the base evaluations that are tried in it:
// the units of the analysis, one a seed.
type World struct {
	ID         string   `json:"id"`
	Game       string   `json:"game"` // spec without +
	Slip       float64  `json:"slip,omitempty"`
	Evaluation string   `json:"evaluation"`       // "fit" or "train": one fitted or trained a seed; else one for all: handwritten, learned or a model file
	Method     string   `json:"method,omitempty"` // that a base is trained by
	Games      int      `json:"games,omitempty"`  // that a base is fitted to or trained with
	Seeds      []uint64 `json:"seeds"`            // of units
	Pairs      int      `json:"pairs"`            // a unit and arm, all of different openings
	Plies      int      `json:"plies"`            // random decisions at a pair's beginning
}

// Error is a kind of error and its size.
type Error struct {
	ID     string   `json:"id"`
	Kind   string   `json:"kind"`             // exp, power, scale, log odds, noise, weights, refit, label, left out, platt, isotonic
	Misfit float64  `json:"misfit,omitempty"` // root mean square within trees, in half ranges of utility
	By     float64  `json:"by,omitempty"`     // strength, in place of a misfit
	Shared float64  `json:"shared,omitempty"` // of noise: the share that siblings have in common
	Data   float64  `json:"data,omitempty"`   // of refits: the share of the unit's games
	Label  string   `json:"label,omitempty"`  // of labels: search, ranks, points
	Group  []string `json:"group,omitempty"`  // of features left out: how their names begin
	Games  int      `json:"games,omitempty"`  // that a calibration is learned from
	Draws  int      `json:"draws,omitempty"`  // a unit, each on openings of its own; 1 where left out
}

// Hypothesis is a claim with its estimand and test.
type Hypothesis struct {
	ID       string `json:"id"`
	Claim    string `json:"claim"`
	Estimand string `json:"estimand"` // "planners", "any" or "fade"
	Test     string `json:"test"`     // "greater", "less", "differs" or "equivalent"
	Margin   Margin `json:"margin,omitzero"`

	// Of planners: what the error costs the treatment more than the control, which
	// differ in nothing but the planner. Of any: the same of several errors, which the
	// arms leave out, one of which at least is to show it.
	Treatment *Arm `json:"treatment,omitempty"`
	Control   *Arm `json:"control,omitempty"`

	// Of fade: what is left of the first error's loss at the second depth beyond what
	// would be, had it faded from the first depth as the second error's did, under each
	// of the planners. With L the loss of an error at a depth:
	//
	//	L(first, deep) - L(first, shallow) L(second, deep) / L(second, shallow)
	World    string   `json:"world,omitempty"`
	Errors   []string `json:"errors,omitempty"` // of any and of fade
	Depths   []int    `json:"depths,omitempty"`
	Planners []string `json:"planners,omitempty"`
}

// Arm is one side of a contrast.
type Arm struct {
	World   string `json:"world"`   // its id
	Planner string `json:"planner"` // minimax or expectimax
	Error   string `json:"error"`   // its id; in a hypothesis of any ""
	Depth   int    `json:"depth"`
}

// Margin is the smallest effect of interest. Where both are given both must hold.
type Margin struct {
	Points float64 `json:"points,omitempty"` // share of the points
	Plies  float64 `json:"plies,omitempty"`  // of what one ply is worth to the treatment
}

// What the words of a protocol may be.
const (
	planners   = "planners" // estimands
	anyOf      = "any"
	fade       = "fade"
	greater    = "greater" // tests
	less       = "less"
	differs    = "differs"
	equivalent = "equivalent"
	minimax    = "minimax" // planners
	expectimax = "expectimax"
	fitted     = "fit" // evaluations
	trained    = "train"
	holm       = "holm"
	noStopping = "none"
)

// Read reads the protocol at path and checks it. Errors are one line with the
// file, the key and what was expected.
func Read(path string, games catalog.Catalog) (*Protocol, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: want the file of a protocol: %w", path, errors.Unwrap(err))
	}
	p, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p.Path = path
	if err := p.find(games); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

func (p *Protocol) world(id string) *World {
	if i := slices.IndexFunc(p.Worlds, func(w World) bool { return w.ID == id }); i >= 0 {
		return &p.Worlds[i]
	}
	return nil
}

func (p *Protocol) error(id string) *Error {
	if i := slices.IndexFunc(p.Errors, func(e Error) bool { return e.ID == id }); i >= 0 {
		return &p.Errors[i]
	}
	return nil
}

// sideOf is an arm as a contrast of planners sees it. Before the game is known,
// minimax is taken to expect a hostile nature whether or not there is any.
func (p *Protocol) sideOf(a Arm) study.Arm {
	w := p.world(a.World)
	return study.Arm{Game: w.Game, World: study.World{Slip: w.Slip}, Assumes: assumption(w.Slip, a.Planner, true), Error: a.Error, Depth: a.Depth}
}

// assumption is what a planner takes a world with that slip for; chancy says that
// the game has chance of its own.
func assumption(slip float64, planner string, chancy bool) study.World {
	if planner == minimax {
		return study.World{Hostile: chancy}
	}
	return study.World{Slip: slip}
}

// Seeds are all that the protocol uses, without repetition.
func (p *Protocol) Seeds() []uint64 {
	all := []uint64{p.Seed}
	for _, w := range p.Worlds {
		all = append(all, w.Seeds...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
