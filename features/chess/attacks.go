package chess

import (
	"fmt"
	"math/bits"

	"plyfit/features"
	rules "plyfit/game/chess"
)

// Attacks by pieces on other pieces. Each pair of kinds has four terms: for unguarded and for
// guarded targets, each while the player is to move and while the other player is to move. Two more
// terms count the player's unguarded pieces and pawns.
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

// attacks adds the terms for one side's attacks and unguarded pieces.
func (w *writer) attacks(us, them *side) {
	own, opp := &us.army, &them.far
	guarded := them.farAttacks.all
	targets := opp.all &^ opp.king
	// The three bits of the index of a victim's kind.
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

// foldedNames returns the names of the folded squares from the square first onwards. Each name
// begins with word.
func foldedNames(word string, first int) (names []string) {
	for at := first; at < 32; at++ {
		names = append(names, fmt.Sprintf("%s-%c%d", word, 'a'+at%4, at/4+1))
	}
	return names
}

// held returns the squares that s attacks but the other side does not.
func (s *side) held(other *side) uint64 { return s.attacks.all &^ other.farAttacks.all }

// guards adds the squares that an army's pawns attack.
func (w *writer) guards(own *army) {
	for b := sides(own.pawns << 8); b != 0; b &= b - 1 {
		w.once(guardFirst + int32(folded(bits.TrailingZeros64(b))) - 8)
	}
}

// Terms for rooks and bishops and the lines on which they stand.
const (
	rooksJoined int32 = lineFirst + iota
	rookTheirQueen
	rookTheirKing
	rookOwnQueen
	rookRing
	rookShutIn
	bishopShutIn
	bishopTargets
	bishopCentre
	lineTerms = iota
)

var lineList = [lineTerms]features.Term[position]{
	rooksJoined - lineFirst:    {Name: "rooks-joined", Group: "lines", Doc: "rooks that guard another rook"},
	rookTheirQueen - lineFirst: {Name: "rook-their-queen", Group: "lines", Doc: "rooks on the same file as the enemy queen"},
	rookTheirKing - lineFirst:  {Name: "rook-their-king", Group: "lines", Doc: "rooks on the same file as the enemy king"},
	rookOwnQueen - lineFirst:   {Name: "rook-own-queen", Group: "lines", Doc: "rooks on the same file as the player's queen"},
	rookRing - lineFirst:       {Name: "rook-ring", Group: "lines", Doc: "rooks on a file without friendly pawns that leads to the enemy king or to a square next to it"},
	rookShutIn - lineFirst:     {Name: "rook-shut-in", Group: "lines", Doc: "rooks on the first rank between the edge and the player's king"},
	bishopShutIn - lineFirst:   {Name: "bishop-shut-in", Group: "lines", Doc: "sum over bishops of the number of friendly pawns on the bishop's colour times the number of blocked friendly pawns on files c to f"},
	bishopTargets - lineFirst:  {Name: "bishop-targets", Group: "lines", Doc: "sum over bishops of the number of enemy pawns on the bishop's colour"},
	bishopCentre - lineFirst:   {Name: "bishop-centre", Group: "lines", Doc: "centre squares that bishops would attack if only pawns could block them"},
}

// rookSets is the number of subsets of a rook's six terms. Bit i of a subset represents term i.
const rookSets = 1 << (rookShutIn - rooksJoined + 1)

// rook adds one to each of a rook's terms in the given subset.
func (w *writer) rook(set int) {
	if t := w.sum; t != nil {
		t.whole.add(t.rooks[set&(rookSets-1)], int64(w.sign))
		return
	}
	for b := uint(set); b != 0; b &= b - 1 {
		w.some(rooksJoined+int32(bits.TrailingZeros(b)), w.sign)
	}
}

// lines adds the terms for one side's rooks and bishops and the lines on which they stand.
func (w *writer) lines(us, them *side) {
	own, opp := &us.army, &them.far
	occupied := own.all | opp.all
	king := bits.TrailingZeros64(own.king)
	around := opp.king | sides(opp.king)
	pair := own.rooks&(own.rooks-1) != 0
	for b := own.rooks; b != 0; b &= b - 1 {
		sq := bits.TrailingZeros64(b)
		file := fileA << (sq & 7)
		shut := king&7 > 4 && sq&7 > king&7 || king&7 < 3 && sq&7 < king&7
		w.rook(one(pair && rules.RookAttacks(sq, occupied)&own.rooks != 0) |
			one(file&opp.queens != 0)<<(rookTheirQueen-rooksJoined) |
			one(file&opp.king != 0)<<(rookTheirKing-rooksJoined) |
			one(file&own.queens != 0)<<(rookOwnQueen-rooksJoined) |
			one(file&own.pawns == 0 && files(around)&file != 0)<<(rookRing-rooksJoined) |
			one(shut && sq < 8 && king < 8)<<(rookShutIn-rooksJoined))
	}
	const middle = fileA<<2 | fileA<<3 | fileA<<4 | fileA<<5
	const centre uint64 = 0x0000001818000000
	blocked := count(own.pawns & middle & (opp.all >> 8))
	for b := own.bishops; b != 0; b &= b - 1 {
		colour := lightSquares
		if b&-b&lightSquares == 0 {
			colour = ^lightSquares
		}
		w.add(bishopShutIn, count(own.pawns&colour)*blocked)
		w.add(bishopTargets, count(opp.pawns&colour))
		w.add(bishopCentre, count(centre&rules.BishopAttacks(bits.TrailingZeros64(b), own.pawns|opp.pawns)))
	}
}
