package othello

import (
	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/othello"
	"plyfit/models"
)

// phases is the number of points in the game at which a term of othello/classic has its own weight:
// 4, 24, 44 and 64 discs.
const phases = 4

// terms contains the terms of othello/classic, in order.
type terms struct {
	discs       int `doc:"discs"`
	mobility    int `doc:"legal moves that the player would have if it were that player's turn"`
	potential   int `doc:"empty squares adjacent to enemy discs, which can later become moves"`
	frontier    int `doc:"the player's discs adjacent to empty squares, which the opponent can later turn"`
	corners     int `doc:"corners"`
	cornerMoves int `doc:"legal moves into corners"`
	xSquares    int `group:"x-and-c-squares" doc:"discs diagonally adjacent to an empty corner"`
	cSquares    int `group:"x-and-c-squares" doc:"discs on the edge adjacent to an empty corner"`
	edges       int `doc:"discs on the edges except corners and C squares"`
	stable      int `doc:"discs that can never be turned"`
	parity      int `doc:"1 for the side that moves last if neither side passes"`
	tempo       int `doc:"1 for the side to move"`
}

const edgeSquares = 0x3c0081818181003c // edge squares except corners and C squares

// A corner contains the bits of a corner square, its X square and its C squares.
type corner struct{ at, x, c uint64 }

var cornerSet = [4]corner{
	{1, 1 << 9, 1<<1 | 1<<8},
	{1 << 7, 1 << 14, 1<<6 | 1<<15},
	{1 << 56, 1 << 49, 1<<48 | 1<<57},
	{1 << 63, 1 << 54, 1<<55 | 1<<62},
}

const allCorners = 1 | 1<<7 | 1<<56 | 1<<63

// classic is the set othello/classic. It contains the quantities that players count. Each term has
// a weight that is linear between four phases (name@0 at 4 discs to name@3 at 64 discs). A term is
// the difference between the player's count and the other player's.
//
// Sources: Rosenbloom 1982 (Iago), Lee and Mahajan 1990 (Bill), Brian Rose's Othello: A Minute to
// Learn, a Lifetime to Master.
var classic = features.Terms[counts]{
	Name:          "othello/classic",
	Antisymmetric: true,
	Prepare:       func(n *counts, s game.State, p game.Player) { n.measure(rules.Of(s), p) },
	Use:           (*counts).use,
	Append:        (*counts).append,
	Phases:        phases,
	Phase:         func(n *counts) features.Phase { return n.phase },
	List:          features.Fields[counts](terms{}),
}

type counts struct {
	phase features.Phase
	of    terms

	noPotential, noFrontier, noPlaces, noStable bool // terms that an evaluator need not compute
}

func (n *counts) use(used map[string]bool) {
	n.noPotential, n.noFrontier, n.noPlaces, n.noStable = !used["potential"], !used["frontier"], !used["x-and-c-squares"], !used["stable"]
}

func (n *counts) append(x models.Vector) models.Vector {
	return n.phase.AppendCounts(x, phases, features.Numbers[int](&n.of), nil)
}

func (n *counts) measure(o *rules.State, p game.Player) {
	own, opp, moves, replies := o.Viewed(p)
	v := &n.of
	v.discs = count(own) - count(opp)
	v.mobility = count(moves) - count(replies)
	empty := ^(own | opp)
	if !n.noPotential {
		v.potential = count(rules.Adjacent(opp)&empty) - count(rules.Adjacent(own)&empty)
	}
	if !n.noFrontier {
		near := rules.Adjacent(empty)
		v.frontier = count(own&near) - count(opp&near)
	}
	v.corners = count(own&allCorners) - count(opp&allCorners)
	v.cornerMoves = count(moves&allCorners) - count(replies&allCorners)
	if !n.noPlaces {
		var x, c uint64 // X and C squares of empty corners; no two corners share one
		for _, k := range &cornerSet {
			if empty&k.at != 0 {
				x |= k.x
				c |= k.c
			}
		}
		v.xSquares = count(own&x) - count(opp&x)
		v.cSquares = count(own&c) - count(opp&c)
	}
	v.edges = count(own&edgeSquares) - count(opp&edgeSquares)
	if !n.noStable {
		mine, theirs := rules.StableBoth(own, opp)
		v.stable = count(mine) - count(theirs)
	}
	v.tempo = 1
	if o.Turn() != p {
		v.tempo = -1
	}
	empties := count(empty)
	v.parity = v.tempo * (2*(empties&1) - 1)
	n.phase = phaseAt[empties]
}

// phaseAt contains the phase for each number of empty squares.
var phaseAt = makePhases()

func makePhases() (all [65]features.Phase) {
	for empties := range all {
		all[empties] = features.PhaseAt(float64(60-empties)/60, phases)
	}
	return all
}
