// Package features defines the features of nim: the number of stones and its remainder modulo 4.
package features

import (
	"nim/rules"

	"plyfit/features"
	"plyfit/game"
)

// Profile contains the feature sets of nim for the catalog.
var Profile = features.Profile{Sets: func(*game.Game) []features.Set { return []features.Set{remainders.Set()} }}

// A heap is a position from a player's point of view.
type heap struct {
	stones int
	sign   float64 // 1 if it is the player's turn, otherwise -1
}

// rest returns the player's sign if the number of stones is n modulo 4, and 0 otherwise.
func (h *heap) rest(n int) float64 {
	if h.stones%4 != n {
		return 0
	}
	return h.sign
}

var remainders = features.Terms[heap]{
	Name: "nim/remainders", Antisymmetric: true,
	View: game.State.Turn,
	Prepare: func(h *heap, s game.State, p game.Player) {
		*h = heap{stones: s.(*rules.State).Stones, sign: 1}
		if s.Turn() != p {
			h.sign = -1
		}
	},
	List: []features.Term[heap]{
		{Name: "stones modulo 4[0]", Doc: "none left over", Value: func(h *heap) float64 { return h.rest(0) }},
		{Name: "stones modulo 4[1]", Doc: "one left over", Value: func(h *heap) float64 { return h.rest(1) }},
		{Name: "stones modulo 4[2]", Doc: "two left over", Value: func(h *heap) float64 { return h.rest(2) }},
		{Name: "stones modulo 4[3]", Doc: "three left over", Value: func(h *heap) float64 { return h.rest(3) }},
		{Name: "stones", Doc: "all of them, by 21", Value: func(h *heap) float64 { return h.sign * float64(h.stones) / 21 }},
	},
}
