package chess

import (
	"math/bits"
	"slices"
	"unsafe"

	"plyfit/features"
	"plyfit/models"
)

// wide is the set chess/wide. It contains the terms of chess/classic, with the same names, and
// additional terms with the same two phases. The first additional terms depend on the lead in
// material. The others are the difference between the player's count and the other player's.
//
// If the terms of a group would add up to a term of chess/classic, one of them is omitted. The
// groups were selected by how much each lowers the squared error on held-out human games.
// docs/results/fitting.md lists the groups that were tried.
var wide = features.Terms[position]{
	Name:          "chess/wide",
	Antisymmetric: true,
	Prepare:       (*position).prepare,
	Append:        (*position).appendWide,
	Phases:        phases,
	Phase:         func(b *position) features.Phase { return b.phase },
	List:          slices.Concat(classicTerms, wideList),
	Compile:       func(m *models.Linear) features.Compiled { return compile(m, true) },
}

// Terms of chess/wide that follow the terms of chess/classic, in order.
const (
	leadFirst    = 0
	nearFirst    = leadFirst + int32(unsafe.Sizeof(lead{})/unsafe.Sizeof(0))
	hitFirst     = nearFirst + 5*nearCells
	holdFirst    = hitFirst + hitTerms
	guardFirst   = holdFirst + 32
	lineFirst    = guardFirst + 24
	advanceFirst = lineFirst + lineTerms
	wideTerms    = advanceFirst + advanceTerms
)

var wideList = slices.Concat(features.Fields[position](lead{}), []features.Term[position]{
	{Name: "knight-king-2+1", Group: "king-places", Doc: "positions of pieces relative to their own king: files away from the king (4: four or more) and ranks ahead of it (-2: two or more behind, +5: five or more ahead); for each piece, four files away and one rank ahead has no term", Names: nearNames()},
	{Name: "rook-hits-queen", Group: "hits", Doc: "attacks by one kind of piece on unguarded pieces of another kind; `-guarded` for guarded pieces, `-move` for attacks by the player to move", Names: hitNames()},
	{Name: "piece-alone", Group: "hits", Doc: "pieces not guarded by friendly pieces or pawns"},
	{Name: "pawn-alone", Group: "hits", Doc: "pawns not guarded by friendly pieces or pawns"},
	{Name: "hold-e4", Group: "held-squares", Doc: "squares that only this side attacks; hold-e4 counts e4 and d4", Names: foldedNames("hold", 0)},
	{Name: "pawn-guard-e4", Group: "guarded-squares", Doc: "squares that pawns attack", Names: foldedNames("pawn-guard", 8)}, // no pawn guards the first two ranks
}, lineList[:], advanceList)

// wideFirst is the index of the first feature that is not part of chess/classic.
var wideFirst = int32(classic.Len())

func (b *position) appendWide(x models.Vector) models.Vector {
	us, them := &b.us, &b.them
	w := writer{x: b.appendClassic(x), phase: b.phase, sign: 1}
	w.leads(us, them)
	for range 2 {
		w.near(&us.army, 5)
		w.attacks(us, them)
		for b := us.held(them); b != 0; b &= b - 1 {
			w.once(holdFirst + int32(folded(bits.TrailingZeros64(b))))
		}
		w.guards(&us.army)
		w.lines(us, them)
		w.advances(&us.army, &them.far)
		w.blocked(&us.army, &them.far)
		us, them, w.sign = them, us, -1
	}
	return w.x
}

// A writer adds the terms of each side in turn to either a vector or a sum.
type writer struct {
	x     models.Vector // used if sum is nil
	sum   *sum          // nil if the terms are added to x
	phase features.Phase
	sign  int
}

// once adds one to a term.
func (w *writer) once(term int32) { w.some(term, w.sign) }

func (w *writer) add(term int32, n int) {
	if n != 0 {
		w.some(term, w.sign*n)
	}
}

func (w *writer) some(term int32, n int) {
	if t := w.sum; t != nil {
		t.whole.add(t.wide[term], int64(n))
	} else {
		w.x = w.phase.Append(w.x, wideFirst+term*phases, float32(n))
	}
}

// lead contains the terms that depend on which player has more material. The value of a lead
// depends on its size, on the pawns that can promote, and on the material with which the other
// player can hold a draw.
type lead struct {
	lead1            int `group:"lead" doc:"the player's material lead by standard piece values (1, 3, 3, 5, 9), capped at 1 point"`
	lead2            int `group:"lead" doc:"lead capped at 2 points"`
	lead3            int `group:"lead" doc:"lead capped at 3 points"`
	lead4            int `group:"lead" doc:"lead capped at 4 points"`
	lead6            int `group:"lead" doc:"lead capped at 6 points"`
	lead9            int `group:"lead" doc:"lead capped at 9 points"`
	leadPawns        int `group:"lead" doc:"lead times the number of all pawns"`
	leadOwnPawns     int `group:"lead" doc:"lead times the number of pawns of the leading player"`
	aheadPawns       int `group:"lead" doc:"1 or -1 for the leading player, times the number of all pawns"`
	aheadOwnPawns    int `group:"lead" doc:"1 or -1 for the leading player, times the number of that player's pawns"`
	leadOpposite     int `group:"lead" doc:"lead if each side has one bishop and the bishops are on squares of different colours"`
	leadOppositeOnly int `group:"lead" doc:"the same lead if neither side has other pieces"`
	leadWings        int `group:"lead" doc:"lead if there are pawns on both wings"`
	aheadWings       int `group:"lead" doc:"1 or -1 for the leading player if there are pawns on both wings"`
}

// leads adds the terms for the lead, which describe the whole position.
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
