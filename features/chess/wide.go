package chess

import (
	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// wide is the set of [Wide].
type wide struct {
	mover
	blocks []features.Block
}

// Wide is the set chess/wide: the terms of [Classic], by the same names, and what
// human games say besides, all at the two phases of [Classic]. The first come from
// the lead, the player's pieces and pawns less the other's in the usual points (1,
// 3, 3, 5, 9); ahead is 1 or -1 for who leads, 0 for nobody:
//
//	lead-1 ... lead-9    the lead, cut off at 1, 2, 3, 4, 6 and 9 points
//	lead-pawns, lead-own-pawns  times all pawns, those of who leads
//	ahead-pawns, ahead-own-pawns  ahead times the same
//	lead-opposite, lead-opposite-only  the lead where each has one bishop, of different
//	                     colours; and nobody has other pieces
//	lead-wings, ahead-wings  where there are pawns on both wings
//
// The others are the player's count less the other's:
//
//	knight-king-2+1      pieces by where they stand from their own king: files beside
//	                     him (4: four or more) and ranks ahead (-2: two or more behind,
//	                     +5: five or more ahead); four files and one rank have no term
//	rook-hits-queen      attacks of such pieces on such pieces; -guarded on guarded
//	                     ones; -move of the player to move
//	piece-alone, pawn-alone  that no friend guards
//	hold-e4              squares attacked by him alone, e4 for e4 and d4
//	pawn-guard-e4        squares his pawns attack
//	rooks-joined         rooks that guard a rook
//	rook-their-queen, rook-their-king, rook-own-queen  rooks on a file with these
//	rook-ring            rooks without own pawns on the file, which leads to the enemy king or beside him
//	rook-shut-in         rooks between the edge and the own king on the first rank
//	bishop-shut-in       for each bishop, own pawns on its colour times own pawns of
//	                     files c to f that are blocked
//	bishop-targets       for each bishop, enemy pawns on its colour
//	bishop-centre        centre squares that a bishop sees where only pawns are in its way
//
// and pawns by rank as the owner sees it:
//
//	phalanx-3 ... -7, supported-4 ... -7  as in [Classic]
//	supported-twice-3 ... -7  guarded by two pawns
//	attacked-2 ... -6    attacked by a pawn
//	blocked-2 ... -7     with an enemy right ahead
//
// Where terms of one kind would add up to one of [Classic], one of them is left
// out. Which kinds there are was chosen on human games by how much each lowers the
// squared error on games left out; docs/fitting.md tells what was tried.
func Wide() features.Set {
	w := &wide{blocks: Classic().Blocks()}
	for _, name := range wideNames() {
		w.blocks = append(w.blocks, features.Phased(name, phases))
	}
	return w
}

// The terms of [Wide] beyond [Classic], in their order.
const (
	leadFirst    = 0
	nearFirst    = leadFirst + leadTerms
	hitFirst     = nearFirst + 5*nearCells
	holdFirst    = hitFirst + hitTerms
	guardFirst   = holdFirst + 32
	lineFirst    = guardFirst + 24
	advanceFirst = lineFirst + lineTerms
	wideTerms    = advanceFirst + advanceTerms
)

// wideFirst is the first feature that [Classic] does not have.
var wideFirst = last + 1

func wideNames() []string {
	names := append([]string{}, leadNames[:]...)
	for _, part := range [][]string{nearNames(), hitNames(), holdNames(), lineNames[:], advanceNames()} {
		names = append(names, part...)
	}
	if len(names) != wideTerms {
		panic("chess: the terms of chess/wide and their names differ in number")
	}
	return names
}

func (*wide) Name() string               { return "chess/wide" }
func (w *wide) Blocks() []features.Block { return w.blocks }

func (*wide) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	var v sight
	v.look(s, p)
	us, them := &v.us, &v.them
	w := pen{x: v.classic(x), phase: v.phase, sign: 1}
	w.leads(us, them)
	for range 2 {
		w.near(&us.army)
		w.attacks(us, them)
		w.holds(us, them)
		w.lines(us, them)
		w.advances(us, them)
		us, them, w.sign = them, us, -1
	}
	return w.x
}

// pen writes the terms of one side after the other.
type pen struct {
	x     models.Vector
	phase features.Phase
	sign  float32
}

// add adds n to a term for the side that is written.
func (w *pen) add(term int32, n int) {
	if n != 0 {
		w.x = w.phase.Append(w.x, wideFirst+term*phases, w.sign*float32(n))
	}
}
