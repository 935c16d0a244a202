// Package connect4 says what is good in connect four.
//
// The journey: terms.go counts threats by the parity of their row, lines still
// open, and where the stones lie, all by bit operations on the whole board;
// [Sets] offers them as sets, which are summed up directly for playing.
package connect4

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/connect4"
	"plyfit/models"
)

// Sets are the feature sets of connect four, the default first:
// connect4/threats, and connect4/lines, open lines and tempo alone, both of terms that
// are counted for their owner, so that a good thing weighs more than 0 for both: in the
// other's view it is negative; on the usual board without a die [Tuples] and [Full], too.
func Sets(g *game.Game) []features.Set {
	s := newShape(board.Of(game.Base(g.New())))
	threats := features.Terms[values]{
		Name:          "connect4/threats",
		Antisymmetric: true,
		View:          view,
		Prepare:       func(v *values, st game.State, p game.Player) { s.measure(st, v); v.turned(p) },
		Values:        func(v *values) []float64 { return v[:] },
		Walk: func(v *values, st game.State, p game.Player, x models.Vector) models.Vector {
			var own values
			v = features.Scratch(v, &own)
			s.measure(st, v)
			v.turned(p)
			return features.AppendValues(x, v[:])
		},
		Direct: true,
		Whole:  true,
		List:   list[:],
	}
	sets := []features.Set{threats.Set(), threats.Pick("connect4/lines", "tempo", "threes", "twos", "ones").Set()}
	b := board.Of(game.Base(g.New()))
	if _, dice := game.Base(g.New()).(*board.Dice); !dice && b.Rows() == tupleRows && b.Columns() == tupleColumns {
		sets = append(sets, Tuples(), Full(sets[0]))
	}
	return sets
}

// view is that of all sets: the mover's; while the die rolls, that of who has just
// moved.
func view(st game.State) game.Player {
	if t := st.Turn(); t >= 0 {
		return t
	}
	return game.Player(1 - board.Of(st).Plies()&1)
}
