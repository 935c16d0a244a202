package search_test

import (
	"context"
	"fmt"

	"plyfit/game"
	"plyfit/game/pig"
	"plyfit/game/tree"
	"plyfit/search"
)

// Three players, each for himself: the first could hope for 6, but the second
// would rather have 5 than 4.
func ExampleNewMaxN() {
	g, err := tree.New(game.NewOptions("tree"))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("(p0 (p1 <6,4,0> <1,5,4>) (p2 <2,3,5> <7,1,2>))")
	if err != nil {
		panic(err)
	}
	for _, make := range []func(search.Many) (search.Agent, error){search.NewMaxN, search.NewParanoid} {
		agent, err := make(search.Many{Game: g, Eval: search.Zero(g)})
		if err != nil {
			panic(err)
		}
		r, err := agent.Search(context.Background(), s)
		if err != nil {
			panic(err)
		}
		fmt.Println(s.MoveString(r.Move), r.Value, r.Values, r.Exact)
	}
	// Output:
	// 2 2 [2 3 5] true
	// 2 2 [] true
}

// An opponent at pig who holds like a greedy player and one time in five
// decides by a coin: expectimax plans with that in mind.
func ExamplePolicyOf() {
	g, err := pig.New(game.NewOptions("pig"))
	if err != nil {
		panic(err)
	}
	greedy, err := search.NewGreedy(search.Greedy{Game: g, Eval: search.Zero(g)})
	if err != nil {
		panic(err)
	}
	mixture, err := search.NewMixAgent([]float64{0.8, 0.2}, []search.Agent{greedy, search.NewRandom()})
	if err != nil {
		panic(err)
	}
	policy := search.PolicyOf(mixture, g)

	s := g.New()
	for _, m := range []game.Move{pig.Roll, 6} {
		s.Play(m)
	}
	moves := s.Moves(nil)
	for i, p := range policy.Probs(s, moves, nil) {
		fmt.Printf("%s %.1f\n", s.MoveString(moves[i]), p)
	}

	planner, err := search.NewExpectimax(search.Expectimax{
		Game: g, Eval: search.Zero(g), Depth: 2,
		Assume: search.Assume{Kind: search.AssumePolicy, Policy: policy},
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
