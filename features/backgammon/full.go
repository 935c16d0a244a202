package backgammon

import (
	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// full is the set of [Full].
type full struct{ mover }

// Full is the set backgammon/full: the terms of [Rich], then the inputs of
// [Raw]: too many weights for a hand, and what a learner makes the most of.
func Full() features.Set { return full{} }

func (full) Name() string { return "backgammon/full" }

func (full) Blocks() []features.Block {
	return append(Rich().Blocks(), raw{}.Blocks()...)
}

func (full) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	x = appendRich(s, p, x)
	from := len(x)
	x = raw{}.Extract(s, p, x)
	for i := from; i < len(x); i++ {
		x[i].Index += size
	}
	return x
}
