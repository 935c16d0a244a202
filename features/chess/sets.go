// Package chess provides three feature sets for chess. The set chess/classic contains the
// quantities that players and books count, and chess/material contains only the pieces. The set
// chess/wide adds many small terms to chess/classic. Their weights can be learned only from many
// games. Almost all weights are linear between the full board and an ending with only kings and
// pawns.
package chess

import (
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/chess"
	"plyfit/models"
)

// phases is the number of points in the game at which a term has its own weight: with all pieces on
// the board (name@0) and with only kings and pawns (name@1).
const phases = 2

// full is the strength of all pieces in the initial position (see strength).
const full = 24

// An army contains one player's pieces. The board is oriented so that the player's pawns move up.
// For Black, it is therefore rotated.
type army struct {
	pawns, knights, bishops, rooks, queens, king uint64
	all                                          uint64
}

// read stores p's pieces from White's point of view in a.
func (a *army) read(s *rules.State, p game.Player) {
	n := s.Army(p)
	a.pawns, a.knights, a.bishops, a.rooks = n[rules.Pawn], n[rules.Knight], n[rules.Bishop], n[rules.Rook]
	a.queens, a.king, a.all = n[rules.Queen], n[rules.King], n[rules.NoPiece]
}

// turn stores in a the army b as seen from the other side of the board.
func (a *army) turn(b *army) {
	a.pawns, a.knights, a.bishops, a.rooks = turn(b.pawns), turn(b.knights), turn(b.bishops), turn(b.rooks)
	a.queens, a.king, a.all = turn(b.queens), turn(b.king), turn(b.all)
}

// turn returns b as seen from the other side of the board.
func turn(b uint64) uint64 { return bits.ReverseBytes64(b) }

func count(b uint64) int { return bits.OnesCount64(b) }

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// strength returns an army's contribution to the phase: 1 for each knight or bishop, 2 for each
// rook, and 4 for each queen.
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

// material is the set chess/material. It contains the difference in the number of pieces of each
// kind, and a term for two bishops on squares of different colours. It has twelve weights in total.
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

// material sets the counts of chess/material.
func (a *army) material(n *counts) {
	n.pawn, n.knight, n.bishop = count(a.pawns), count(a.knights), count(a.bishops)
	n.rook, n.queen = count(a.rooks), count(a.queens)
	n.bishopPair = one(a.bishops&lightSquares != 0 && a.bishops&^lightSquares != 0)
}

// Profile describes the game to the catalog.
//
// The recipe learns in rounds (docs/results/chess.md). Each round starts from the weights of the
// previous round, which are the prior of its regression. The first round finds values at the ends
// of games, and later rounds spread them to the beginnings. Early rounds search one decision ahead,
// which takes less time. Later rounds draw the search depth of each decision at random, because
// weights learned only at depth 2 improve only play at depth 2. The later rounds also learn the
// many small terms of chess/wide. With this number of features, thirty steps of L-BFGS from the
// prior take less time than Newton's method. In the game with slips, a move and its reply have
// about a thousand combinations of slips, so the search samples nature's moves.
var Profile = features.Profile{
	Sets:   func(*game.Game) []features.Set { return []features.Set{classic.Set(), material.Set(), wide.Set()} },
	Levels: features.Levels{Options: "quiescence=on,prune=selective", Nodes: 300_000, Browser: 60_000},
	Recipe: features.Recipe{
		Why:    "each round adds its games to those of the earlier rounds",
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
