package chess

import "plyfit/features"

// lead has the terms that depend on which player has more material. The value of a lead depends on
// its size, on the pawns that can queen, and on the material that can hold a draw.
type lead struct {
	lead1            int `doc:"the lead, the player's pieces and pawns less the other's in the usual points (1, 3, 3, 5, 9), cut off at 1 point"`
	lead2            int `doc:"cut off at 2"`
	lead3            int `doc:"at 3"`
	lead4            int `doc:"at 4"`
	lead6            int `doc:"at 6"`
	lead9            int `doc:"at 9"`
	leadPawns        int `doc:"the lead times all pawns"`
	leadOwnPawns     int `doc:"the lead times the pawns of who leads"`
	aheadPawns       int `doc:"1 or -1 for who leads, times all pawns"`
	aheadOwnPawns    int `doc:"the same times the pawns of who leads"`
	leadOpposite     int `doc:"the lead where each has one bishop, of different colours"`
	leadOppositeOnly int `doc:"the same where no one has other pieces"`
	leadWings        int `doc:"the lead where there are pawns on both wings"`
	aheadWings       int `doc:"1 or -1 for who leads, there"`
}

// leads adds the terms of the lead, which belong to the position as a whole.
func (w *writer) leads(us, them *side) {
	own, opp := &us.army, &them.far
	points := own.points() + us.n.pawn - opp.points() - them.n.pawn
	if points == 0 {
		return
	}
	ahead, strong := 1, own
	if points < 0 {
		ahead, strong = -1, opp
	}
	pawns, owns := us.n.pawn+them.n.pawn, count(strong.pawns)
	cut := func(most int) int { return min(max(points, -most), most) }
	n := lead{
		lead1: cut(1), lead2: cut(2), lead3: cut(3), lead4: cut(4), lead6: cut(6), lead9: cut(9),
		leadPawns: points * pawns, leadOwnPawns: points * owns, aheadPawns: ahead * pawns, aheadOwnPawns: ahead * owns,
	}
	if bishopsApart(own, opp) == 1 {
		n.leadOpposite = points
		rest := own.knights | own.rooks | own.queens | opp.knights | opp.rooks | opp.queens
		n.leadOppositeOnly = points * one(rest == 0)
	}
	const wing = fileA | fileA<<1 | fileA<<2 | fileA<<3
	all := own.pawns | opp.pawns
	if all&wing != 0 && all&^wing != 0 {
		n.leadWings, n.aheadWings = points, ahead
	}
	for i, value := range features.Numbers[int](&n) {
		w.add(leadFirst+int32(i), value)
	}
}
