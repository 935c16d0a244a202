package backgammon

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/models"
)

// A checker on a point has a different value in a race, behind an anchor, or facing one to pass.
// Phases keep these apart: a position is in one, and only its inputs are not 0.
var phaseNames = [...]string{"race", "clear", "chased", "behind", "mutual"}

// phase is that of p. Contact has four kinds, by who still has checkers on the bar or in the
// other's home board: neither (clear), the other alone (chased by p), p alone (behind), both
// (mutual).
func phase(b *board.State, p game.Player) int {
	if b.Race() {
		return 0
	}
	return 1 + 2*back(b, p) + back(b, 1-p)
}

// back is 1 where p has a checker on the bar or in the other's home board.
func back(b *board.State, p game.Player) int {
	if one, _ := b.Occupied(p); one>>19 != 0 {
		return 1
	}
	return 0
}

// phasedBlocks are the terms of rich, then the inputs that count checkers, once for
// each phase: 1,035 in all.
func phasedBlocks() []features.Block {
	blocks := rich.Set().Blocks()
	for _, name := range phaseNames {
		blocks = append(blocks, checkerBlocks(name+"-")...)
	}
	return blocks
}

// appendPhased appends them as p sees them.
func appendPhased(st game.State, p game.Player, x models.Vector) models.Vector {
	b := board.Of(st)
	var v values
	v.measure(b, p)
	terms := features.Numbers[float64](&v)
	x = features.AppendValues(x, terms)
	return appendCheckers(b, p, int32(len(terms)+phase(b, p)*perTurn), x)
}
