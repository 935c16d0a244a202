package othello

import (
	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/othello"
	"plyfit/models"
)

// phases is at how many points of the game a classic term has a weight of its
// own: 4, 24, 44 and 64 discs.
const phases = 4

// The terms of [Classic], in their order.
const (
	discs int32 = iota
	mobility
	potential
	frontier
	corners
	cornerMoves
	xSquares
	cSquares
	edges
	stable
	parity
	tempo
	terms
)

var termNames = [terms]string{
	discs:       "discs",
	mobility:    "mobility",
	potential:   "potential",
	frontier:    "frontier",
	corners:     "corners",
	cornerMoves: "corner-moves",
	xSquares:    "x-squares",
	cSquares:    "c-squares",
	edges:       "edges",
	stable:      "stable",
	parity:      "parity",
	tempo:       "tempo",
}

const (
	fileA       = 0x0101010101010101
	fileH       = fileA << 7
	edgeSquares = 0x3c0081818181003c // without corners and C squares
)

// corner is a corner and what depends on it.
type corner struct{ at, x, c uint64 }

var cornerSet = [4]corner{
	{1, 1 << 9, 1<<1 | 1<<8},
	{1 << 7, 1 << 14, 1<<6 | 1<<15},
	{1 << 56, 1 << 49, 1<<48 | 1<<57},
	{1 << 63, 1 << 54, 1<<55 | 1<<62},
}

const allCorners = 1 | 1<<7 | 1<<56 | 1<<63

// classic is the set of [Classic].
type classic struct {
	mover
	blocks []features.Block
}

// Classic is the set othello/classic: what players count, each term at four
// phases of the game between which its weight runs in straight lines (name@0 at
// 4 discs to name@3 at 64). A term is the mover's count less the other's:
//
//	discs         discs
//	mobility      legal moves, were it his turn
//	potential     empty squares beside the other's discs
//	frontier      own discs beside an empty square
//	corners       corners
//	corner-moves  legal moves into corners
//	x-squares     discs diagonally beside an empty corner
//	c-squares     discs beside an empty corner on the edge
//	edges         discs on the edge, but corners and C squares
//	stable        discs that can never be turned (game/othello's Stable)
//	parity        1 for who moves last if nobody passes
//	tempo         1 for who is to move
//
// Sources: Rosenbloom 1982 (Iago), Lee and Mahajan 1990 (Bill), Brian Rose's
// Othello: A Minute to Learn, a Lifetime to Master.
func Classic() features.Set {
	c := &classic{}
	for _, name := range termNames {
		c.blocks = append(c.blocks, features.Phased(name, phases))
	}
	return c
}

func (c *classic) Name() string             { return "othello/classic" }
func (c *classic) Blocks() []features.Block { return c.blocks }

func (c *classic) Extract(s game.State, who game.Player, x models.Vector) models.Vector {
	var v [terms]int
	phase := counts(rules.Of(s), who, &v)
	for i, value := range v {
		if value != 0 {
			x = phase.Append(x, int32(i)*phases, float32(value))
		}
	}
	return x
}

// counts fills in the terms as who sees them, and tells the phase.
func counts(o *rules.State, who game.Player, v *[terms]int) features.Phase {
	own, opp, moves, replies := o.Seen(who)
	v[discs] = count(own) - count(opp)
	v[mobility] = count(moves) - count(replies)
	empty := ^(own | opp)
	v[potential] = count(beside(opp)&empty) - count(beside(own)&empty)
	near := beside(empty)
	v[frontier] = count(own&near) - count(opp&near)
	v[corners] = count(own&allCorners) - count(opp&allCorners)
	v[cornerMoves] = count(moves&allCorners) - count(replies&allCorners)
	for _, k := range &cornerSet {
		if empty&k.at != 0 {
			v[xSquares] += count(own&k.x) - count(opp&k.x)
			v[cSquares] += count(own&k.c) - count(opp&k.c)
		}
	}
	v[edges] = count(own&edgeSquares) - count(opp&edgeSquares)
	mine, theirs := rules.StableBoth(own, opp)
	v[stable] = count(mine) - count(theirs)
	v[tempo] = 1
	if o.Turn() != who {
		v[tempo] = -1
	}
	empties := count(empty)
	v[parity] = v[tempo] * (2*(empties&1) - 1)
	return phaseAt[empties]
}

// phaseAt is the phase with so many squares empty.
var phaseAt = makePhases()

func makePhases() (all [65]features.Phase) {
	for empties := range all {
		all[empties] = features.PhaseAt(float64(60-empties)/60, phases)
	}
	return all
}

// beside is the set of squares that touch one of b's.
func beside(b uint64) uint64 {
	row := b | b<<1&^fileA | b>>1&^fileH
	return row | row<<8 | row>>8
}
