package policy_test

import (
	"context"
	"fmt"

	"plyfit/game"
	"plyfit/game/pig"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/policy"
)

// The opponent in pig plays like a greedy player four times in five and otherwise chooses a random
// move. Expectimax plans against this mixture.
func ExampleOf() {
	g, err := pig.New(game.NewOptions("pig"))
	if err != nil {
		panic(err)
	}
	greedy, err := search.NewGreedy(search.Options{Game: g, Eval: search.Zero(g)})
	if err != nil {
		panic(err)
	}
	mixture, err := policy.NewMixAgent([]float64{0.8, 0.2}, []search.Agent{greedy, policy.NewRandom()})
	if err != nil {
		panic(err)
	}
	mixed, err := policy.Of(context.Background(), mixture, g)
	if err != nil {
		panic(err)
	}

	s := g.New()
	for _, m := range []game.Move{pig.Roll, 6} {
		s.Play(m)
	}
	moves := s.Moves(nil)
	for i, p := range mixed.Probs(s, moves, nil) {
		fmt.Printf("%s %.1f\n", s.MoveString(moves[i]), p)
	}

	planner, err := search.NewExpectimax(search.Options{
		Game: g, Eval: search.Zero(g), Depth: 2,
		Assume: assume.Assumption{Kind: assume.Policy, Policy: mixed},
	})
	if err != nil {
		panic(err)
	}
	r, err := planner.Search(context.Background(), s)
	if err != nil {
		panic(err)
	}
	fmt.Println(s.MoveString(r.Move))
	// Output:
	// roll 0.9
	// hold 0.1
	// roll
}
