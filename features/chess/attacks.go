package chess

import (
	"fmt"
	"math/bits"

	rules "plyfit/game/chess"
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
	occupied := own.all | opp.all
	victims, guarded := opp.kinds(), them.farAttacks.all
	targets := opp.all &^ opp.king
	turn := int32(one(us.moves))
	hit := func(hitter int, squares uint64) {
		for b := squares & targets; b != 0; b &= b - 1 {
			victim := 0
			for victims[victim]&b&-b == 0 {
				victim++
			}
			w.add(hitFirst+int32(hitter*5+victim)*4+2*int32(one(guarded&b&-b != 0))+turn, 1)
		}
	}
	hit(0, west(own.pawns<<8))
	hit(0, east(own.pawns<<8))
	for b := own.knights; b != 0; b &= b - 1 {
		hit(1, rules.KnightAttacks(bits.TrailingZeros64(b)))
	}
	// As in mobility, bishops see through queens, rooks through rooks and queens.
	for b := own.bishops; b != 0; b &= b - 1 {
		hit(2, rules.BishopAttacks(bits.TrailingZeros64(b), occupied&^own.queens))
	}
	for b := own.rooks; b != 0; b &= b - 1 {
		hit(3, rules.RookAttacks(bits.TrailingZeros64(b), occupied&^(own.queens|own.rooks)))
	}
	for b := own.queens; b != 0; b &= b - 1 {
		sq := bits.TrailingZeros64(b)
		hit(4, rules.BishopAttacks(sq, occupied)|rules.RookAttacks(sq, occupied))
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
		w.add(holdFirst+int32(folded(bits.TrailingZeros64(b))), 1)
	}
}

// held are the squares that s alone attacks.
func (s *side) held(other *side) uint64 { return s.attacks.all &^ other.farAttacks.all }

// guards adds the squares that own's pawns attack.
func (w *writer) guards(own *army) {
	for b := sides(own.pawns << 8); b != 0; b &= b - 1 {
		w.add(guardFirst+int32(folded(bits.TrailingZeros64(b)))-8, 1)
	}
}
