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

// leducView contains the terms of leduc/hand, in order.
type leducView struct {
	equity       float64 `doc:"probability that the card wins minus the probability that it loses, with all unseen cards equally likely"`
	equityStake  float64 "doc:\"`equity` times the chips that the player has put in\""
	stake        float64 `doc:"the chips that the player has put in"`
	call         float64 `doc:"chips to call"`
	equityCall   float64 "doc:\"`equity` times `call`\""
	ahead        float64 `doc:"chips that the other player has to call"`
	equityAhead  float64 "doc:\"`equity` times `ahead`\""
	pair         float64 `doc:"1 if the card makes a pair with the public card"`
	pairStake    float64 "doc:\"`pair` times the chips that the player has put in\""
	equitySecond float64 "doc:\"`equity` times the chips that the player has put in, in the second round\""
	tempo        float64 `doc:"1 if the player is to move"`
	equityTempo  float64 "doc:\"`equity` times `tempo`\""
}

var leducHand = features.Terms[leducView]{
	Name:    "leduc/hand",
	Prepare: (*leducView).prepare,
	Values:  features.Numbers[float64, leducView],
	List:    features.Fields[leducView](leducView{}),
}

func (v *leducView) prepare(st game.State, p game.Player) {
	s := st.(*board.Leduc)
	mine, theirs := s.Paid(p), s.Paid(1-p)
	*v = leducView{stake: float64(mine), call: float64(max(0, theirs-mine)), ahead: float64(max(0, mine-theirs)), tempo: features.Truth(s.Turn() == p)}
	own, table := s.Rank(p), s.Table()
	if own < 0 {
		return
	}
	v.equity, v.pair = equity(own, table), features.Truth(own == table)
	v.equityStake, v.pairStake = v.equity*v.stake, v.pair*v.stake
	v.equityCall, v.equityAhead, v.equityTempo = v.equity*v.call, v.equity*v.ahead, v.equity*v.tempo
	if table >= 0 {
		v.equitySecond = v.equityStake
	}
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
