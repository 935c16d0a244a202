package backgammon_test

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/backgammon"
)

// The best known turn with 3 and 1 at the start, and a roll in answer.
func Example() {
	g, err := backgammon.New(game.NewOptions("backgammon"))
	if err != nil {
		panic(err)
	}
	s := g.New()
	s.Play(backgammon.Roll(3, 1))
	fmt.Println(len(s.Moves(nil)), "turns")
	m, err := g.ParseMove(s, "8/5 6/5")
	if err != nil {
		panic(err)
	}
	s.Play(m)
	s.Play(backgammon.Roll(6, 6))
	fmt.Println(s)
	m, err = g.ParseMove(s, "13/7 24/18 13/7 24/18") // the steps in any order
	if err != nil {
		panic(err)
	}
	fmt.Println(s.MoveString(m))
	// Output:
	// 16 turns
	// XGID=-b---BD-B---eE---c-e----B-:0:0:-1:66:0:0:0:0:10
	// 24/18(2) 13/7(2)
}
