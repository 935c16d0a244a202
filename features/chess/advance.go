package chess

import (
	"fmt"
	"math/bits"
)

// Pawns by rank: runs of terms, each from a lowest rank to a highest. The lowest
// of phalanx and supported is left out: what [Classic] counts is the sum of all.
const (
	phalanxOn      = advanceFirst       // ranks 3 to 7
	supportedOn    = phalanxOn + 5      // ranks 4 to 7
	supportedTwice = supportedOn + 4    // ranks 3 to 7
	attackedOn     = supportedTwice + 5 // ranks 2 to 6
	blockedOn      = attackedOn + 5     // ranks 2 to 7
	advanceTerms   = blockedOn + 6 - advanceFirst
)

func advanceNames() (names []string) {
	for _, run := range []struct {
		name     string
		from, to int
	}{
		{"phalanx", 3, 7}, {"supported", 4, 7}, {"supported-twice", 3, 7}, {"attacked", 2, 6}, {"blocked", 2, 7},
	} {
		for rank := run.from; rank <= run.to; rank++ {
			names = append(names, fmt.Sprintf("%s-%d", run.name, rank))
		}
	}
	return names
}

// advances adds us's pawns by rank.
func (w *pen) advances(us, them *side) {
	pawns := us.army.pawns
	w.byRank(phalanxOn, 3, pawns&sides(pawns))
	w.byRank(supportedOn, 4, pawns&us.reach.pawns)
	w.byRank(supportedTwice, 3, pawns&west(pawns<<8)&east(pawns<<8))
	w.byRank(attackedOn, 2, pawns&them.met.pawns)
	w.byRank(blockedOn, 2, pawns&(them.far.all>>8))
}

// byRank adds pawns to the terms of the ranks from lowest on.
func (w *pen) byRank(first int32, lowest int, pawns uint64) {
	for b := pawns >> (8 * (lowest - 1)); b != 0; b &= b - 1 {
		w.add(first+int32(bits.TrailingZeros64(b)>>3), 1)
	}
}
