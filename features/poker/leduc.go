package poker

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/poker"
)

// Leduc describes Leduc hold'em to the catalog.
var Leduc = features.Profile{
	Sets:   leducSets,
	Recipe: recipe("leduc/infosets"),
}

// leducSets returns the feature sets of Leduc hold'em: leduc/hand, and leduc/infosets, which
// contains all information sets, ignoring suits.
func leducSets(g *game.Game) []features.Set {
	return []features.Set{leducHand.Set(), infosets("leduc/infosets", g, "sh")}
}

type leducView struct {
	equity float64 // probability of winning minus probability of losing against an unknown card
	paid   float64 // player's chips in the pot
	call   float64 // chips to call
	ahead  float64 // chips that the other player has to call
	pair   float64
	second float64 // 1 if the public card is on the table
	turn   float64
}

var leducHand = features.Terms[leducView]{
	Name:    "leduc/hand",
	Prepare: (*leducView).prepare,
	List: []features.Term[leducView]{
		{Name: "equity", Doc: "probability that the card wins minus the probability that it loses, with all unseen cards equally likely", Value: func(v *leducView) float64 { return v.equity }},
		{Name: "equity-stake", Doc: "`equity` times the chips that the player has put in", Value: func(v *leducView) float64 { return v.equity * v.paid }},
		{Name: "stake", Doc: "the chips that the player has put in", Value: func(v *leducView) float64 { return v.paid }},
		{Name: "call", Doc: "chips to call", Value: func(v *leducView) float64 { return v.call }},
		{Name: "equity-call", Doc: "`equity` times `call`", Value: func(v *leducView) float64 { return v.equity * v.call }},
		{Name: "ahead", Doc: "chips that the other player has to call", Value: func(v *leducView) float64 { return v.ahead }},
		{Name: "equity-ahead", Doc: "`equity` times `ahead`", Value: func(v *leducView) float64 { return v.equity * v.ahead }},
		{Name: "pair", Doc: "1 if the card makes a pair with the public card", Value: func(v *leducView) float64 { return v.pair }},
		{Name: "pair-stake", Doc: "`pair` times the chips that the player has put in", Value: func(v *leducView) float64 { return v.pair * v.paid }},
		{Name: "equity-second", Doc: "`equity` times the chips that the player has put in, in the second round", Value: func(v *leducView) float64 { return v.equity * v.paid * v.second }},
		{Name: "tempo", Doc: "1 if the player is to move", Value: func(v *leducView) float64 { return v.turn }},
		{Name: "equity-tempo", Doc: "`equity` times `tempo`", Value: func(v *leducView) float64 { return v.equity * v.turn }},
	},
}

func (v *leducView) prepare(st game.State, p game.Player) {
	s := st.(*board.Leduc)
	mine, theirs := s.Paid(p), s.Paid(1-p)
	*v = leducView{paid: float64(mine), call: float64(max(0, theirs-mine)), ahead: float64(max(0, mine-theirs))}
	v.turn = features.Truth(s.Turn() == p)
	own, table := s.Rank(p), s.Table()
	v.second = features.Truth(table >= 0)
	if own < 0 {
		return
	}
	v.equity = equity(own, table)
	v.pair = features.Truth(own == table)
}

// equity returns the probability that a card of the given rank wins minus the probability that it
// loses. All cards that its owner has not seen are equally likely. table is the rank of the public
// card, or -1 if it has not been dealt.
func equity(own, table int) float64 {
	left := [board.Ranks]int{2, 2, 2}
	left[own]--
	if table >= 0 {
		left[table]--
		return against(own, table, left)
	}
	sum, cards := 0.0, 0
	for t, n := range left {
		if n == 0 {
			continue
		}
		rest := left
		rest[t]--
		sum += float64(float64(n) * against(own, t, rest))
		cards += n
	}
	return sum / float64(cards)
}

// against returns the equity of a card, given the rank of the public card and the number of cards
// of each rank that the other player may hold.
func against(own, table int, left [board.Ranks]int) float64 {
	sum, cards := 0, 0
	for other, n := range left {
		sum += n * board.Compare(own, other, table)
		cards += n
	}
	return float64(sum) / float64(cards)
}
