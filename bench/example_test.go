package bench_test

import (
	"context"
	"errors"
	"fmt"

	"plyfit/bench"
	"plyfit/catalog"
)

// The first measures of a short run. Out is told of each as soon as it is taken,
// and an error from it ends the run. Rates depend on the machine; how many nodes
// minimax visits does not.
func ExampleBench() {
	enough := errors.New("enough")
	b := bench.Bench{Catalog: catalog.All(), Quick: true, Out: func(m bench.Measurement) error {
		fmt.Printf("%s, %s: runs %d\n", m.Name, m.Unit, len(m.Runs))
		if m.Agent == "minimax:depth=6" {
			fmt.Printf("%s visits %d nodes of %s\n", m.Agent, m.Nodes, m.Game)
			return enough
		}
		return nil
	}}
	if err := b.Run(context.Background()); !errors.Is(err, enough) {
		panic(err)
	}
	// Output:
	// signature, nodes: runs 1
	// connect4 minimax:depth=6, nodes/s: runs 5
	// minimax:depth=6 visits 137257 nodes of connect4
}
