package features_test

import (
	"fmt"

	"plyfit/features"
	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/models"
)

// columns is a small feature set of connect four, given as a list of terms. The terms count each
// side's stones in the middle column and in the columns next to it.
var columns = features.Terms[position]{
	Name:    "connect4/columns",
	View:    func(s game.State) game.Player { return s.Turn() },
	Prepare: func(t *position, s game.State, p game.Player) { t.State, t.player = s, p },
	List: []features.Term[position]{
		{Name: "middle", Doc: "stones in the middle column", Value: func(t *position) float64 { return stones(t, t.player, '4') }},
		{Name: "near", Doc: "stones beside it", Value: func(t *position) float64 { return stones(t, t.player, '3') + stones(t, t.player, '5') }},
	},
}

// position contains the data of the terms.
type position struct {
	game.State
	player game.Player
}

// stones returns the number of p's stones in a column minus the number of the opponent's.
func stones(s game.State, p game.Player, column rune) (n float64) {
	if s.String() == "start" {
		return 0
	}
	for ply, c := range s.String() {
		if c == column && game.Player(ply%2) == p {
			n++
		} else if c == column {
			n--
		}
	}
	return n
}

// The terms of a set turn a position into a vector of values.
func ExampleTerms() {
	g, err := connect4.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("44413")
	if err != nil {
		panic(err)
	}
	set := columns.Set()
	m := features.New(set, g)
	for _, t := range set.Extract(s, s.Turn(), nil) {
		fmt.Println(m.Name(t.Index), t.Value)
	}
	// Output:
	// middle -1
	// near -1
}

// To add a feature of your own to an existing set, add one line.
func ExampleWith() {
	g, err := connect4.New(game.NewOptions("connect4"))
	if err != nil {
		panic(err)
	}
	set := features.With("connect4/mine", columns.Set(),
		features.Feature{Name: "left edge", Value: func(s game.State, p game.Player) float64 { return stones(s, p, '1') }})

	f, err := models.Read("mine.json", []byte(`{"format": "plyfit-model/1", "game": "connect4", "features": "connect4/mine",
  "link": "tanh", "scale": 0.2, "bias": 0, "terms": [{"name": "middle", "weight": 1}, {"name": "left edge", "weight": -0.5}]}`))
	if err != nil {
		panic(err)
	}
	m, err := features.Bind(set, g, f)
	if err != nil {
		panic(err)
	}
	s, err := g.Parse("44411")
	if err != nil {
		panic(err)
	}
	x := features.NewEvaluator(g, set, m).Explain(s, s.Turn())
	for _, t := range x.Terms {
		fmt.Printf("%s: %v * %v = %v\n", t.Name, t.Value, t.Weight, t.Product)
	}
	fmt.Printf("value %.4f\n", x.Value)
	// Output:
	// middle: -1 * 1 = -1
	// value -0.1974
}
