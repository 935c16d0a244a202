// Package othello provides four feature sets for othello: the quantities that players count, the
// places of discs, pairs of neighbouring squares, and the shapes of edges, corners and lines.
//
// All sets encode a position from one player's point of view. Othello is a zero-sum game, so the
// weights do not depend on the colour.
package othello

import (
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/othello"
	"plyfit/models"
)

var symmetries = game.Symmetries(8, 8)

// digits contains the symbols of a cell in the names of weights: empty, the player's disc, and the
// other player's disc.
const digits = ".+-"

func count(b uint64) int { return bits.OnesCount64(b) }

type position struct {
	features.Outline
	kinds []uint64 // squares of each kind
}

// newPosition returns the set othello/position. It has a weight for each of the ten kinds of
// squares under the symmetries of the board. Each kind is named after its square nearest to a1. A
// term is the difference between the player's and the other player's number of discs. The shipped
// model handwritten/othello-swh.json contains the standard weights known as SWH, which Lucas and
// Runarsson 2006 and many later papers use as a benchmark.
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
		if n := count(own&kind) - count(opp&kind); n != 0 {
			x = append(x, models.Term{Index: int32(i), Value: float32(n)})
		}
	}
	return x
}

// seen returns the discs from the given player's point of view.
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
	first int32 // index of the first feature of its table
}

// newTuples returns the set othello/2-tuples. It has a weight for every filling of every pair of
// squares that are adjacent in a row, a column or a diagonal. Symmetric pairs share a table. The
// set has 32 tables of nine weights each, 288 weights in all (Jaskowski 2014, "Systematic n-tuple
// networks for Othello position evaluation").
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
	// This loop replaces Patterns.Extract and avoids an inner loop over the two cells.
	for _, p := range t.pairs {
		x = append(x, models.Term{Index: p.first + int32(3*board[p.a&63]+board[p.b&63]), Value: 1})
	}
	return x
}

// Profile describes the game to the catalog.
var Profile = features.Profile{
	Sets: func(*game.Game) []features.Set {
		return []features.Set{classic.Set(), newPatterns(), newTuples(), newPosition()}
	},
	Levels: features.Levels{Options: "prune=selective", Nodes: 300_000},
	Recipe: features.Recipe{
		Why:      "patterns can represent more than counts can, but need more games than a regression can hold in memory",
		Training: []features.Training{{Set: "othello/patterns", Episodes: 80000, Alpha: 0.5, Lambda: 0.9, TC: true, Wins: 0.8, Openings: 4, OnPolicy: true}},
		Frozen:   map[string]float64{wipeOut: 1}, // value of a won game
		Minimax:  "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2", TwinPairs: 100,
	},
}

type patternSet struct {
	features.Outline
	patterns *features.Patterns
}

// newPatterns returns the set othello/patterns. It has a weight for every filling of the edges with
// their X squares, of the 3x3 and 2x5 squares at the corners, of the inner rows and columns, and of
// the diagonals of at least four squares. Symmetric patterns share a table. These are the shapes of
// Buro's Logistello (1997). The set also contains mobility, parity and tempo by phase, as in
// othello/classic, because no pattern covers them.
//
// The term wipe-out is 1 if the side to move can flip the other player's last disc. It matters
// against opponents that aim for few discs. No pattern covers all discs, and self-play reaches such
// positions too rarely for the patterns to learn their value.
func newPatterns() features.Set {
	p := &patternSet{Outline: features.Outline{Called: "othello/patterns"}}
	for _, name := range patternTerms {
		p.Add(features.Phased(name, phases))
	}
	shapes := []features.Pattern{
		shape("edge", 0, 1, 2, 3, 4, 5, 6, 7, 9, 14),
		shape("corner3x3", 0, 1, 2, 8, 9, 10, 16, 17, 18),
		shape("corner2x5", 0, 1, 2, 3, 4, 8, 9, 10, 11, 12),
		shape("line2", 8, 9, 10, 11, 12, 13, 14, 15),
		shape("line3", 16, 17, 18, 19, 20, 21, 22, 23),
		shape("line4", 24, 25, 26, 27, 28, 29, 30, 31),
		shape("diagonal8", 0, 9, 18, 27, 36, 45, 54, 63),
		shape("diagonal7", 1, 10, 19, 28, 37, 46, 55),
		shape("diagonal6", 2, 11, 20, 29, 38, 47),
		shape("diagonal5", 3, 12, 21, 30, 39),
		shape("diagonal4", 4, 13, 22, 31),
	}
	p.Add(features.Block{Name: wipeOut, Len: 1})
	p.patterns = features.NewPatterns(len(patternTerms)*phases+1, 64, shapes...)
	p.Add(p.patterns.Blocks()...)
	return p
}

var patternTerms = [3]string{"mobility", "parity", "tempo"}

const wipeOut = "wipe-out"

func shape(name string, cells ...int) features.Pattern {
	return features.Pattern{Name: name, Cells: features.Orbit(cells, symmetries), Base: 3, Symbols: digits, Table: true}
}

func (p *patternSet) Shapes() []features.Shape { return p.patterns.Shapes(8, 8, legend) }

// legend describes the digits.
const legend = "+ own disc, - opponent's disc, . empty square"

func (p *patternSet) Extract(s game.State, who game.Player, x models.Vector) models.Vector {
	own, opp, moves, replies := rules.Of(s).Viewed(who)
	turn := float32(1)
	if s.Turn() != who {
		turn = -1
	}
	empties := 64 - count(own|opp)
	phase := phaseAt[empties]
	x = phase.Append(x, 0, float32(count(moves)-count(replies)))
	x = phase.Append(x, phases, turn*float32(2*(empties&1)-1))
	x = phase.Append(x, 2*phases, turn)
	if rules.Of(s).Sweeps() {
		x = append(x, models.Term{Index: 3 * phases, Value: turn})
	}
	var board [64]uint8
	rules.Of(s).Fill(who, board[:])
	return p.patterns.Extract(board[:], x)
}
