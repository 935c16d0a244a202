// Package connect4 evaluates connect four.
//
// The journey: terms.go counts threats by the parity of their row, lines still open, and where the
// stones are, all by bit operations on the whole board; [Profile] has the sets, which are summed
// directly for playing.
package connect4

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/connect4"
)

// sets are the feature sets of connect four, the default first: connect4/threats, and
// connect4/lines, open lines and tempo alone, both of terms counted for their owner, so that a good
// thing weighs more than 0 for both and is negative in the other's view; on the usual board without
// a die also connect4/tuples (newTuples) and connect4/full, both together.
func sets(g *game.Game) []features.Set {
	s := newShape(board.Of(game.Base(g.New())))
	threats := features.Terms[values]{
		Name:          "connect4/threats",
		Antisymmetric: true,
		View:          view,
		Prepare:       func(v *values, st game.State, p game.Player) { s.measure(st, v); v.turned(p) },
		Values:        features.Numbers[float64, values],
		List:          features.Fields[values](values{}),
	}
	lines := threats.Only("connect4/lines", "tempo", "threes", "twos", "ones")
	sets := []features.Set{threats.Set(), lines.Set()}
	b := board.Of(game.Base(g.New()))
	if _, dice := game.Base(g.New()).(*board.Dice); !dice && b.Rows() == tupleRows && b.Columns() == tupleColumns {
		sets = append(sets, newTuples(b), newTables("connect4/full", b, s))
	}
	return sets
}

// view is that of all sets: the mover's; while the die rolls, the last mover's.
func view(st game.State) game.Player {
	if t := st.Turn(); t >= 0 {
		return t
	}
	return game.Player(1 - board.Of(st).Plies()&1)
}

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   sets,
	Depth:  6,
	Levels: features.Levels{Depth: 4, Nodes: 1_000_000, Browser: 200_000}, // medium sees that two more stones make an open three
	Recipe: features.Recipe{
		Why:      "tables of eight cells see beyond the terms, which regression has at their ceiling",
		Training: []features.Training{{Set: "connect4/full", Episodes: 150000, Alpha: 1, Lambda: 0.7, TC: true}},
		Rounds:   2, Episodes: 15000, First: "alphabeta:depth=3,eval=zero,ties=random", Planner: "alphabeta:depth=5",
		Openings: 10, Pairs: 400,
	},
}
