package search_test

import (
	"context"
	"fmt"

	"plyfit/game"
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
	for _, make := range []func(search.Options) (search.Agent, error){search.NewMaxN, search.NewParanoid} {
		agent, err := make(search.Options{Game: g, Eval: search.Zero(g)})
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
