package chess

import (
	"fmt"
	"math/bits"

	"plyfit/features"
)

// Pawns by rank: runs of terms, each from a lowest rank to a highest. The lowest
// of phalanx and supported is left out: what classic counts is the sum of all.
const (
	phalanxOn      = advanceFirst       // ranks 3 to 7
	supportedOn    = phalanxOn + 5      // ranks 4 to 7
	supportedTwice = supportedOn + 4    // ranks 3 to 7
	attackedOn     = supportedTwice + 5 // ranks 2 to 6
	blockedOn      = attackedOn + 5     // ranks 2 to 7
	advanceTerms   = blockedOn + 6 - advanceFirst
)

// byRankTerms is a run of terms.
func byRankTerms(name, doc string, from, to int) features.Term[position] {
	var names []string
	for rank := from; rank <= to; rank++ {
		names = append(names, fmt.Sprintf("%s-%d", name, rank))
	}
	return features.Term[position]{Name: names[0], Doc: doc, Names: names}
}

var advanceList = []features.Term[position]{
	byRankTerms("phalanx", "pawns with a pawn beside, by rank (3 to 7)", 3, 7),
	byRankTerms("supported", "pawns guarded by a pawn, by rank (4 to 7)", 4, 7),
	byRankTerms("supported-twice", "pawns guarded by two pawns, by rank (3 to 7)", 3, 7),
	byRankTerms("attacked", "pawns attacked by a pawn, by rank (2 to 6)", 2, 6),
	byRankTerms("blocked", "pawns with an enemy right ahead, by rank (2 to 7)", 2, 7),
}

// advances adds own's pawns by rank, as they stand among pawns.
func (w *writer) advances(own, opp *army) {
	pawns := own.pawns
	w.byRank(phalanxOn, 3, pawns&sides(pawns))
	w.byRank(supportedOn, 4, pawns&sides(pawns<<8))
	w.byRank(supportedTwice, 3, pawns&west(pawns<<8)&east(pawns<<8))
	w.byRank(attackedOn, 2, pawns&sides(opp.pawns>>8))
}

// blocked adds those that cannot step forward.
func (w *writer) blocked(own, opp *army) { w.byRank(blockedOn, 2, own.pawns&(opp.all>>8)) }

// byRank adds pawns to the terms of the ranks from lowest on.
func (w *writer) byRank(first int32, lowest int, pawns uint64) {
	for b := pawns >> (8 * (lowest - 1)); b != 0; b &= b - 1 {
		w.once(first + int32(bits.TrailingZeros64(b)>>3))
	}
}
