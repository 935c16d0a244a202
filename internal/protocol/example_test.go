package protocol_test

import (
	"fmt"

	"plyfit/internal/protocol"
)

// Engines count in hundredths of a pawn, games in their own units. In a game from
// -1 to 1 a pawn is about 0.28, and 400 hundredths are ten to one.
func ExampleUtility() {
	for _, cp := range []int{0, 100, 400, -400} {
		v := protocol.Utility(cp, -1, 1)
		fmt.Printf("%4d %6.3f %4d\n", cp, v, protocol.Centipawns(v, -1, 1))
	}
	// Output:
	// 0  0.000    0
	//  100  0.280  100
	//  400  0.818  400
	// -400 -0.818 -400
}

// A program with its arguments, as a user writes it.
func ExampleReadCommand() {
	c, err := protocol.ReadCommand(`sh -c "echo ready"`)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s %q\n", c.Name(), c.Args)
	// Output:
	// sh ["-c" "echo ready"]
}
