package sources

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"plyfit/catalog"
	"plyfit/study"
	"plyfit/study/bases"
	"plyfit/study/damage"
	"plyfit/train"
)

// Format is what a protocol's key "format" says.
const Format = "plyfit-protocol/2"

// analysis is the version of the analysis in this package. It changes whenever the same
// rows could come to another verdict.
const analysis = 1

// Protocol is a study of sources of evaluations, written down before it is run.
type Protocol struct {
	Format      string       `json:"format"`
	Name        string       `json:"name"` // of the run's files
	Title       string       `json:"title"`
	Written     string       `json:"written"`
	Analysis    int          `json:"analysis"`
	Alpha       float64      `json:"alpha"`
	Seed        uint64       `json:"seed"` // openings and luck follow from it
	Reasons     []string     `json:"reasons"`
	Exclusions  Exclusions   `json:"exclusions"`
	Law         Law          `json:"law"`
	Sources     []Source     `json:"sources"`
	Worlds      []World      `json:"worlds"`
	Hypotheses  []Hypothesis `json:"hypotheses"`
	Path        string       `json:"-"`
	Digest      string       `json:"-"`
	Exploratory bool         `json:"-"` // a pilot: nothing is guarded, nothing confirmed
}

// Exclusions are the rules by which groups, the units of a source in a world, are left
// out of hypotheses.
type Exclusions struct {
	Units int     `json:"units"` // fewer than so many
	Loss  float64 `json:"loss"`  // minimax loses less than so much of the points: no ratio
}

// Law is how the prediction is measured.
type Law struct {
	Positions int    `json:"positions"` // a unit
	Depth     int    `json:"depth"`     // decisions
	Predictor string `json:"predictor"` // slope, order2 or direct: which of them P4 is about
}

// Source is a way in which evaluations come about.
type Source struct {
	ID         string `json:"id"`
	Games      int    `json:"games,omitempty"`      // that are fitted to or learned from
	Label      string `json:"label,omitempty"`      // of a fit; none: the outcome
	Out        string `json:"out,omitempty"`        // the group of features that a fit does without
	Method     string `json:"method,omitempty"`     // of learning while playing
	Agent      string `json:"agent,omitempty"`      // whose searches that learns from
	Dry        bool   `json:"dry,omitempty"`        // it learns in the game without slips
	Evaluation string `json:"evaluation,omitempty"` // one for all: handwritten, learned
	Base       bool   `json:"base,omitempty"`       // errors are planted in its units
}

// How the losses of a world are measured.
const (
	exactly  = "exact"  // on a solved board, against the same planner with the truth at its leaves
	byGames  = "games"  // in games with common luck, against a fit to many games
	byRegret = "regret" // at positions, by the values of a fit to many games
)

// What a world is to the law.
const (
	fits = "fits"
	held = "held out"
)

// World is a game with its slip and the sources that are tried in it.
type World struct {
	ID        string              `json:"id"`
	Game      string              `json:"game"` // spec without +
	Slip      float64             `json:"slip,omitempty"`
	Measure   string              `json:"measure"`
	Role      string              `json:"law,omitempty"` // fits: the law's constant is fitted to it; held out: predicted before it is measured
	Sources   []string            `json:"sources"`
	Seeds     []uint64            `json:"seeds"`  // the first and the last training seed
	Depths    []int               `json:"depths"` // measured
	Tested    []int               `json:"tested"` // that hypotheses are about
	Plies     int                 `json:"plies"`  // random decisions at the beginning of a game
	Pairs     int                 `json:"pairs,omitempty"`
	Positions int                 `json:"positions,omitempty"` // of regret
	Reference int                 `json:"reference,omitempty"` // games that the reference is fitted to
	Calibrate int                 `json:"calibrate"`           // games that a calibration is learned from
	Groups    map[string][]string `json:"groups,omitempty"`    // of features: how their names begin
	Planted   float64             `json:"planted,omitempty"`   // misfit of planted errors, of noise and of scale
	NoRatio   bool                `json:"no_ratio,omitempty"`  // minimax is no player to be compared with there

	base  *catalog.World
	world *catalog.World // with its slip
}

// Hypothesis is a claim with the margins of its test, which hypotheses.go has.
type Hypothesis struct {
	ID      string    `json:"id"`
	Claim   string    `json:"claim"`
	Margins []float64 `json:"margins"`
}

// Read reads the protocol at path and checks it.
func Read(path string, games catalog.Catalog) (*Protocol, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: want the file of a protocol: %w", path, errors.Unwrap(err))
	}
	p := &Protocol{Path: path, Digest: fmt.Sprintf("%x", sha256.Sum256(data))}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(p); err != nil {
		return nil, fmt.Errorf("%s: want a protocol as JSON: %s", path, strings.TrimPrefix(err.Error(), "json: "))
	}
	if err := p.check(games); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// IsOne reports whether the file at path says that it is a protocol of this package.
func IsOne(path string) bool {
	var head struct {
		Format string `json:"format"`
	}
	data, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(data, &head) == nil && head.Format == Format
}

func wrong(key, want string, got any) error { return fmt.Errorf("key %s: %v: want %s", key, got, want) }

func (p *Protocol) check(games catalog.Catalog) error {
	switch {
	case p.Format != Format:
		return wrong("format", Format, p.Format)
	case p.Name == "" || p.Title == "" || p.Written == "":
		return wrong("name", "name, title and written", p.Name)
	case p.Analysis != analysis:
		return wrong("analysis", fmt.Sprintf("%d, the version of the analysis of this program", analysis), p.Analysis)
	case !(p.Alpha > 0 && p.Alpha < 0.5):
		return wrong("alpha", "a probability above 0 and below .5", p.Alpha)
	case p.Seed == 0:
		return wrong("seed", "a whole number above 0", p.Seed)
	case p.Law.Positions < 10 || p.Law.Depth < 1:
		return wrong("law", "10 positions and a decision at least", p.Law.Positions)
	case !slices.Contains(predictors, p.Law.Predictor):
		return wrong("law.predictor", strings.Join(predictors, ", "), p.Law.Predictor)
	}
	for i := range p.Sources {
		if err := p.Sources[i].check(fmt.Sprintf("sources[%d]", i)); err != nil {
			return err
		}
	}
	for i := range p.Worlds {
		if err := p.checkWorld(fmt.Sprintf("worlds[%d]", i), &p.Worlds[i], games); err != nil {
			return err
		}
	}
	for i, h := range p.Hypotheses {
		test, known := tests[h.ID]
		if !known || h.Claim == "" || len(h.Margins) != test.margins {
			return wrong(fmt.Sprintf("hypotheses[%d]", i), "P1 to P8, each with its claim and margins", h.ID)
		}
	}
	return nil
}

func (s *Source) check(key string) error {
	if _, err := train.MethodNamed(s.Method); err != nil {
		return fmt.Errorf("key %s.method: %w", key, err)
	}
	switch {
	case s.ID == "":
		return wrong(key+".id", "a name", s.ID)
	case (s.Evaluation == "") == (s.Games == 0):
		return wrong(key, "games, or an evaluation that is there", s.ID)
	case !slices.Contains(bases.Labels, bases.Label(s.Label)):
		return wrong(key+".label", "search, ranks, points", s.Label)
	}
	return nil
}

func (p *Protocol) source(id string) *Source {
	if i := slices.IndexFunc(p.Sources, func(s Source) bool { return s.ID == id }); i >= 0 {
		return &p.Sources[i]
	}
	return nil
}

func (p *Protocol) checkWorld(key string, w *World, games catalog.Catalog) error {
	var err error
	if w.base, err = games.World(w.Game); err != nil {
		return fmt.Errorf("key %s.game: %w", key, err)
	}
	w.Game, w.world = w.base.Spec, w.base
	if chancy := w.base.Chancy(); chancy == (w.Slip > 0) {
		return wrong(key+".slip", "a slip in games without chance of their own, and there alone", w.Slip)
	}
	if w.Slip > 0 {
		if w.world, err = games.World(fmt.Sprintf("%s+slip=%v", w.Game, w.Slip)); err != nil {
			return fmt.Errorf("key %s.slip: %w", key, err)
		}
	}
	if _, err := damage.NewEvaluation(w.base, "handwritten"); err != nil {
		return fmt.Errorf("key %s.game: %w", key, err)
	}
	switch {
	case w.ID == "":
		return wrong(key+".id", "a name", w.ID)
	case !slices.Contains([]string{exactly, byGames, byRegret}, w.Measure):
		return wrong(key+".measure", "exact, games or regret", w.Measure)
	case len(w.Seeds) != 2 || w.Seeds[0] == 0 || w.Seeds[0] > w.Seeds[1]:
		return wrong(key+".seeds", "the first and the last training seed", w.Seeds)
	case !slices.Contains([]string{"", fits, held}, w.Role):
		return wrong(key+".law", "fits, held out or nothing", w.Role)
	case (w.Measure == byGames) != (w.Pairs > 0):
		return wrong(key+".pairs", "pairs of games, where they are played", w.Pairs)
	case (w.Measure == byRegret) != (w.Positions > 0):
		return wrong(key+".positions", "positions, where regret is measured", w.Positions)
	case (w.Measure != exactly) != (w.Reference > 0):
		return wrong(key+".reference", "games that the reference is fitted to, where the truth is not known", w.Reference)
	case w.Calibrate < 10:
		return wrong(key+".calibrate", "10 games at least", w.Calibrate)
	case len(w.Depths) == 0 || !slices.IsSorted(w.Depths) || w.Depths[0] < 1:
		return wrong(key+".depths", "decisions, rising", w.Depths)
	}
	for _, d := range w.Tested {
		if !slices.Contains(w.Depths, d) {
			return wrong(key+".tested", "some of depths", d)
		}
	}
	for _, id := range w.Sources {
		s := p.source(id)
		if s == nil {
			return wrong(key+".sources", "ids of sources", id)
		}
		if s.Out != "" {
			if err := bases.CheckGroup(w.base, w.Groups[s.Out]); err != nil || w.Groups[s.Out] == nil {
				return fmt.Errorf("key %s.groups: %s: %w", key, s.Out, errors.Join(err, errors.New("want how the names of its features begin")))
			}
		}
	}
	return nil
}

// units are the training seeds of the world.
func (w *World) units() (out []uint64) {
	for s := w.Seeds[0]; s <= w.Seeds[1]; s++ {
		out = append(out, s)
	}
	return out
}

// Seeds are all that the protocol uses.
func (p *Protocol) Seeds() []uint64 {
	all := []uint64{p.Seed}
	for i := range p.Worlds {
		all = append(all, p.Worlds[i].units()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// minimax is what minimax takes the world for. It ignores slips: played without them a
// game is another one that is known. Dice it takes for an enemy's, since no rule says
// which face a player who ignores dice would expect.
func (w *World) minimax() study.World { return study.World{Hostile: w.base.Chancy()} }

// expectimax is what expectimax takes the world for: what it is.
func (w *World) expectimax() study.World { return study.World{Slip: w.Slip} }
