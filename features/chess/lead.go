package chess

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

var leadNames = [leadTerms]string{
	lead1: "lead-1", lead2: "lead-2", lead3: "lead-3", lead4: "lead-4", lead6: "lead-6", lead9: "lead-9",
	leadPawns: "lead-pawns", leadOwnPawns: "lead-own-pawns", aheadPawns: "ahead-pawns", aheadOwnPawns: "ahead-own-pawns",
	leadOpposite: "lead-opposite", leadOppositeOnly: "lead-opposite-only", leadWings: "lead-wings", aheadWings: "ahead-wings",
}

// leads adds the terms of the lead, which belong to the position as a whole.
func (w *pen) leads(us, them *side) {
	own, opp := &us.army, &them.far
	lead := own.points() + us.n[pawn] - opp.points() - them.n[pawn]
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
	pawns, owns := us.n[pawn]+them.n[pawn], count(strong.pawns)
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
