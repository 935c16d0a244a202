package play_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/game/pig"
	"plyfit/game/play"
)

// A pig player that holds at 20 plays against a random player.
func Example() {
	g, err := pig.New(new(game.Options))
	if err != nil {
		log.Fatal(err)
	}
	dice := &play.Dice{Random: rand.New(rand.NewPCG(1, 2))}
	e := play.Episode{Luck: dice}
	won := 0
	for range 200 {
		e.Begin(g.New(), 0, g.MaxPlies)
		for e.Next() {
			m := dice.Uniform(e.State)
			if e.State.Turn() == 0 {
				m = pig.Roll
				s := e.State.(*pig.State)
				if total := s.TurnTotal(); total >= 20 || s.Score(0)+total >= s.Target() {
					m = pig.Hold
				}
			}
			e.Play(m)
		}
		if !e.Truncated() && e.State.Utility(0) > 0 {
			won++
		}
	}
	fmt.Printf("holding at 20 wins %d of 200\n", won)
	// Output: holding at 20 wins 199 of 200
}
