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

func (p *plan) curve(o *Curve) (online.Curve, error) {
	w := p.World
	c := online.Curve{Every: o.Every, Pairs: o.Pairs, Seed: game.Seed(p.Seed, game.StreamCurve), Workers: p.Workers, Measure: o.Measure}
	c.Every = cmp.Or(c.Every, max(1, p.Episodes/10))
	c.Every += (p.Chunk - c.Every%p.Chunk) % p.Chunk
	if c.Measure == arena.Wins && w.Players == 1 {
		return c, fmt.Errorf("measure wins: want measure utility in %s, a game of one", w.Spec)
	}
	if c.Pairs == 0 {
		return c, nil
	}
	planner := PlannerOf(w, o.Planner)
	c.Openings = o.Openings
	if o.Against != nil {
		c.Against = *o.Against
	} else {
		spec := "random"
		if w.Entry.Ships("handwritten") {
			spec = catalog.WithEval(planner, "handwritten")
		}
		against, err := w.Agent(spec, catalog.AgentOptions{})
		if err != nil {
			return c, err
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
	return c, err
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
