package doudizhu_test

import (
	"fmt"

	"plyfit/features/doudizhu"
	"plyfit/game"
	rules "plyfit/game/doudizhu"
)

// Two plays: the airplane carries the 5 and the 9, then the pair is left.
func ExamplePlays() {
	g, err := rules.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("33344459KK/6/7 landlord 0 stake 1 plays 211 turn 0")
	if err != nil {
		panic(err)
	}
	fmt.Println(doudizhu.Plays(s.(*rules.State).Hand(0)))
	// Output:
	// 2
}
