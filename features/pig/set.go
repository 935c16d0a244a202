// Package pig says what is good in pig.
//
// The journey: [Sets] has pig/race, in which what counts is how far everyone
// still has to go, how sure that is (race), and what the turn total and the die
// are worth to the roller; race.go works the terms out.
package pig

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/pig"
	"plyfit/models"
)

// Sets are the feature sets of pig, the default first: pig/race, and
// pig/scores, the scores, the turn total and whose turn it is, as they stand.
func Sets(*game.Game) []features.Set {
	all := make([]int, size)
	for i := range all {
		all[i] = i
	}
	return []features.Set{
		&Set{name: "pig/race", terms: all},
		&Set{name: "pig/scores", terms: []int{tempo, lead, turn, rolling}},
	}
}

// Set is some of the terms; they are the same for any target and any number of
// players. Of two players each sees the opposite of what the other sees.
type Set struct {
	name  string
	terms []int
}

var _ features.Compiler = (*Set)(nil)

// Name implements [features.Set].
func (s *Set) Name() string { return s.name }

// Blocks implements [features.Set].
func (s *Set) Blocks() []features.Block {
	blocks := make([]features.Block, len(s.terms))
	for i, t := range s.terms {
		blocks[i] = features.Block{Name: names[t], Len: 1}
	}
	return blocks
}

// View implements [features.Set]: the one whose turn it is, also while the die
// rolls.
func (s *Set) View(st game.State) game.Player { return st.(*board.State).Player() }

// Extract implements [features.Set].
func (s *Set) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	var v [size]float64
	measure(st.(*board.State), p, &v)
	for i, t := range s.terms {
		if value := float32(v[t]); value != 0 {
			x = append(x, models.Term{Index: int32(i), Value: value})
		}
	}
	return x
}

// Compile implements [features.Compiler].
func (s *Set) Compile(_ *game.Game, m *models.Linear) features.Sum {
	sum := &sum{bias: m.Bias}
	for i, t := range s.terms {
		sum.weights[t] = m.Weights[i]
	}
	return sum
}

type sum struct {
	weights [size]float64
	bias    float64
}

// Sum implements [features.Sum]: of two players, player 0's.
func (m *sum) Sum(st game.State, p game.Player) float64 {
	b := st.(*board.State)
	if b.Players() == 2 {
		p = 0
	}
	var v [size]float64
	measure(b, p, &v)
	z := m.bias
	for i, w := range m.weights {
		z += float64(w * float64(float32(v[i]))) // as Extract rounds it
	}
	return z
}
