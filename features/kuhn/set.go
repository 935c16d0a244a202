// Package kuhn says what is good in Kuhn poker: a high card, and chips in the pot
// behind it. All terms are of what the player sees.
package kuhn

import (
	"sync"

	"plyfit/features"
	"plyfit/features/infosets"
	"plyfit/game"
	board "plyfit/game/kuhn"
)

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets: Sets,
	Recipe: features.Recipe{
		Why:      "the deals are few, and an equilibrium mixes its moves",
		Training: []features.Training{{Method: "cfr", Set: "kuhn/infosets", Episodes: 1000}},
		Planner:  "pimc:samples=8,agent=(maxn:depth=2,prune=none)", First: "random", Planners: []string{"softmax"},
		Twin: "none", Rounds: 2, Episodes: 4000, Explore: 0.2, Pairs: 500,
	},
}

// Sets are the feature sets of the game: kuhn/hand, and for two players kuhn/infosets, of
// all that they may know.
func Sets(g *game.Game) []features.Set {
	if g.Players > 2 {
		return []features.Set{hand.Set()}
	}
	return []features.Set{hand.Set(), known(g)}
}

var (
	once  sync.Once
	views features.Set
)

// known is the set of what two players may know, written out once.
func known(g *game.Game) features.Set {
	once.Do(func() { views = infosets.New("kuhn/infosets", g, "") })
	return views
}

// view is a position as one player sees it.
type view struct {
	card   float64 // from -1 for the lowest to 1 for the highest; 0 before it is dealt
	paid   float64 // chips in the pot
	facing float64 // 1 where there is a bet to answer
	folded float64
	rivals float64 // others who have bet
	turn   float64
}

var hand = features.Terms[view]{
	Name:    "kuhn/hand",
	View:    func(s game.State) game.Player { return max(s.Turn(), 0) },
	Prepare: (*view).prepare,
	List: []features.Term[view]{
		{Name: "card", Doc: "the card, from -1 for the lowest to 1 for the highest; 0 for who has folded", Value: func(v *view) float64 { return v.card }},
		{Name: "card-stake", Doc: "`card` times the chips that the player has put in", Value: func(v *view) float64 { return v.card * v.paid }},
		{Name: "facing", Doc: "there is a bet to answer", Value: func(v *view) float64 { return v.facing }},
		{Name: "card-facing", Doc: "`card` times `facing`", Value: func(v *view) float64 { return v.card * v.facing }},
		{Name: "rivals", Doc: "others who have bet, while the player has not folded", Value: func(v *view) float64 { return v.rivals }},
		{Name: "card-rivals", Doc: "`card` times `rivals`", Value: func(v *view) float64 { return v.card * v.rivals }},
		{Name: "tempo", Doc: "1 where it is the player's move", Value: func(v *view) float64 { return v.turn }},
		{Name: "card-tempo", Doc: "`card` times `tempo`", Value: func(v *view) float64 { return v.card * v.turn }},
		{Name: "folded", Doc: "the ante is lost", Value: func(v *view) float64 { return v.folded }},
	},
}

// prepare takes the view of p.
func (v *view) prepare(st game.State, p game.Player) {
	s := st.(*board.State)
	*v = view{paid: float64(s.Paid(p)), turn: truth(s.Turn() == p)}
	if s.Folded(p) {
		v.folded = 1
		return
	}
	if c := s.Card(p); c >= 0 {
		v.card = float64(2*c)/float64(s.Players()) - 1
	}
	v.facing = truth(s.Facing(p))
	for q := range game.Player(s.Players()) {
		if q != p && s.Paid(q) > 1 {
			v.rivals++
		}
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
