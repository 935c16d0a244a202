package doudizhu_test

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/doudizhu"
)

// What player 1 may play on a pair of sixes, and what he knows.
func Example() {
	g, err := doudizhu.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("34/4555577BR/88 landlord 0 stake 1 plays 111 turn 1 on 66 by 0")
	if err != nil {
		panic(err)
	}
	for _, m := range s.Moves(nil) {
		fmt.Println(s.MoveString(m))
	}
	fmt.Println(s.(game.HiddenState).Info(1))
	// Output:
	// pass
	// 77
	// 5555
	// BR
	// ?2/4555577BR/?2 landlord 0 stake 1 plays 111 turn 1 on 66 by 0 unseen 3488
}
