// Package gogame provides two feature sets for go. The set go/classic contains the quantities that
// players count, and go/shapes contains local shapes. Both encode a position from one player's
// point of view.
package gogame

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/gogame"
)

// terms contains the terms of go/classic, in order.
type terms struct {
	stones       float64 `doc:"stones"`
	chains       float64 `doc:"chains of connected stones"`
	liberties    float64 `doc:"liberties of all chains, at most four for each"`
	twoLiberties float64 `doc:"stones in chains with two liberties"`
	inAtari      float64 `doc:"stones in chains with one liberty (in atari)"`
	enclosed     float64 `name:"eyes" doc:"empty points with friendly stones on all adjacent points"`
	area         float64 `doc:"empty points that are nearer to friendly stones than to enemy stones, measured along empty points"`
	counted      float64 `doc:"score without komi if both players passed"`
	height       float64 `doc:"number of lines between a stone and the edge, at most two"`
	komi         float64 `doc:"komi, which is added for White and subtracted for Black"`
	tempo        float64 `doc:"1 for the side to move"`
	passed       float64 `doc:"1 for the side to move after a pass, because another pass ends the game"`
}

// newClassic returns the set go/classic for any board size. Its counts are the difference between
// the player's count and the other player's.
func newClassic() features.Set {
	return features.Terms[count]{
		Name:          "go/classic",
		Antisymmetric: true,
		Prepare:       func(v *count, s game.State, p game.Player) { v.take(board.Of(s), p) },
		Values:        func(v *count) []float64 { return features.Numbers[float64](&v.values) },
		List:          features.Fields[count](terms{}),
	}.Set()
}

// A count contains the terms of a position and the buffers to compute them.
type count struct {
	values terms
	cells  [points]uint8
	led    [points]bool  // whether the chain with this lead stone has been counted
	near   [points]uint8 // owners of the nearest stones: bit 0 is the player, and bit 1 the other player
	dist   [points]int16
	queue  [points]int16
	around [4]int
}

func (v *count) take(s *board.State, p game.Player) {
	n := s.Size()
	all := n * n
	v.values = terms{}
	s.Fill(p, v.cells[:all])
	clear(v.led[:all])
	for at, c := range v.cells[:all] {
		if c == 0 {
			v.enclose(at, n)
			continue
		}
		sign := 1.0
		if c == 2 {
			sign = -1
		}
		v.values.stones += sign
		v.values.height += float64(sign * float64(min(at/n, at%n, n-1-at/n, n-1-at%n, 2)))
		free, lead := s.Liberties(at)
		if !v.led[lead] {
			v.led[lead] = true
			v.values.chains += sign
			v.values.liberties += float64(sign * float64(min(4, free)))
		}
		switch free {
		case 1:
			v.values.inAtari += sign
		case 2:
			v.values.twoLiberties += sign
		}
	}
	v.area(n)
	sign := 1.0
	if p > 0 {
		sign = -1
	}
	v.values.counted = float64(sign * (s.Score() + s.Komi()))
	v.values.komi = float64(-sign * s.Komi())
	v.values.tempo = -1
	if s.Turn() == p {
		v.values.tempo = 1
	}
	if s.Passed() {
		v.values.passed = v.values.tempo
	}
}

// enclose counts an empty point if all adjacent points have stones of the same side.
func (v *count) enclose(at, n int) {
	around := beside(at, n, v.around[:0])
	first := v.cells[around[0]]
	for _, q := range around {
		if v.cells[q] != first {
			return
		}
	}
	switch first {
	case 1:
		v.values.enclosed++
	case 2:
		v.values.enclosed--
	}
}

// area counts the empty points that are nearer to one side's stones than to the other's, along
// paths over empty points. It visits the points in order of their distance from both sides' stones.
func (v *count) area(n int) {
	head, tail := 0, 0
	for at, c := range v.cells[:n*n] {
		v.near[at], v.dist[at] = c, -1
		if c != 0 {
			v.dist[at] = 0
			v.queue[tail] = int16(at)
			tail++
		}
	}
	for ; head < tail; head++ {
		at := int(v.queue[head])
		for _, q := range beside(at, n, v.around[:0]) {
			switch {
			case v.dist[q] < 0:
				v.dist[q], v.near[q] = v.dist[at]+1, v.near[at]
				v.queue[tail] = int16(q)
				tail++
			case v.dist[q] == v.dist[at]+1:
				v.near[q] |= v.near[at]
			}
		}
	}
	for at, c := range v.cells[:n*n] {
		if c != 0 {
			continue
		}
		switch v.near[at] {
		case 1:
			v.values.area++
		case 2:
			v.values.area--
		}
	}
}

// points is the number of points of the largest board.
const points = 19 * 19

// beside appends the indices of the points adjacent to a point on a board with n points per side.
func beside(at, n int, dst []int) []int {
	if at >= n {
		dst = append(dst, at-n)
	}
	if at%n > 0 {
		dst = append(dst, at-1)
	}
	if at%n < n-1 {
		dst = append(dst, at+1)
	}
	if at < n*(n-1) {
		dst = append(dst, at+n)
	}
	return dst
}

// Profile describes the game to the catalog.
var Profile = features.Profile{
	Sets: func(g *game.Game) []features.Set {
		return []features.Set{newClassic(), newShapes(board.Of(game.Base(g.New())).Size())}
	},
	Depth:  1,
	Levels: features.Levels{Depth: 2},
	Recipe: features.Recipe{
		Why:      "local shapes can represent more than counts can, but need more games than a regression can hold in memory",
		Training: []features.Training{{Set: "go/shapes", Episodes: 12000, Alpha: 1, Lambda: 0.7, TC: true, Epsilon: 0.05, Openings: 4}},
		Minimax:  "alphabeta:depth=1,assume=base", Expectimax: "expectimax:depth=1", Planners: []string{"alphabeta:depth=1"}, TwinPlanners: []string{"expectimax:depth=1"}, Pairs: 200, TwinPairs: 50,
	},
}
