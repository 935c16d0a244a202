package loop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/search"
)

// Contest compares two evaluations under one planner, or two planners with the learned evaluation.
type Contest struct {
	World   *catalog.World `json:"-"`
	Game    string         `json:"game"`
	Planner string         `json:"planner,omitempty"` // of both, where evaluations are compared
	A       string         `json:"a"`                 // an evaluation, or a planner
	B       string         `json:"b"`
	Pairs   int            `json:"pairs"`
	Seed    uint64         `json:"-"`
	Result  arena.Result   `json:"result"`

	file   string // its records' name in the run folder
	before string // the model file of the evaluation that is called before
	sprt   *stats.SPRT
	moves  bool // are kept
}

// Planners reports whether planners are compared and not evaluations.
func (c *Contest) Planners() bool { return c.Planner == "" }

func (c *Options) contests(ctx context.Context, model string) ([]Contest, error) {
	list, err := c.comparisons()
	if err != nil {
		return nil, err
	}
	for i := range list {
		if err := c.play(ctx, &list[i], model); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (c *Options) comparisons() ([]Contest, error) {
	twin, err := c.twin()
	if err != nil {
		return nil, err
	}
	var list []Contest
	add := func(w *catalog.World, planner, a, b string, pairs int) {
		list = append(list, Contest{World: w, Game: w.Spec, Planner: planner, A: a, B: b, Pairs: pairs, Seed: c.Seed, file: fmt.Sprintf("contest-%02d", len(list)+1)})
	}
	evaluations := func(w *catalog.World, planner string, pairs int) {
		if c.opponent() != "zero" {
			add(w, planner, "learned", "handwritten", pairs)
			add(w, planner, "handwritten", "zero", pairs)
		}
		if c.opponent() == "zero" || w.Base().Players > 1 {
			add(w, planner, "learned", "zero", pairs)
		}
	}
	for _, p := range c.Recipe.Planners {
		evaluations(c.World, p, c.Recipe.Pairs)
	}
	if twin != nil {
		for _, p := range c.Recipe.TwinPlanners {
			evaluations(twin, p, c.Recipe.TwinPairs)
		}
		if c.World.Chancy() {
			add(c.World, "", c.Recipe.Expectimax, c.Recipe.Minimax, c.Recipe.Pairs)
		}
		add(twin, "", c.Recipe.Expectimax, c.Recipe.Minimax, c.Recipe.TwinPairs)
	}
	return list, nil
}

// twin is the world that the run's own is compared with; nil if the game has none.
func (c *Options) twin() (*catalog.World, error) {
	if c.Recipe.Twin == "" || c.Recipe.Twin == "none" || strings.Contains(c.World.Spec, "+") {
		return nil, nil
	}
	w, err := c.Catalog.World(c.World.Spec + c.Recipe.Twin)
	if err != nil && c.World.Players > 2 {
		return nil, nil // no adversary among many
	}
	return w, err
}

// hostileOpenings are random first decisions of a game of chance with an adversary: without any
// all games would be equal. Short games have a quarter of their plies.
const hostileOpenings = 10

func (c *Options) play(ctx context.Context, t *Contest, model string) error {
	if err := os.MkdirAll(filepath.Join(c.Dir, "matches"), 0o755); err != nil {
		return err
	}
	t.Game = t.World.Spec
	cfg := arena.Config{
		Game: t.World.Game, Pairs: t.Pairs, Seed: t.Seed, Workers: c.Workers, NoMoves: !t.moves, SPRT: t.sprt,
		Out: filepath.Join(c.Dir, "matches", t.file+".jsonl"),
	}
	if t.World.Base().Players > 1 {
		cfg.Openings.Plies = c.Recipe.Openings
	}
	if _, chance := game.As[game.Chancer](t.World.Base().New()); chance && !t.World.Chancy() {
		cfg.Openings.Plies = max(cfg.Openings.Plies, min(hostileOpenings, t.World.RandomPlies()/4))
	}
	agent := func(name string) string {
		switch {
		case t.Planners():
			return catalog.WithEval(name, model)
		case name == "learned":
			return catalog.WithEval(t.Planner, model)
		case name == "before":
			return catalog.WithEval(t.Planner, t.before)
		}
		return catalog.WithEval(t.Planner, name)
	}
	var err error
	if cfg.A, err = entrantOf(t.World, t.A, agent(t.A)); err != nil {
		return err
	}
	if cfg.B, err = entrantOf(t.World, t.B, agent(t.B)); err != nil {
		return err
	}
	if t.World.Base().Players == 1 && t.World.Players == 2 {
		nature, err := entrantOf(t.World, "nature", c.Recipe.Nature)
		if err != nil {
			return err
		}
		cfg.Nature = &nature
	}
	title := fmt.Sprintf("%s: %s against %s", t.World.Spec, t.A, t.B)
	if !t.Planners() {
		title += " under " + t.Planner
	}
	work := c.begin(kindMatch, title, t.Pairs)
	cfg.Progress = func(p arena.Progress) { work.set(p.Pairs) }
	t.Result, err = arena.Run(ctx, cfg)
	work.finish()
	return err
}

func entrantOf(w *catalog.World, name, agent string) (search.Factory, error) {
	p, err := w.Agent(agent, catalog.AgentOptions{})
	if err != nil {
		return search.Factory{}, err
	}
	p.Name = name
	return p.Factory, nil
}
