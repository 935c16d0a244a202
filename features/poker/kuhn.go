// Package poker provides the feature sets of Kuhn poker and Leduc hold'em. The terms favour a high
// card, a high chance of winning, and chips in the pot behind them. All terms depend only on what
// the player knows. The sets in infosets.go have a column for each information set, so that a model
// is a table of the values of information sets.
package poker

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/poker"
)

// Kuhn describes Kuhn poker to the catalog.
var Kuhn = features.Profile{
	Sets:   kuhnSets,
	Recipe: recipe("kuhn/infosets"),
}

func recipe(set string) features.Recipe {
	return features.Recipe{
		Why:      "there are few deals, and equilibrium strategies mix moves",
		Training: []features.Training{{Method: "cfr", Set: set, Episodes: 1000}},
		Planner:  "pimc:samples=8,agent=(maxn:depth=2,prune=none)", First: "random", Planners: []string{"softmax"},
		Twin: "none", Rounds: 2, Episodes: 4000, Explore: 0.2, Pairs: 500,
	}
}

// kuhnSets returns the feature sets of Kuhn poker: kuhn/hand and, for two players, kuhn/infosets,
// which contains all information sets.
func kuhnSets(g *game.Game) []features.Set {
	if g.Players > 2 {
		return []features.Set{kuhnHand.Set()}
	}
	return []features.Set{kuhnHand.Set(), infosets("kuhn/infosets", g, "")}
}

type kuhnView struct {
	card   float64 // from -1 for the lowest card to 1 for the highest; 0 before the deal
	paid   float64 // player's chips in the pot
	facing float64 // 1 if there is a bet to respond to
	folded float64
	rivals float64 // number of other players who have bet
	turn   float64
}

var kuhnHand = features.Terms[kuhnView]{
	Name:    "kuhn/hand",
	Prepare: (*kuhnView).prepare,
	List: []features.Term[kuhnView]{
		{Name: "card", Doc: "card, from -1 for the lowest to 1 for the highest; 0 after a fold", Value: func(v *kuhnView) float64 { return v.card }},
		{Name: "card-stake", Doc: "`card` times the chips that the player has put in", Value: func(v *kuhnView) float64 { return v.card * v.paid }},
		{Name: "facing", Doc: "1 if there is a bet to answer", Value: func(v *kuhnView) float64 { return v.facing }},
		{Name: "card-facing", Doc: "`card` times `facing`", Value: func(v *kuhnView) float64 { return v.card * v.facing }},
		{Name: "rivals", Doc: "number of other players who have bet, unless the player has folded", Value: func(v *kuhnView) float64 { return v.rivals }},
		{Name: "card-rivals", Doc: "`card` times `rivals`", Value: func(v *kuhnView) float64 { return v.card * v.rivals }},
		{Name: "tempo", Doc: "1 if the player is to move", Value: func(v *kuhnView) float64 { return v.turn }},
		{Name: "card-tempo", Doc: "`card` times `tempo`", Value: func(v *kuhnView) float64 { return v.card * v.turn }},
		{Name: "folded", Doc: "1 after a fold, when the ante is lost", Value: func(v *kuhnView) float64 { return v.folded }},
	},
}

func (v *kuhnView) prepare(st game.State, p game.Player) {
	s := st.(*board.Kuhn)
	*v = kuhnView{paid: float64(s.Paid(p)), turn: features.Truth(s.Turn() == p)}
	if s.Folded(p) {
		v.folded = 1
		return
	}
	if c := s.Card(p); c >= 0 {
		v.card = float64(2*c)/float64(s.Players()) - 1
	}
	v.facing = features.Truth(s.Facing(p))
	for q := range game.Player(s.Players()) {
		if q != p && s.Paid(q) > 1 {
			v.rivals++
		}
	}
}
