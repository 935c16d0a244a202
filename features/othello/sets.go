// Package othello evaluates othello with four feature sets: what players count, where
// discs are, pairs of neighbours, and the shapes of edges, corners and lines.
//
// All take a player's view of the position: his discs and the other's. What is good for one is as
// bad for the other, so the weights have no colour.
package othello

import (
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/othello"
	"plyfit/models"
)

var symmetries = game.Symmetries(8, 8)

// digits are what a cell of a pattern holds in the names of weights: nothing, a
// disc of one's own, one of the other's.
const digits = ".+-"

func count(b uint64) int { return bits.OnesCount64(b) }

type position struct {
	features.Outline
	kinds []uint64 // the squares of each
}

// newPosition is the set othello/position: a weight for each of the ten kinds of squares under the
// board's symmetries, named by the one nearest a1. Its terms are the mover's discs less the
// other's. The standard weights known as SWH, the yardstick of Lucas and Runarsson 2006 and many
// after them, are the shipped model handwritten/othello-swh.json.
func newPosition() features.Set {
	p := &position{Outline: features.Outline{Called: "othello/position"}}
	for r := range 4 {
		for c := r; c < 4; c++ {
			kind := uint64(0)
			for _, s := range symmetries {
				kind |= 1 << s[8*r+c]
			}
			p.kinds = append(p.kinds, kind)
			p.Add(features.Block{Name: rules.SquareName(8*r + c), Len: 1})
		}
	}
	return p
}

func (p *position) Extract(s game.State, who game.Player, x models.Vector) models.Vector {
	own, opp := seen(s, who)
	for i, kind := range p.kinds {
		x = difference(x, int32(i), count(own&kind), count(opp&kind))
	}
	return x
}

// difference appends own-opp where it is not 0.
func difference(x models.Vector, index int32, own, opp int) models.Vector {
	if own != opp {
		x = append(x, models.Term{Index: index, Value: float32(own - opp)})
	}
	return x
}

// seen are the discs as who sees them.
func seen(s game.State, who game.Player) (own, opp uint64) {
	own, opp = rules.Of(s).Discs()
	if who > 0 {
		own, opp = opp, own
	}
	return own, opp
}

type tuples struct {
	features.Outline
	patterns *features.Patterns
	pairs    []pair
}

type pair struct {
	a, b  uint8
	first int32 // its table's first feature
}

// newTuples is the set othello/2-tuples: a weight for every filling of every pair of squares that
// touch along a row, a column or a diagonal; symmetric pairs share a table. These are 32 tables of
// nine weights, 288 in all (Jaskowski 2014, "Systematic n-tuple networks for Othello position
// evaluation").
func newTuples() features.Set {
	var all []features.Pattern
	known := map[[2]int]bool{}
	for sq := range 64 {
		for _, step := range [4][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
			r, c := sq/8+step[0], sq%8+step[1]
			if r > 7 || c < 0 || c > 7 || known[[2]int{sq, 8*r + c}] {
				continue
			}
			orbit := features.Orbit([]int{sq, 8*r + c}, symmetries)
			for _, o := range orbit {
				known[[2]int{o[0], o[1]}] = true
				known[[2]int{o[1], o[0]}] = true
			}
			all = append(all, features.Pattern{
				Name: rules.SquareName(sq) + rules.SquareName(8*r+c), Cells: orbit, Base: 3, Symbols: digits,
			})
		}
	}
	t := &tuples{patterns: features.NewPatterns(0, 64, all...)}
	t.Outline = features.Outline{Called: "othello/2-tuples", Columns: t.patterns.Blocks()}
	first := int32(0)
	for _, p := range all {
		for _, o := range p.Cells {
			t.pairs = append(t.pairs, pair{uint8(o[0]), uint8(o[1]), first})
		}
		first += int32(p.Len())
	}
	return t
}

func (t *tuples) Shapes() []features.Shape { return t.patterns.Shapes(8, 8, legend) }

func (t *tuples) Extract(s game.State, who game.Player, x models.Vector) models.Vector {
	var board [64]uint8
	rules.Of(s).Fill(who, board[:])
	// As patterns.Extract has it, with no loop over two cells.
	for _, p := range t.pairs {
		x = append(x, models.Term{Index: p.first + int32(3*board[p.a&63]+board[p.b&63]), Value: 1})
	}
	return x
}

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets: func(*game.Game) []features.Set {
		return []features.Set{classic.Set(), newPatterns(), newTuples(), newPosition()}
	},
	Levels: features.Levels{Options: "prune=selective", Nodes: 300_000},
	Recipe: features.Recipe{
		Why:      "patterns see what counting cannot, and want more games than a fit could hold",
		Training: []features.Training{{Set: "othello/patterns", Episodes: 80000, Alpha: 0.5, Lambda: 0.9, TC: true, Wins: 0.8, Openings: 4, OnPolicy: true}},
		Frozen:   map[string]float64{wipeOut: 1}, // a won game, in the scale of values
		Minimax:  "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2", TwinPairs: 100,
	},
}
