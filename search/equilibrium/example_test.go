package equilibrium_test

import (
	"context"
	"fmt"

	"plyfit/game"
	"plyfit/game/poker"
	"plyfit/search/equilibrium"
)

// This example solves Kuhn poker and measures the exploitability of the solution.
func Example() {
	g, err := poker.NewKuhn(new(game.Options))
	if err != nil {
		panic(err)
	}
	tree, err := equilibrium.NewTree(context.Background(), g)
	if err != nil {
		panic(err)
	}
	solved, err := tree.Solve(context.Background(), 1000)
	if err != nil {
		panic(err)
	}
	e := tree.Exploitability(solved)
	fmt.Printf("value %.4f\n", e.Values[0])
	fmt.Println("exploitable by less than 0.001:", e.Exploitability < 0.001)
	fmt.Printf("random moves: %.4f\n", tree.Exploitability(tree.Uniform()).Exploitability)
	// Output:
	// value -0.0556
	// exploitable by less than 0.001: true
	// random moves: 0.4583
}
