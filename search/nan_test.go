package search_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// nowhere is an evaluation that is no number.
type nowhere struct{}

func (nowhere) Evaluate(game.State, game.Player) float64 { return math.NaN() }

// TestEvaluationIsNaN: planners say so in one line.
func TestEvaluationIsNaN(t *testing.T) {
	root := &searchtest.Sprig{ID: 1, Eval: []float64{0}}
	for i := range 2 {
		end := &searchtest.Sprig{ID: 4 + i, Turn: game.Nobody, Ends: []float64{0}}
		root.Kids = append(root.Kids, &searchtest.Sprig{ID: 2 + i, Eval: []float64{0}, Kids: []*searchtest.Sprig{end}})
	}
	g := searchtest.Shape{Players: 1, Sum: game.General}.Game(root)
	for name, make := range map[string]func(search.Options) (search.Agent, error){"minimax": searchtest.MinimaxOf, "alphabeta": searchtest.AlphaBetaOf, "expectimax": search.NewExpectimax} {
		a := searchtest.Made(t, make, search.Options{Game: g, Depth: 1, Eval: nowhere{}})
		r, err := a.Search(context.Background(), g.New())
		if err == nil || !strings.HasPrefix(err.Error(), name+": the evaluation is NaN within 1 decisions of ") {
			t.Errorf("%s: %+v, error %v", name, r, err)
		}
	}
}
