package chess

import (
	"fmt"
	"math/bits"

	"plyfit/features"
)

const (
	fileA uint64 = 0x0101010101010101
	fileH        = fileA << 7
	rank1 uint64 = 0xff
)

func west(b uint64) uint64  { return b >> 1 &^ fileH }
func east(b uint64) uint64  { return b << 1 &^ fileA }
func sides(b uint64) uint64 { return west(b) | east(b) }

// up and down return b together with all squares above or below b on the same files.
func up(b uint64) uint64 {
	b |= b << 8
	b |= b << 16
	return b | b<<32
}

func down(b uint64) uint64 {
	b |= b >> 8
	b |= b >> 16
	return b | b>>32
}

func files(b uint64) uint64 { return up(b) | down(b) }

// countPawns computes the terms that depend only on pawns and kings, and returns the passed pawns.
func (own *army) countPawns(opp *army, n *counts) (passed uint64) {
	own.cover(opp, n)
	return own.structure(opp, n)
}

// structure computes the terms of the pawn structure and returns the passed pawns.
func (own *army) structure(opp *army, n *counts) (passed uint64) {
	pawns := own.pawns
	guarded, theirs := sides(pawns<<8), sides(opp.pawns>>8) // squares that the player's and the enemy's pawns attack
	all := files(pawns)
	neighbours := sides(all)
	open := ^files(opp.pawns)
	lone := pawns &^ neighbours
	n.doubled = count(pawns & down(pawns>>8))
	n.isolated = count(lone)
	n.isolatedOpen = count(lone & open)
	// A backward pawn is one that no neighbouring pawn can guard, while an enemy pawn attacks the
	// square in front of it.
	behind := up(sides(pawns))
	n.backward = count(pawns & neighbours &^ behind & (theirs >> 8))
	held := pawns & guarded
	beside := pawns & sides(pawns)
	n.supported = count(held)
	n.phalanx = count(beside)
	for b := held | beside; b != 0; b &= b - 1 {
		n.chainRank += bits.TrailingZeros64(b)>>3 - 1
	}
	row := all & rank1
	n.islands = count(row &^ (row << 1))

	ahead := down(opp.pawns) >> 8 // squares with an enemy pawn ahead of them
	stopped := down(sides(opp.pawns) >> 8)
	passed = pawns &^ (ahead | stopped | down(pawns>>8))
	free := pawns &^ (ahead | down(pawns>>8) | passed)
	// A candidate is a pawn that is not passed and has no pawn ahead on its file. It needs at least
	// as many guards on the adjacent files as there are enemy pawns ahead on them.
	for b := free; b != 0; b &= b - 1 {
		pawn := b & -b
		guards := count(down(sides(pawn)) & pawns)
		foes := count(up(sides(pawn)<<8) & opp.pawns)
		n.candidate += one(guards >= foes)
	}
	ourKing, theirKing := bits.TrailingZeros64(own.king), bits.TrailingZeros64(opp.king)
	for b := passed; b != 0; b &= b - 1 {
		sq := bits.TrailingZeros64(b)
		rank := sq >> 3
		if rank < 6 { // a passed pawn on the seventh rank has only the term for its square
			*[...]*int{&n.passed2, &n.passed3, &n.passed4, &n.passed5, &n.passed6}[rank-1]++
		}
		n.passedGuarded += one((guarded|sides(pawns))>>sq&1 != 0)
		if rank > 2 {
			n.passedOwnKing += (rank - 2) * distance(ourKing, sq+8)
			n.passedTheirKing += (rank - 2) * distance(theirKing, sq+8)
		}
	}
	return passed
}

// passers computes those terms for an army's passed pawns that depend on pieces.
func (own *army) passers(opp *army, passed uint64, n *counts) {
	occupied := own.all | opp.all
	for b := passed; b != 0; b &= b - 1 {
		n.passedBlocked += one(opp.all&(b&-b<<8) != 0)
		way := up(b & -b << 8)
		n.passedFree += one(way&occupied == 0)
		n.passedRook += one(down(b&-b>>8)&own.rooks != 0)
	}
}

// distance returns the number of king moves between two squares.
func distance(a, b int) int {
	file, rank := a&7-b&7, a>>3-b>>3
	return max(file, -file, rank, -rank)
}

// runs returns 1 if the other player has only the king and pawns, and this king cannot catch one of
// own's pawns according to the rule of the square. Otherwise, it returns 0.
func (own *army) runs(opp *army, moves bool) int {
	if opp.all != opp.pawns|opp.king {
		return 0
	}
	king := bits.TrailingZeros64(opp.king)
	stopped := down(opp.pawns|sides(opp.pawns)) >> 8
	for b := own.pawns &^ stopped; b != 0; b &= b - 1 {
		sq := bits.TrailingZeros64(b)
		steps := 7 - sq>>3 - one(sq>>3 == 1)
		if up(b&-b<<8)&own.all == 0 && distance(king, sq&7+56)-one(!moves) > steps {
			return 1
		}
	}
	return 0
}

// Pawns by rank: each constant is the first of a range of terms, one for each rank. For phalanx and
// supported, the lowest rank has no term, because chess/classic counts the sum over all ranks.
const (
	phalanxOn      = advanceFirst       // ranks 3 to 7
	supportedOn    = phalanxOn + 5      // ranks 4 to 7
	supportedTwice = supportedOn + 4    // ranks 3 to 7
	attackedOn     = supportedTwice + 5 // ranks 2 to 6
	blockedOn      = attackedOn + 5     // ranks 2 to 7
	advanceTerms   = blockedOn + 6 - advanceFirst
)

// byRankTerms returns a term with a separate name for each rank.
func byRankTerms(name, doc string, from, to int) features.Term[position] {
	var names []string
	for rank := from; rank <= to; rank++ {
		names = append(names, fmt.Sprintf("%s-%d", name, rank))
	}
	return features.Term[position]{Name: names[0], Group: "pawn-ranks", Doc: doc, Names: names}
}

var advanceList = []features.Term[position]{
	byRankTerms("phalanx", "pawns next to a pawn on the same rank, by rank (3 to 7)", 3, 7),
	byRankTerms("supported", "pawns guarded by a pawn, by rank (4 to 7)", 4, 7),
	byRankTerms("supported-twice", "pawns guarded by two pawns, by rank (3 to 7)", 3, 7),
	byRankTerms("attacked", "pawns attacked by a pawn, by rank (2 to 6)", 2, 6),
	byRankTerms("blocked", "pawns with an enemy piece directly ahead, by rank (2 to 7)", 2, 7),
}

// advances adds an army's pawns by rank, depending on the pawns around them.
func (w *writer) advances(own, opp *army) {
	pawns := own.pawns
	w.byRank(phalanxOn, 3, pawns&sides(pawns))
	w.byRank(supportedOn, 4, pawns&sides(pawns<<8))
	w.byRank(supportedTwice, 3, pawns&west(pawns<<8)&east(pawns<<8))
	w.byRank(attackedOn, 2, pawns&sides(opp.pawns>>8))
}

// blocked adds the pawns of an army that are blocked by an enemy piece.
func (w *writer) blocked(own, opp *army) { w.byRank(blockedOn, 2, own.pawns&(opp.all>>8)) }

// byRank adds pawns to the terms for their ranks. first is the term for the lowest rank.
func (w *writer) byRank(first int32, lowest int, pawns uint64) {
	for b := pawns >> (8 * (lowest - 1)); b != 0; b &= b - 1 {
		w.once(first + int32(bits.TrailingZeros64(b)>>3))
	}
}
