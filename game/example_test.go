package game_test

import (
	"fmt"

	"plyfit/game"
	"plyfit/game/pig"
	"plyfit/game/tictactoe"
)

// A game of tic-tac-toe in which X plays the centre and the move is undone.
func Example() {
	g, err := tictactoe.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s := g.New()
	fmt.Println(len(s.Moves(nil)), "moves for", g.Seat(s.Turn()))
	m, err := g.ParseMove(s, "5")
	if err != nil {
		panic(err)
	}
	s.Play(m)
	fmt.Println(s)
	s.Undo()
	fmt.Println(s)
	// Output:
	// 9 moves for X
	// ....X.... O
	// ......... X
}

// In pig, the player throws a die. When Turn is Chance, Moves lists the possible throws, and As
// returns the interface that provides their probabilities.
func ExampleChancer() {
	g, err := pig.New(game.NewOptions("pig", "target=50"))
	if err != nil {
		panic(err)
	}
	s := g.New()
	s.Play(pig.Roll)
	fmt.Println("chance:", s.Turn() == game.Chance)
	nature, ok := game.As[game.Chancer](s)
	if !ok {
		panic("pig without a die")
	}
	for _, m := range s.Moves(nil) {
		fmt.Printf("%s with probability %.3f\n", s.MoveString(m), nature.Prob(m))
	}
	// Output:
	// chance: true
	// 1 with probability 0.167
	// 2 with probability 0.167
	// 3 with probability 0.167
	// 4 with probability 0.167
	// 5 with probability 0.167
	// 6 with probability 0.167
}

// A game's package reads every key that it supports. For an unknown key or a value out of range,
// the error states what was expected.
func ExampleOptions() {
	newRace := func(o *game.Options) (*game.Game, error) {
		target := o.Int("target", 100, 1, 1000)
		if err := o.Err(); err != nil {
			return nil, err
		}
		return &game.Game{Name: "race", Doc: fmt.Sprintf("first to %d", target), Players: 2}, nil
	}
	for _, text := range []string{"race", "race:target=50", "race:target=0", "race:goal=50"} {
		s, err := game.ParseSpec(text)
		if err != nil {
			panic(err)
		}
		g, err := newRace(s.Options)
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Println(g.Doc)
	}
	// Output:
	// first to 100
	// first to 50
	// error: race: target=0: want a whole number from 1 to 1000
	// error: race: unknown key "goal": want target
}
