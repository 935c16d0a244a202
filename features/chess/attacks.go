package chess

import (
	"fmt"
	"math/bits"
)

// Attacks of pieces on pieces, four terms for each pair of kinds: on loose and on guarded ones, on
// the other's and on the own turn; then unguarded pieces.
const (
	hitPairs   = 6 * 5 * 4
	pieceAlone = hitFirst + hitPairs
	pawnAlone  = pieceAlone + 1
	hitTerms   = hitPairs + 2
)

func hitNames() (names []string) {
	for _, hitter := range squareNames {
		for _, victim := range squareNames[:5] {
			name := fmt.Sprintf("%s-hits-%s", hitter, victim)
			names = append(names, name, name+"-move", name+"-guarded", name+"-guarded-move")
		}
	}
	return names
}

// attacks adds what us's pieces attack, and which of them stand alone.
func (w *writer) attacks(us, them *side) {
	own, opp := &us.army, &them.far
	guarded := them.farAttacks.all
	targets := opp.all &^ opp.king
	// A victim's kind, bit by bit.
	bit0, bit1, bit2 := opp.knights|opp.rooks, opp.bishops|opp.rooks, opp.queens
	turn := int32(one(us.moves))
	hit := func(hitter int32, squares uint64) {
		for b := squares & targets; b != 0; b &= b - 1 {
			sq := bits.TrailingZeros64(b) & 63
			victim := int32(bit0>>sq&1 | bit1>>sq&1<<1 | bit2>>sq&1<<2)
			w.once(hitFirst + (hitter*5+victim)*4 + int32(guarded>>sq&1<<1) + turn)
		}
	}
	hit(0, west(own.pawns<<8))
	hit(0, east(own.pawns<<8))
	at := 0
	for kind, pieces := range [...]uint64{own.knights, own.bishops, own.rooks, own.queens} {
		for range count(pieces) {
			hit(int32(kind)+1, us.reach[at&15])
			at++
		}
	}
	hit(5, us.attacks.king)
	w.add(pieceAlone, count(own.all&^(own.pawns|own.king|us.attacks.all)))
	w.add(pawnAlone, count(own.pawns&^us.attacks.all))
}

// foldedNames are those of the folded squares from first on, behind a word.
func foldedNames(word string, first int) (names []string) {
	for at := first; at < 32; at++ {
		names = append(names, fmt.Sprintf("%s-%c%d", word, 'a'+at%4, at/4+1))
	}
	return names
}

// holds adds the squares that us alone attacks.
func (w *writer) holds(us, them *side) {
	for b := us.held(them); b != 0; b &= b - 1 {
		w.once(holdFirst + int32(folded(bits.TrailingZeros64(b))))
	}
}

// held are the squares that s alone attacks.
func (s *side) held(other *side) uint64 { return s.attacks.all &^ other.farAttacks.all }

// guards adds the squares that own's pawns attack.
func (w *writer) guards(own *army) {
	for b := sides(own.pawns << 8); b != 0; b &= b - 1 {
		w.once(guardFirst + int32(folded(bits.TrailingZeros64(b))) - 8)
	}
}
