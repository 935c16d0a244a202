// Package chess evaluates chess with three feature sets: chess/classic, what players and books
// count, chess/material, pieces alone, and chess/wide, which adds what only many games can weigh.
// All weights are linear between the full board and the bare ending.
package chess

import (
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/chess"
	"plyfit/models"
)

// phases is at how many points of the game a term has a weight of its own: with
// all pieces on the board (name@0) and with none but kings and pawns (name@1).
const phases = 2

// full is the phase's measure of all pieces: a knight or bishop 1, a rook 2, a queen 4.
const full = 24

// army is one player's pieces, turned round so that his pawns move up the board:
// white's as they stand, black's from the other side.
type army struct {
	pawns, knights, bishops, rooks, queens, king uint64
	all                                          uint64
}

// read fills a in with p's pieces as white sees them.
func (a *army) read(s *rules.State, p game.Player) {
	n := s.Army(p)
	a.pawns, a.knights, a.bishops, a.rooks = n[rules.Pawn], n[rules.Knight], n[rules.Bishop], n[rules.Rook]
	a.queens, a.king, a.all = n[rules.Queen], n[rules.King], n[rules.NoPiece]
}

// turn makes a what b is, seen from the other side of the board.
func (a *army) turn(b *army) {
	a.pawns, a.knights, a.bishops, a.rooks = turn(b.pawns), turn(b.knights), turn(b.bishops), turn(b.rooks)
	a.queens, a.king, a.all = turn(b.queens), turn(b.king), turn(b.all)
}

// turn is b seen from the other side of the board.
func turn(b uint64) uint64 { return bits.ReverseBytes64(b) }

func count(b uint64) int { return bits.OnesCount64(b) }

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// strength is what the phase is measured by.
func (a *army) strength() int {
	return count(a.knights|a.bishops) + 2*count(a.rooks) + 4*count(a.queens)
}

var phaseAt = func() (at [full + 1]features.Phase) {
	for gone := range at {
		at[gone] = features.PhaseAt(float64(gone)/full, phases)
	}
	return at
}()

const lightSquares uint64 = 0x55aa55aa55aa55aa

// material is the set chess/material: the player's pieces less the other's, and 1
// for two bishops of different colours; twelve weights.
var material = features.Terms[position]{
	Name:          "chess/material",
	Antisymmetric: true,
	Prepare: func(b *position, s game.State, p game.Player) {
		b.place(rules.Of(s), p)
		b.us.army.material(&b.us.n)
		b.them.army.material(&b.them.n)
	},
	Append: func(b *position, x models.Vector) models.Vector { return b.differences(materialTerms, x) },
	Phases: phases,
	Phase:  func(b *position) features.Phase { return b.phase },
	List:   classicTerms[:materialTerms],
}

// material counts the terms of chess/material.
func (a *army) material(n *counts) {
	n.pawn, n.knight, n.bishop = count(a.pawns), count(a.knights), count(a.bishops)
	n.rook, n.queen = count(a.rooks), count(a.queens)
	n.bishopPair = one(a.bishops&lightSquares != 0 && a.bishops&^lightSquares != 0)
}

// Profile describes the game besides its rules.
//
// It learns in rounds (docs/results/chess.md): each adds its games to the weights of the round
// before, which are its prior, so that values travel from the ends of games, all that the first
// round knows, to their beginnings. Early rounds look one decision ahead: they cost a fifth, and
// teach the main weights. Later ones draw the depth of each decision: learning two decisions ahead
// alone, with the opponent's answer always seen, loses one decision ahead and at equal nodes. They
// also weigh the many small terms of wide, which are worth more in play than any other setting.
// Thirty steps of L-BFGS from the prior take half the time of Newton's method over so many
// features. With slips a move and its reply are a thousand pairs: nature's moves are drawn.
var Profile = features.Profile{
	Sets:   func(*game.Game) []features.Set { return []features.Set{classic.Set(), material.Set(), wide.Set()} },
	Levels: features.Levels{Options: "quiescence=on,prune=selective", Nodes: 300_000, Browser: 60_000},
	Recipe: features.Recipe{
		Why:    "each round adds to what the rounds before it saw",
		Rounds: 13, Episodes: 6000, EarlyRounds: 7, EarlyEpisodes: 4000, LateSet: "chess/wide", Improvements: 1,
		Method: "lbfgs", Steps: 30,
		First:   "alphabeta:depth=1,quiescence=on,ties=random,eval=zero",
		Early:   "alphabeta:depth=1,quiescence=on",
		Planner: "mix(0.6*(alphabeta:depth=1,quiescence=on),0.4*(alphabeta:depth=2,quiescence=on))",
		Explore: 0.01, Returns: 0.9, Penalty: 0.03, Chain: true, Quiet: true,
		Planners: []string{"alphabeta:depth=1,quiescence=on", "alphabeta:depth=2,quiescence=on", "alphabeta:nodes=1000,quiescence=on"}, Pairs: 200,
		Minimax: "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2,samples=3", TwinPairs: 10,
	},
}
