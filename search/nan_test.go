package search

import (
	"context"
	"math"
	"strings"
	"testing"

	"plyfit/game"
)

// nowhere is an evaluation that is no number.
type nowhere struct{}

func (nowhere) Evaluate(game.State, game.Player) float64 { return math.NaN() }

// TestEvaluationIsNaN: planners say so in one line.
func TestEvaluationIsNaN(t *testing.T) {
	root := &sprig{id: 1, eval: []float64{0}}
	for i := range 2 {
		end := &sprig{id: 4 + i, turn: game.Nobody, ends: []float64{0}}
		root.kids = append(root.kids, &sprig{id: 2 + i, eval: []float64{0}, kids: []*sprig{end}})
	}
	g := sprigShape{players: 1, sum: game.General}.game(root)
	for name, make := range map[string]func(settings) (Agent, error){"minimax": minimaxOf, "alphabeta": alphaBetaOf, "expectimax": expectimaxOf} {
		a := made(t, make, settings{Game: g, Depth: 1, Eval: nowhere{}})
		r, err := a.Search(context.Background(), g.New())
		if err == nil || !strings.HasPrefix(err.Error(), name+": the evaluation is NaN within 1 decisions of ") {
			t.Errorf("%s: %+v, error %v", name, r, err)
		}
	}
}
