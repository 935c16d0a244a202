package catalog

import (
	"strings"

	"plyfit/features"
	"plyfit/game"
)

// rulesName is the name, in specs, of games whose rules are in an external program. Such a game is
// not in the list of a catalog, because its name is not known before its program runs.
const rulesName = "rules"

// WithLost returns a copy of c that calls lost, which must not return, if the program with the
// rules of a game fails while the game is in use.
func (c Catalog) WithLost(lost func(err error)) Catalog {
	c = c.clone()
	for i := range c {
		c[i].lost = lost
	}
	return c
}

// shallow returns the recipe for a game whose rules are in a program. A program answers only
// thousands of positions per second. Agents therefore look one or two decisions ahead, and long
// games are played less often.
func (w *World) shallow() features.Recipe {
	const mostPlies, mostGames, leastGames = 500_000, 20_000, 1000 // of a learner
	r := features.Recipe{Why: "the program's rules allow only shallow searches", Rounds: 2, Openings: 6, Explore: 0.1, Pairs: 100}
	plies, err := w.Entry.Rules.Plies()
	if err != nil {
		plies = float64(w.MaxPlies) // the program has failed, so the next question reports the error
	}
	games := max(leastGames, min(mostGames, int(mostPlies/plies)/1000*1000))
	r.Episodes = games / 20
	for _, stages := range w.trials() {
		if len(stages) > 0 && stages[0].Method == "evolution" {
			continue
		}
		for i := range stages {
			stages[i].Episodes = min(stages[i].Episodes, games)
		}
		r.Trials = append(r.Trials, stages)
	}
	switch {
	case w.Players > 2 || w.Players == 2 && w.Sum == game.General:
		r.Planner, r.Planners = "maxn:depth=1", []string{"maxn:depth=1", "maxn:depth=2"}
	case w.Chancy():
		r.Minimax, r.Expectimax = "alphabeta:depth=1", "expectimax:depth=1"
		r.Planners = []string{r.Expectimax, r.Minimax}
	default:
		r.Planner, r.Minimax, r.Expectimax = "alphabeta:depth=1", "alphabeta:depth=2,assume=base", "expectimax:depth=2"
		r.Planners = []string{"alphabeta:depth=1", "alphabeta:depth=2"}
	}
	return r
}

// Label returns the spec for use in messages and names of folders. Rules are represented by their name alone.
func (w *World) Label() string {
	if w.Entry.Rules == nil {
		return w.Spec
	}
	return w.Entry.Rules.Name + strings.TrimPrefix(w.Spec, w.Base().Spec)
}
