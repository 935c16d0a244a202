package pig_test

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/pig"
)

// A turn of pig: two rolls, then the points are kept.
func Example() {
	g, err := pig.New(game.NewOptions("pig", "target=50"))
	if err != nil {
		panic(err)
	}
	s := g.New()
	for _, m := range []game.Move{pig.Roll, 6, pig.Roll, 4, pig.Hold} {
		fmt.Println(s, s.MoveString(m))
		s.Play(m)
	}
	fmt.Println(s)
	// Output:
	// 0 0 turn 0 player 0 roll
	// 0 0 turn 0 roll 0 6
	// 0 0 turn 6 player 0 roll
	// 0 0 turn 6 roll 0 4
	// 0 0 turn 10 player 0 hold
	// 10 0 turn 0 player 1
}

// Perfect play is known, and so is what a rule of thumb loses against it: to hold
// at 20 costs four games in a hundred.
func ExampleSolve() {
	best := pig.Solve(100)
	fmt.Printf("who begins wins %.4f\n", best.Win(0, 0))
	at20 := func(mine, _, turn int) bool { return turn >= 20 || mine+turn >= 100 }
	fmt.Printf("holding at 20 loses %.4f\n", best.Regret(at20))
	// Output:
	// who begins wins 0.5306
	// holding at 20 loses 0.0399
}
