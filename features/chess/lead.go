package chess

import "plyfit/features"

// Terms that follow from who has more: how much a lead is worth depends on its
// size, on what is left to queen, and on what is left to hold a draw with.
const (
	lead1 int32 = iota
	lead2
	lead3
	lead4
	lead6
	lead9
	leadPawns
	leadOwnPawns
	aheadPawns
	aheadOwnPawns
	leadOpposite
	leadOppositeOnly
	leadWings
	aheadWings
	leadTerms = iota
)

var leadList = [leadTerms]features.Term[position]{
	lead1: {Name: "lead-1", Doc: "the lead, the player's pieces and pawns less the other's in the usual points (1, 3, 3, 5, 9), cut off at 1 point"},
	lead2: {Name: "lead-2", Doc: "cut off at 2"}, lead3: {Name: "lead-3", Doc: "at 3"}, lead4: {Name: "lead-4", Doc: "at 4"},
	lead6: {Name: "lead-6", Doc: "at 6"}, lead9: {Name: "lead-9", Doc: "at 9"},
	leadPawns:        {Name: "lead-pawns", Doc: "the lead times all pawns"},
	leadOwnPawns:     {Name: "lead-own-pawns", Doc: "the lead times the pawns of who leads"},
	aheadPawns:       {Name: "ahead-pawns", Doc: "1 or -1 for who leads, times all pawns"},
	aheadOwnPawns:    {Name: "ahead-own-pawns", Doc: "the same times the pawns of who leads"},
	leadOpposite:     {Name: "lead-opposite", Doc: "the lead where each has one bishop, of different colours"},
	leadOppositeOnly: {Name: "lead-opposite-only", Doc: "the same where no one has other pieces"},
	leadWings:        {Name: "lead-wings", Doc: "the lead where there are pawns on both wings"},
	aheadWings:       {Name: "ahead-wings", Doc: "1 or -1 for who leads, there"},
}

// leads adds the terms of the lead, which belong to the position as a whole.
func (w *writer) leads(us, them *side) {
	own, opp := &us.army, &them.far
	lead := own.points() + us.n.pawn - opp.points() - them.n.pawn
	if lead == 0 {
		return
	}
	ahead, strong := 1, own
	if lead < 0 {
		ahead, strong = -1, opp
	}
	for i, most := range [...]int{1, 2, 3, 4, 6, 9} {
		w.add(lead1+int32(i), min(max(lead, -most), most))
	}
	pawns, owns := us.n.pawn+them.n.pawn, count(strong.pawns)
	w.add(leadPawns, lead*pawns)
	w.add(leadOwnPawns, lead*owns)
	w.add(aheadPawns, ahead*pawns)
	w.add(aheadOwnPawns, ahead*owns)
	if bishopsApart(own, opp) == 1 {
		w.add(leadOpposite, lead)
		rest := own.knights | own.rooks | own.queens | opp.knights | opp.rooks | opp.queens
		w.add(leadOppositeOnly, lead*one(rest == 0))
	}
	const wing = fileA | fileA<<1 | fileA<<2 | fileA<<3
	all := own.pawns | opp.pawns
	both := one(all&wing != 0 && all&^wing != 0)
	w.add(leadWings, lead*both)
	w.add(aheadWings, ahead*both)
}
