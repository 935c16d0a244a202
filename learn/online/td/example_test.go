package td_test

import (
	"context"
	"fmt"

	"plyfit/features"
	"plyfit/features/textbook"
	"plyfit/game"
	"plyfit/game/tictactoe"
	"plyfit/learn/online"
	"plyfit/learn/online/td"
)

// A learner can be used without a run's folder. Here, a thousand games of tic-tac-toe change the
// weights of a model whose weights start at zero.
func ExampleLearner() {
	g, err := tictactoe.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	set := textbook.TicTacToe.Sets(g)[0]
	l, err := td.New(online.Task{
		Training: features.Training{Alpha: 0.05, Lambda: 0.7, Openings: 2, Epsilon: 0.1, Batch: 1},
		Game:     g, Set: set, Model: features.New(set, g), Seed: 1,
	})
	if err != nil {
		panic(err)
	}
	if err := l.Advance(context.Background(), 0, 1000); err != nil {
		panic(err)
	}
	m := l.Model()
	for i, w := range m.Weights[:3] {
		fmt.Printf("%s %+.3f\n", m.Name(int32(i)), w)
	}
	// Output:
	// tempo +0.248
	// win-now +0.500
	// must-block +0.023
}
