package catalog_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game/play"
	"plyfit/internal/vectors"
)

// worldsOfChance lists worlds with chance moves whose games have none by default.
var worldsOfChance = []string{
	"connect4+slip=0.2", "connect4:dice=on", "othello+slip=0.2", "checkers+slip=0.1", "tictactoe+slip=0.3", "chess+slip=0.1",
}

// TestPlannersKnowTheirWorld checks that a recipe's planners do not treat slips or a die as an
// adversary. In connect four and tic-tac-toe, each planner must find moves of different values in
// some position of a random game.
func TestPlannersKnowTheirWorld(t *testing.T) {
	for _, text := range append([]string{"connect4", "2048", "pig"}, worldsOfChance...) {
		t.Run(text, func(t *testing.T) {
			w := vectors.Must(catalog.All().World(text))
			r := w.Recipe()
			all := append(slices.Clone(r.Planners), r.Planner, r.First)
			if r.Early != "" {
				all = append(all, r.Early)
			}
			if strings.Contains(r.Planner+r.First, "alphabeta") && text == "connect4:dice=on" {
				t.Errorf("%s and %s play its games, and take the die for an adversary", r.Planner, r.First)
			}
			for _, planner := range all {
				if strings.Contains(text, "+slip") && !strings.Contains(planner, "expectimax") && !strings.Contains(planner, "assume=base") {
					t.Errorf("%s takes a slip for an adversary", planner)
				}
				if w.Name == "connect4" || w.Name == "tictactoe" {
					if n := tells(t, w, planner); n == 0 {
						t.Errorf("%s takes all moves for equal", planner)
					}
				}
			}
		})
	}
}

// tells returns the number of positions in a random game in which a planner with the hand-written
// evaluation does not value all moves equally.
func tells(t *testing.T, w *catalog.World, planner string) (n int) {
	t.Helper()
	p := vectors.Must(w.Agent(catalog.WithEval(strings.ReplaceAll(planner, ",eval=zero,ties=random", ""), "handwritten"), catalog.AgentOptions{}))
	agent := vectors.Must(p.New())
	dice := &play.Dice{Random: rand.New(rand.NewPCG(1, 2))}
	e := play.Episode{Luck: dice}
	e.Begin(w.New(), 0, w.MaxPlies)
	for plies := 0; e.Next() && plies < 4; plies++ {
		agent.Begin(1)
		r := vectors.Must(agent.Search(context.Background(), e.State))
		if len(r.Best) < len(e.State.Moves(nil)) {
			n++
		}
		e.Play(dice.Uniform(e.State))
	}
	return n
}
