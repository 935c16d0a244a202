package backgammon

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/models"
)

// A checker on a point means one thing to who is racing, another to who holds an
// anchor, a third to who tries to get past one. The phases of [RawPhases] and
// [FullPhases] keep that apart: a position is in one of them, and only the inputs
// of that one are not 0. phaseNames are those of the former, then those of the
// latter.
var phaseNames = [2][]string{
	{"race", "contact"},
	{"race", "clear", "chased", "behind", "mutual"},
}

// phase is where p stands among two phases or five. Of contact there are four
// kinds, by who still has checkers on the bar or in the other's home board:
// nobody (clear), the other alone (chased by p), p alone (behind), both (mutual).
func phase(b *board.State, p game.Player, five bool) int {
	switch {
	case b.Race():
		return 0
	case !five:
		return 1
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

// phased is the inputs of Raw, once for each phase; before them the terms of
// Rich, if full.
type phased struct {
	mover
	full bool
}

// RawPhases is the set backgammon/raw-phases: the inputs of [Raw] once for
// positions with contact and once for races, as pubeval has its own, 392 in all.
func RawPhases() features.Set { return phased{} }

// FullPhases is the set backgammon/full-phases: the terms of [Rich], then the
// inputs of [Raw] once for races and once for each of four kinds of contact, by
// who still has checkers back: 1,035 in all.
func FullPhases() features.Set { return phased{full: true} }

func (s phased) Name() string {
	if s.full {
		return "backgammon/full-phases"
	}
	return "backgammon/raw-phases"
}

func (s phased) names() []string {
	if s.full {
		return phaseNames[1]
	}
	return phaseNames[0]
}

func (s phased) Blocks() (blocks []features.Block) {
	if s.full {
		blocks = Rich().Blocks()
	}
	for _, name := range s.names() {
		for _, b := range (raw{}).Blocks() {
			blocks = append(blocks, features.Block{Name: name + "-" + b.Name, Len: b.Len, Label: func(i int) string {
				return name + "-" + b.FeatureName(i)
			}})
		}
	}
	return blocks
}

func (s phased) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	first := 0
	if s.full {
		x, first = appendRich(st, p, x), size
	}
	first += phase(board.Of(st), p, s.full) * 2 * perSide
	from := len(x)
	x = raw{}.Extract(st, p, x)
	for i := from; i < len(x); i++ {
		x[i].Index += int32(first)
	}
	return x
}
