package confirm

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"plyfit/catalog"
	"plyfit/study"
)

// Format is what a protocol's key "format" says.
const Format = "plyfit-protocol/1"

// Analysis is the version of the analysis in this package. It changes whenever
// the same pairs could come to another verdict.
const Analysis = 1

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
}

// World is a game with its slip, with the base evaluations that are tried in it:
// the units of the analysis, one a seed.
type World struct {
	ID         string   `json:"id"`
	Game       string   `json:"game"` // spec without +
	Slip       float64  `json:"slip,omitempty"`
	Evaluation string   `json:"evaluation"`      // "fit": one fitted a seed; else one for all: handwritten, learned or a model file
	Games      int      `json:"games,omitempty"` // that a base is fitted to
	Seeds      []uint64 `json:"seeds"`           // of units
	Pairs      int      `json:"pairs"`           // a unit and arm, all of different openings
	Plies      int      `json:"plies"`           // random decisions at a pair's beginning
}

// Error is a kind of error and its size.
type Error struct {
	ID     string  `json:"id"`
	Kind   string  `json:"kind"`             // exp, power, scale, log odds, noise, weights, refit, label, platt, isotonic
	Misfit float64 `json:"misfit,omitempty"` // root mean square within trees, in half ranges of utility
	By     float64 `json:"by,omitempty"`     // strength, in place of a misfit
	Shared float64 `json:"shared,omitempty"` // of noise: the share that siblings have in common
	Data   float64 `json:"data,omitempty"`   // of refits: the share of the unit's games
	Label  string  `json:"label,omitempty"`  // of labels: search
	Games  int     `json:"games,omitempty"`  // that a calibration is learned from
	Draws  int     `json:"draws,omitempty"`  // a unit, each on openings of its own; 1 where left out
}

// Hypothesis is a claim with its estimand and test.
type Hypothesis struct {
	ID       string `json:"id"`
	Claim    string `json:"claim"`
	Estimand string `json:"estimand"` // "planners" or "fade"
	Test     string `json:"test"`     // "greater", "less", "differs" or "equivalent"
	Margin   Margin `json:"margin,omitzero"`

	// Of planners: what the error costs the treatment more than the control, which
	// differ in nothing but the planner.
	Treatment *Arm `json:"treatment,omitempty"`
	Control   *Arm `json:"control,omitempty"`

	// Of fade: how much more of the first error's loss is left than of the second's,
	// from the first depth to the second, under each of the planners.
	World    string   `json:"world,omitempty"`
	Errors   []string `json:"errors,omitempty"`
	Depths   []int    `json:"depths,omitempty"`
	Planners []string `json:"planners,omitempty"`
}

// Arm is one side of a contrast.
type Arm struct {
	World   string `json:"world"`   // its id
	Planner string `json:"planner"` // minimax or expectimax
	Error   string `json:"error"`   // its id
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
	fade       = "fade"
	greater    = "greater" // tests
	less       = "less"
	differs    = "differs"
	equivalent = "equivalent"
	minimax    = "minimax" // planners
	expectimax = "expectimax"
	fitted     = "fit" // evaluations
	holm       = "holm"
	noStopping = "none"
)

// Read reads the protocol at path and checks it. Errors are one line with the
// file, the key and what was expected.
func Read(path string, games catalog.Catalog) (*Protocol, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	p.Path = path
	if err := p.find(games); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// Parse reads a protocol and checks what can be checked without the games. A key
// that is unknown, or stands twice, is an error.
func Parse(data []byte) (*Protocol, error) {
	if err := onceEach(data); err != nil {
		return nil, err
	}
	p := &Protocol{Digest: fmt.Sprintf("%x", sha256.Sum256(data))}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(p); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return nil, fmt.Errorf("key %s: want a value of type %v, not a %s", wrong.Field, wrong.Type, wrong.Value)
		}
		return nil, fmt.Errorf("want a protocol as JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return p, p.check()
}

// onceEach refuses an object in which a key stands twice, and anything after the
// first value: two readers could read such a file in two ways.
func onceEach(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	type level struct {
		keys map[string]bool // nil: a list
		key  string          // the one whose value comes next
	}
	var open []level
	for {
		t, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("want a protocol as JSON: byte %d: %w", d.InputOffset(), err)
		}
		top := len(open) - 1
		switch key, isText := t.(string); {
		case t == json.Delim('{'):
			open = append(open, level{keys: map[string]bool{}})
			continue
		case t == json.Delim('['):
			open = append(open, level{})
			continue
		case t == json.Delim('}'), t == json.Delim(']'):
			open = open[:top]
		case isText && top >= 0 && open[top].keys != nil && open[top].key == "":
			// Go matches keys whatever their case.
			if folded := strings.ToLower(key); open[top].keys[folded] || key == "" {
				return fmt.Errorf("key %q: want each key once, and none empty", key)
			} else {
				open[top].keys[folded] = true
			}
			open[top].key = key
			continue
		}
		// A value has ended.
		if n := len(open) - 1; n >= 0 {
			open[n].key = ""
		} else if _, err := d.Token(); err != io.EOF {
			return fmt.Errorf("byte %d: want nothing after the protocol", d.InputOffset())
		} else {
			return nil
		}
	}
}

// wrong is an error about a key.
func wrong(key, want string, found any) error {
	return fmt.Errorf("key %s: want %s, not %q", key, want, fmt.Sprint(found))
}

// among is an error where text is none of the words.
func among(key, text string, words ...string) error {
	if slices.Contains(words, text) {
		return nil
	}
	return wrong(key, strings.Join(words, ", "), text)
}

func (p *Protocol) check() error {
	if err := p.checkHead(); err != nil {
		return err
	}
	ids := map[string]bool{}
	for i := range p.Worlds {
		if err := p.Worlds[i].check(fmt.Sprintf("worlds[%d]", i), ids); err != nil {
			return err
		}
	}
	clear(ids)
	for i := range p.Errors {
		if err := p.Errors[i].check(fmt.Sprintf("errors[%d]", i), ids); err != nil {
			return err
		}
	}
	clear(ids)
	for i := range p.Hypotheses {
		if err := p.checkHypothesis(fmt.Sprintf("hypotheses[%d]", i), &p.Hypotheses[i], ids); err != nil {
			return err
		}
	}
	return nil
}

func (p *Protocol) checkHead() error {
	if err := among("format", p.Format, Format); err != nil {
		return err
	}
	switch r := p.Exclusions.Reliability; {
	case !isName(p.Name):
		return wrong("name", "small letters, digits, dots and hyphens", p.Name)
	case p.Title == "":
		return wrong("title", "the question", p.Title)
	case p.Written == "":
		return wrong("written", "the date at which the protocol was written", p.Written)
	case p.Analysis != Analysis:
		return wrong("analysis", fmt.Sprintf("%d, the version of the analysis of this program", Analysis), p.Analysis)
	case !(p.Alpha > 0 && p.Alpha < 0.5):
		return wrong("alpha", "a probability above 0 and below .5", p.Alpha)
	case len(r) != 0 && (len(r) != 2 || !(r[0] < r[1])):
		return wrong("exclusions.reliability", "two slopes, the smaller one first", r)
	case p.Seed == 0:
		return wrong("seed", "a whole number above 0", p.Seed)
	case len(p.Worlds) == 0:
		return wrong("worlds", "one at least", "")
	case len(p.Hypotheses) == 0:
		return wrong("hypotheses", "one at least", "")
	}
	if err := among("family", p.Family, holm); err != nil {
		return err
	}
	return among("stopping", p.Stopping, noStopping)
}

// isName reports whether text can be part of a file's name on any system.
func isName(text string) bool {
	for _, c := range text {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.') {
			return false
		}
	}
	return text != "" && text[0] != '.' && len(text) <= 60
}

func once(key, id string, ids map[string]bool) error {
	if id == "" || ids[id] {
		return wrong(key+".id", "a name that no other has", id)
	}
	ids[id] = true
	return nil
}

// Bounds of what a protocol may ask, far above what anybody can wait for.
const (
	mostPairs = 10_000_000
	mostPlies = 1000
	mostDepth = 12
	mostDraws = 10_000
)

func (w *World) check(key string, ids map[string]bool) error {
	if err := once(key, w.ID, ids); err != nil {
		return err
	}
	seen := map[uint64]bool{}
	for i, seed := range w.Seeds {
		if seed == 0 || seen[seed] {
			return wrong(fmt.Sprintf("%s.seeds[%d]", key, i), "a seed above 0 that no other unit of the world has", seed)
		}
		seen[seed] = true
	}
	switch {
	case w.Game == "" || strings.Contains(w.Game, "+"):
		return wrong(key+".game", "a game without + (slip has a key of its own)", w.Game)
	case !(w.Slip >= 0 && w.Slip <= 1):
		return wrong(key+".slip", "a probability from 0 to 1", w.Slip)
	case w.Evaluation == "":
		return wrong(key+".evaluation", "fit, handwritten, learned or a model file", w.Evaluation)
	case (w.Evaluation == fitted) != (w.Games > 0) || w.Games < 0 || w.Games > mostPairs:
		return wrong(key+".games", "how many games a base is fitted to, where the evaluation is fit", w.Games)
	case len(w.Seeds) < 2:
		return wrong(key+".seeds", "two units at least: what differs between units decides", w.Seeds)
	case w.Pairs < 1 || w.Pairs > mostPairs:
		return wrong(key+".pairs", "a whole number from 1 to 10,000,000", w.Pairs)
	case w.Plies < 0 || w.Plies > mostPlies:
		return wrong(key+".plies", "a whole number from 0 to 1,000", w.Plies)
	}
	return nil
}

func (p *Protocol) checkHypothesis(key string, h *Hypothesis, ids map[string]bool) error {
	if err := once(key, h.ID, ids); err != nil {
		return err
	}
	if h.Claim == "" {
		return wrong(key+".claim", "a sentence", h.Claim)
	}
	if err := among(key+".estimand", h.Estimand, planners, fade); err != nil {
		return err
	}
	if err := among(key+".test", h.Test, greater, less, differs, equivalent); err != nil {
		return err
	}
	m := h.Margin
	switch {
	case m.Points < 0 || m.Points >= 1 || m.Plies < 0 || m.Plies > mostPlies:
		return wrong(key+".margin", "points from 0 to 1, plies from 0 up", m)
	case (h.Test == equivalent) != (m != Margin{}):
		return wrong(key+".margin", "points or plies where the test is equivalent, and none elsewhere", m)
	}
	if h.Estimand == fade {
		return p.checkFade(key, h)
	}
	return p.checkPlanners(key, h)
}

func (p *Protocol) checkPlanners(key string, h *Hypothesis) error {
	if h.Treatment == nil || h.Control == nil || h.World != "" || h.Errors != nil || h.Depths != nil || h.Planners != nil {
		return wrong(key, "treatment and control, and neither world, errors, depths nor planners", h.ID)
	}
	for _, side := range []struct {
		key string
		arm *Arm
	}{{key + ".treatment", h.Treatment}, {key + ".control", h.Control}} {
		if err := p.checkArm(side.key, *side.arm); err != nil {
			return err
		}
	}
	if err := study.SameWorld(p.sideOf(*h.Treatment), p.sideOf(*h.Control)); err != nil {
		return fmt.Errorf("key %s: %w", key, err)
	}
	// One game and slip may stand there as two worlds with units of their own.
	if h.Treatment.World != h.Control.World {
		return wrong(key+".control.world", "the treatment's, "+h.Treatment.World, h.Control.World)
	}
	if h.Treatment.Planner == h.Control.Planner {
		return wrong(key+".control.planner", "another planner than the treatment's", h.Control.Planner)
	}
	if h.Margin.Plies > 0 && h.Treatment.Depth < 2 {
		return wrong(key+".treatment.depth", "2 at least, where a margin counts plies", h.Treatment.Depth)
	}
	return nil
}

func (p *Protocol) checkFade(key string, h *Hypothesis) error {
	switch {
	case h.Treatment != nil || h.Control != nil:
		return wrong(key, "world, errors, depths and planners, and neither treatment nor control", h.ID)
	case h.Test == equivalent:
		return wrong(key+".test", "greater, less, differs", h.Test)
	case len(h.Errors) != 2 || h.Errors[0] == h.Errors[1]:
		return wrong(key+".errors", "two errors", h.Errors)
	case len(h.Depths) != 2 || !(h.Depths[0] < h.Depths[1]):
		return wrong(key+".depths", "two depths, the smaller one first", h.Depths)
	case len(h.Planners) == 0 || len(h.Planners) > 2 || len(h.Planners) == 2 && h.Planners[0] == h.Planners[1]:
		return wrong(key+".planners", "minimax, expectimax or both", h.Planners)
	}
	for _, a := range h.fadeArms() {
		if err := p.checkArm(key, a); err != nil {
			return err
		}
	}
	return nil
}

// fadeArms are the cells of a hypothesis of fade: by planner, error and depth.
func (h *Hypothesis) fadeArms() (arms []Arm) {
	for _, planner := range h.Planners {
		for _, e := range h.Errors {
			for _, d := range h.Depths {
				arms = append(arms, Arm{h.World, planner, e, d})
			}
		}
	}
	return arms
}

func (p *Protocol) checkArm(key string, a Arm) error {
	if p.world(a.World) == nil {
		return wrong(key+".world", "the id of a world", a.World)
	}
	e := p.error(a.Error)
	if e == nil {
		return wrong(key+".error", "the id of an error", a.Error)
	}
	if kindNamed(e.Kind).fitted && p.world(a.World).Evaluation != fitted {
		return wrong(key+".error", "an error that a base which was not fitted can have", a.Error)
	}
	if a.Depth < 1 || a.Depth > mostDepth {
		return wrong(key+".depth", "decisions, 1 to 12", a.Depth)
	}
	return among(key+".planner", a.Planner, minimax, expectimax)
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
