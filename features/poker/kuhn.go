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

// kuhnView contains the terms of kuhn/hand, in order.
type kuhnView struct {
	card       float64 `doc:"card, from -1 for the lowest to 1 for the highest; 0 after a fold"`
	cardStake  float64 "doc:\"`card` times the chips that the player has put in\""
	facing     float64 `doc:"1 if there is a bet to answer"`
	cardFacing float64 "doc:\"`card` times `facing`\""
	rivals     float64 `doc:"number of other players who have bet, unless the player has folded"`
	cardRivals float64 "doc:\"`card` times `rivals`\""
	tempo      float64 `doc:"1 if the player is to move"`
	cardTempo  float64 "doc:\"`card` times `tempo`\""
	folded     float64 `doc:"1 after a fold, when the ante is lost"`
}

var kuhnHand = features.Terms[kuhnView]{
	Name:    "kuhn/hand",
	Prepare: (*kuhnView).prepare,
	Values:  features.Numbers[float64, kuhnView],
	List:    features.Fields[kuhnView](kuhnView{}),
}

func (v *kuhnView) prepare(st game.State, p game.Player) {
	s := st.(*board.Kuhn)
	*v = kuhnView{tempo: features.Truth(s.Turn() == p)}
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
	v.cardStake, v.cardFacing = v.card*float64(s.Paid(p)), v.card*v.facing
	v.cardRivals, v.cardTempo = v.card*v.rivals, v.card*v.tempo
}
