package train

import (
	"cmp"
	"fmt"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

// curve completes how the learning curve is measured.
func (p *plan) curve(c *online.Curve) error {
	w := p.World
	c.Seed, c.Workers = game.Seed(p.Seed, game.StreamCurve), p.Workers
	c.Every = cmp.Or(c.Every, max(1, p.Episodes/10))
	c.Every += (p.Chunk - c.Every%p.Chunk) % p.Chunk
	if c.Measure == arena.Wins && w.Players == 1 {
		return fmt.Errorf("measure wins: want measure utility in %s, a game of one", w.Spec)
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
		// By Extract and a sum: to compile a model at each point may cost more.
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

// PlannerOf is who plays for the curve; "" is the search of one decision that suits the world.
func PlannerOf(w *catalog.World, planner string) string {
	switch {
	case planner != "":
		return planner
	case w.Base().Hidden:
		return "pimc:samples=1" // of greedy, which evaluates what the mover sees
	case w.Chancy():
		return "expectimax:depth=1"
	}
	return "alphabeta:depth=1"
}
