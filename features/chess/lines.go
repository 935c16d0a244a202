package chess

import (
	"math/bits"

	"plyfit/features"
	rules "plyfit/game/chess"
)

// Terms of the lines that rooks and bishops stand on.
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
	rooksJoined - lineFirst:    {Name: "rooks-joined", Doc: "rooks that guard a rook"},
	rookTheirQueen - lineFirst: {Name: "rook-their-queen", Doc: "rooks on a file with the enemy queen"},
	rookTheirKing - lineFirst:  {Name: "rook-their-king", Doc: "rooks on a file with the enemy king"},
	rookOwnQueen - lineFirst:   {Name: "rook-own-queen", Doc: "rooks on a file with the own queen"},
	rookRing - lineFirst:       {Name: "rook-ring", Doc: "rooks without own pawns on the file, which leads to the enemy king or beside him"},
	rookShutIn - lineFirst:     {Name: "rook-shut-in", Doc: "rooks between the edge and the own king on the first rank"},
	bishopShutIn - lineFirst:   {Name: "bishop-shut-in", Doc: "for each bishop, own pawns on its colour times own pawns of files c to f that are blocked"},
	bishopTargets - lineFirst:  {Name: "bishop-targets", Doc: "for each bishop, enemy pawns on its colour"},
	bishopCentre - lineFirst:   {Name: "bishop-centre", Doc: "centre squares that a bishop sees where only pawns are in its way"},
}

// rookSets are the sets of the six terms of a rook, the bit of each its number among them.
const rookSets = 1 << (rookShutIn - rooksJoined + 1)

// rook adds one of each of a rook's terms in set.
func (w *writer) rook(set int) {
	if t := w.sum; t != nil {
		t.whole.add(t.rooks[set&(rookSets-1)], int64(w.sign))
		return
	}
	for b := uint(set); b != 0; b &= b - 1 {
		w.some(rooksJoined+int32(bits.TrailingZeros(b)), w.sign)
	}
}

// lines adds what us's rooks and bishops see along their lines.
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
