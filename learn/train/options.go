package train

import (
	"cmp"
	"fmt"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/settings"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

// Options configures learning while playing. [Defaults] returns the defaults for a game.
type Options struct {
	features.Training
	From    *Start // model named by Init; nil if Init is zero or random
	Seed    uint64
	Workers int // number of goroutines; does not affect the result

	online.Conduct // Run fills in the curve's Player, Seed and Workers, and Against if it is not set
}

// Start is the model from which learning starts. It must be a model of the same feature set as the
// one that is learned.
type Start struct {
	Set   features.Set
	Model *models.Linear
}

// Defaults returns options based on t, with zero fields filled in. The defaults are those of the
// method, adapted to the game. The caller sets the run's directory.
func Defaults(w *catalog.World, t features.Training) (Options, error) {
	o := Options{Training: t}
	m, err := methodNamed(t.Method)
	if err != nil {
		return o, err
	}
	s, err := w.Set(t.Set)
	if err != nil {
		return o, err
	}
	frozen, err := w.FrozenIn(s.Name())
	if err != nil {
		return o, err
	}
	recipe, own := w.Recipe(), m.Own
	if t.Random {
		own.Init = Random
	}
	if w.Chancy() {
		own.Epsilon = 0
	} else {
		o.Curve.Openings = max(6, recipe.Openings)
	}
	own.Method, own.Openings, own.Freeze = m.Name, recipe.Openings, frozen
	settings.Keep(&own, m.Name)
	settings.Under(&o.Training, own)
	settings.Fill(&o, m.Name)
	if t.Average == 0 && len(features.New(s, w.Game).Table) > 0 {
		o.Average = 0
	}
	return o, nil
}

// curve completes the settings of the learning curve.
func (p *plan) curve(c *online.Curve) error {
	w := p.World
	c.Seed, c.Workers = game.Seed(p.Seed, game.StreamCurve), p.Workers
	c.Every = cmp.Or(c.Every, max(1, p.Episodes/10))
	c.Every += (p.Chunk - c.Every%p.Chunk) % p.Chunk
	if c.Measure == arena.Wins && w.Players == 1 {
		return fmt.Errorf("measure wins: %s is a single-player game; want measure utility", w.Spec)
	}
	if c.Pairs == 0 {
		return nil
	}
	planner := PlannerOf(w, c.Planner)
	if c.Against.New == nil {
		spec := "random"
		if w.Entry.Ships("handwritten") {
			spec = catalog.WithEval(planner, "handwritten")
		}
		against, err := w.Agent(spec, catalog.AgentOptions{})
		if err != nil {
			return err
		}
		c.Against = search.Factory{Name: spec, Identity: against.Identity, New: against.New}
	}
	c.Player = func(m *models.Linear) (search.Factory, error) {
		// Use Extract and a sum for the evaluation, because compiling a model at each point may
		// cost more.
		evaluation := &catalog.Evaluation{Name: "learned", Leaves: m.Leaves, Set: p.Set, Model: m, New: func() search.Evaluator {
			return features.NewReference(w.Game, p.Set, m)
		}}
		player, err := w.Agent(planner, catalog.AgentOptions{Evaluation: evaluation})
		if err != nil {
			return search.Factory{}, err
		}
		return search.Factory{Name: "learned", New: player.New}, nil
	}
	_, err := c.Player(p.Model)
	return err
}

// PlannerOf returns the planner that plays the games for the learning curve. For "", it returns the
// one-decision search that suits the world.
func PlannerOf(w *catalog.World, planner string) string {
	switch {
	case planner != "":
		return planner
	case w.Base().Hidden:
		return "pimc:samples=1" // wraps greedy search, which evaluates only what the mover knows
	case w.Chancy():
		return "expectimax:depth=1"
	}
	return "alphabeta:depth=1"
}
