package catalog

import "plyfit/features"

// Recipe is the game's recipe with its gaps filled in by what suits most games.
func (w *World) Recipe() features.Recipe {
	r := w.Entry.Recipe
	base := World{Game: w.Base(), Entry: w.Entry}
	chance := base.Chancy()
	text := func(s *string, or string) {
		if *s == "" {
			*s = or
		}
	}
	number := func(n *int, or int) {
		if *n == 0 {
			*n = or
		}
	}
	number(&r.Rounds, 2)
	number(&r.Episodes, 2000)
	number(&r.Pairs, 200)
	number(&r.TwinPairs, r.Pairs)
	if r.Method == "" && r.Penalty == 0 {
		r.Penalty = 1e-6
	}
	if chance {
		text(&r.Planner, "expectimax:depth=1")
		text(&r.Minimax, "alphabeta:depth=2")
		text(&r.Expectimax, "expectimax:depth=2")
		text(&r.Twin, "+adversary")
		if r.Planners == nil {
			r.Planners = []string{"expectimax:depth=1", r.Expectimax, r.Minimax}
		}
	} else {
		text(&r.Planner, "alphabeta:depth=3")
		text(&r.Minimax, "alphabeta:depth=3,assume=base")
		text(&r.Expectimax, "expectimax:depth=3")
		text(&r.Twin, "+slip=0.2")
		if r.Planners == nil {
			r.Planners = []string{"alphabeta:depth=1", "alphabeta:depth=3", "alphabeta:depth=5"}
		}
		number(&r.Openings, 8)
		if r.Explore == 0 {
			r.Explore = 0.1
		}
	}
	if r.TwinPlanners == nil {
		r.TwinPlanners = []string{r.Expectimax, r.Minimax}
	}
	text(&r.First, WithEval(r.Planner, "zero")+",ties=random")
	text(&r.Nature, "alphabeta:depth=1")
	return r
}

// SelfPlayAgent is who plays when a data set of this world is made and nobody
// says by whom: the recipe's planner with the game's own evaluation.
func (w *World) SelfPlayAgent() string { return w.Recipe().Planner }

// FrozenIn are the recipe's frozen terms that the feature set has.
func (w *World) FrozenIn(set string) (map[string]float64, error) {
	s, err := w.Set(set)
	if err != nil {
		return nil, err
	}
	frozen := map[string]float64{}
	for _, b := range s.Blocks() {
		if b.Table {
			continue
		}
		for i := range b.Len {
			if weight, ok := w.Entry.Recipe.Frozen[b.FeatureName(i)]; ok {
				frozen[b.FeatureName(i)] = weight
			}
		}
	}
	return frozen, nil
}
