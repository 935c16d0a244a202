package features_test

import (
	"fmt"
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	"plyfit/game/tictactoe"
)

// marks is a board of noughts and crosses from a player's point of view.
type marks struct{ own, other uint16 }

func (m *marks) prepare(s game.State, p game.Player) {
	m.own, m.other = s.(*tictactoe.State).Marks()
	if p == 1 {
		m.own, m.other = m.other, m.own
	}
}

// more returns the difference between the numbers of the player's and the opponent's marks in
// cells.
func (m *marks) more(cells uint16) float64 {
	return float64(bits.OnesCount16(m.own&cells) - bits.OnesCount16(m.other&cells))
}

// A set of three terms for noughts and crosses. Each additional term takes one line.
func ExampleTerms_evaluated() {
	set := features.Terms[marks]{
		Name:    "tictactoe/cells",
		View:    func(s game.State) game.Player { return max(s.Turn(), 0) },
		Prepare: (*marks).prepare,
		List: []features.Term[marks]{
			{Name: "centre", Doc: "1 for the player with the mark in the centre", Value: func(m *marks) float64 { return m.more(0o020) }},
			{Name: "corners", Doc: "marks in corners", Value: func(m *marks) float64 { return m.more(0o505) }},
			{Name: "edges", Doc: "marks between corners", Value: func(m *marks) float64 { return m.more(0o252) }},
		},
	}.Set()

	g, err := tictactoe.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("XO..X.... O")
	if err != nil {
		panic(err)
	}
	m := features.New(set, g)
	m.Weights[0], m.Weights[1], m.Weights[2] = 0.25, 0.125, -0.0625
	x := features.NewEvaluator(g, set, m).Explain(s, 0)
	for _, t := range x.Terms {
		fmt.Printf("%s: %v * %v = %v\n", t.Name, t.Value, t.Weight, t.Product)
	}
	fmt.Println("value for X", x.Value)
	// Output:
	// centre: 1 * 0.25 = 0.25
	// corners: 1 * 0.125 = 0.125
	// edges: -1 * -0.0625 = 0.0625
	// value for X 0.4375
}
