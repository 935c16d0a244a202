// Package connect4 says what is good in connect four.
//
// The journey: terms.go counts threats by the parity of their row, lines still
// open, and where the stones lie, all by bit operations on the whole board;
// [Sets] offers them as sets, which compile to a plain sum for playing.
package connect4

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/connect4"
	"plyfit/models"
)

// Sets are the feature sets of connect four, the default first:
// connect4/threats, and connect4/lines, open lines and tempo alone.
func Sets(g *game.Game) []features.Set {
	s := newShape(board.Of(game.Base(g.New())))
	all := make([]int, size)
	for i := range all {
		all[i] = i
	}
	return []features.Set{
		&Set{name: "connect4/threats", shape: s, terms: all},
		&Set{name: "connect4/lines", shape: s, terms: []int{tempo, threes, twos, ones}},
	}
}

// Set is some of the terms, seen by player 0 as they are and by player 1 with
// the opposite sign.
type Set struct {
	name  string
	shape *shape
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

// View implements [features.Set].
func (s *Set) View(st game.State) game.Player {
	if t := st.Turn(); t >= 0 {
		return t
	}
	return game.Player(1 - board.Of(st).Plies()&1)
}

// Extract implements [features.Set].
func (s *Set) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	var v [size]float32
	s.shape.measure(st, &v)
	for i, t := range s.terms {
		switch {
		case v[t] == 0:
		case p == 0:
			x = append(x, models.Term{Index: int32(i), Value: v[t]})
		default:
			x = append(x, models.Term{Index: int32(i), Value: -v[t]})
		}
	}
	return x
}

// Compile implements [features.Compiler].
func (s *Set) Compile(_ *game.Game, m *models.Linear) features.Sum {
	sum := &sum{shape: s.shape, bias: m.Bias}
	for i, t := range s.terms {
		sum.weights[t] = m.Weights[i]
	}
	return sum
}

type sum struct {
	shape   *shape
	weights [size]float64
	bias    float64
}

// Sum implements [features.Sum].
func (m *sum) Sum(st game.State, _ game.Player) float64 {
	var v [size]float32
	m.shape.measure(st, &v)
	z := m.bias
	for i, w := range m.weights {
		z += float64(w * float64(v[i]))
	}
	return z
}
