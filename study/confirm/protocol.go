package confirm

import (
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

// format is what a protocol's key "format" says. That of the first protocol is decided by
// the program which ran it.
const (
	format      = "plyfit-protocol/2"
	firstFormat = "plyfit-protocol/1"
)

// analysis is the version of the analysis in this package. It changes whenever the same
// rows could come to another verdict.
const analysis = 1

// Protocol is a study written down before it is run: of matches, or of what evaluations
// lose that come from several sources in several worlds.
type Protocol struct {
	Format   string   `json:"format"`
	Name     string   `json:"name"`  // of the run's files
	Title    string   `json:"title"` // the question
	Written  string   `json:"written"`
	Analysis int      `json:"analysis"` // the version of the analysis that it was written for
	Alpha    float64  `json:"alpha"`    // of all hypotheses together
	Seed     uint64   `json:"seed"`     // openings and luck follow from it
	Reasons  []string `json:"reasons"`

	Matches []*Match `json:"matches"` // each a hypothesis; none beside what follows

	Exclusions Exclusions   `json:"exclusions"`
	Law        Law          `json:"law"`
	Sources    []Source     `json:"sources"`
	Worlds     []World      `json:"worlds"`
	Hypotheses []Hypothesis `json:"hypotheses"`

	Path   string `json:"-"` // of the file
	Digest string `json:"-"` // SHA-256 of the file's bytes, in hexadecimal digits

	null *null // nil: what was measured is decided
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

// Read reads the protocol at path and checks it. Errors are one line with the file, the
// key and what was expected.
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
	if err := p.check(games); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

func (p *Protocol) check(games catalog.Catalog) error {
	switch {
	case p.Format != format:
		return wrong("format", format, p.Format)
	case !isName(p.Name):
		return wrong("name", "small letters, digits, dots and hyphens", p.Name)
	case p.Title == "" || p.Written == "":
		return wrong("title", "the question as title, and when it was written", p.Title)
	case p.Analysis != analysis:
		return wrong("analysis", fmt.Sprintf("%d, the version of the analysis of this program", analysis), p.Analysis)
	case !(p.Alpha > 0 && p.Alpha < 0.5):
		return wrong("alpha", "a probability above 0 and below .5", p.Alpha)
	case p.Seed == 0:
		return wrong("seed", "a whole number above 0", p.Seed)
	case len(p.Matches) > 0 && (p.Worlds != nil || p.Sources != nil || p.Hypotheses != nil || p.Law != Law{} || p.Exclusions != Exclusions{}):
		return wrong("matches", "no sources, worlds, hypotheses, law or exclusions beside them", len(p.Matches))
	case len(p.Matches) == 0 && (len(p.Worlds) == 0 || len(p.Hypotheses) == 0):
		return wrong("matches", "a match at least, or worlds and hypotheses", len(p.Matches))
	}
	ids := map[string]bool{}
	for i, m := range p.Matches {
		key := fmt.Sprintf("matches[%d]", i)
		if m == nil || m.ID == "" || ids[m.ID] {
			return wrong(key+".id", "a name that no other match has", m)
		}
		ids[m.ID] = true
		if err := m.check(key, games); err != nil {
			return err
		}
	}
	if p.Matches != nil {
		return nil
	}
	return p.checkSources(games)
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

// checkSources checks a study of sources.
func (p *Protocol) checkSources(games catalog.Catalog) error {
	switch {
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

func (p *Protocol) world(id string) *World {
	if i := slices.IndexFunc(p.Worlds, func(w World) bool { return w.ID == id }); i >= 0 {
		return &p.Worlds[i]
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
		if err := bases.CheckLabel(w.base, bases.Label(s.Label)); err != nil {
			return fmt.Errorf("key %s.sources: %s: %w", key, id, err)
		}
		if s.Out != "" {
			if w.Groups[s.Out] == nil {
				return wrong(key+".groups", "how the names of the features of "+s.Out+" begin", w.Groups)
			}
			if err := bases.CheckGroup(w.base, w.Groups[s.Out]); err != nil {
				return fmt.Errorf("key %s.groups: %s: %w", key, s.Out, err)
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
