// Package backgammon says what is good in backgammon.
//
// The journey: [Sets] has backgammon/rich, what players count, apart for contact
// and race (terms.go, shots.go); backgammon/pubeval and backgammon/raw, which
// are the checkers on each point coded as in the literature (inputs.go);
// backgammon/full, both the terms and the checkers (full.go);
// backgammon/raw-phases and backgammon/full-phases, the checkers counted anew in
// each phase of the game (phases.go);
// [Pubeval] is the yardstick player of that name.
package backgammon

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/models"
)

// Sets are the feature sets of backgammon, the default first.
func Sets(*game.Game) []features.Set {
	return []features.Set{Rich(), PubevalInputs(), Raw(), Full(), RawPhases(), FullPhases()}
}

// eyes is the View of all sets.
type eyes struct{}

// View implements features.Set: the one to move; while dice roll, the one who
// has just moved.
func (eyes) View(s game.State) game.Player {
	b := board.Of(s)
	if b.Turn() == game.Chance {
		return 1 - b.Player()
	}
	return b.Player()
}

// rich is the set of [Rich].
type rich struct{ eyes }

// Rich is the set backgammon/rich. What one player has is as bad for the other,
// so all terms are the differences of what the two have, and whose turn it is
// counts as something that he has.
func Rich() features.Set { return rich{} }

var _ features.Compiler = rich{}

func (rich) Name() string { return "backgammon/rich" }

func (rich) Blocks() []features.Block {
	blocks := make([]features.Block, size)
	for i := range blocks {
		blocks[i] = features.Block{Name: names[i], Len: 1}
	}
	return blocks
}

func (rich) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	var v [size]float64
	measure(board.Of(s), p, &v)
	for i, value := range v {
		if value := float32(value); value != 0 {
			x = append(x, models.Term{Index: int32(i), Value: value})
		}
	}
	return x
}

// Compile implements [features.Compiler]: the terms times their weights, without
// a vector between.
func (rich) Compile(_ *game.Game, m *models.Linear) features.Sum {
	sum := &sum{bias: m.Bias}
	copy(sum.weights[:], m.Weights)
	return sum
}

type sum struct {
	weights [size]float64
	bias    float64
}

// Sum implements [features.Sum]: player 0's.
func (m *sum) Sum(s game.State, _ game.Player) float64 {
	var v [size]float64
	measure(board.Of(s), 0, &v)
	z := m.bias
	for i, w := range m.weights {
		z += float64(w * float64(float32(v[i]))) // as Extract rounds it
	}
	return z
}
