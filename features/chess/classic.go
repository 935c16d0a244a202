package chess

import (
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/chess"
	"plyfit/models"
)

// classic is the set chess/classic. It contains the quantities that players and books count. Each
// term except unstoppable has a weight that is linear between two phases: name@0 with all pieces on
// the board, and name@1 with only kings and pawns. The phase is measured in 24 units: a knight or
// bishop counts 1, a rook 2 and a queen 4. Most terms are the difference between the player's count
// and the other player's. Ranks are numbered from the owner's side of the board. terms.go documents
// each term.
//
// Sources: Kaufman, The Evaluation of Material Imbalances (1999); Nimzowitsch, My System (1925),
// for passed, backward and isolated pawns, outposts and the seventh rank; Slate and Atkin 1977
// (Chess 4.5) for mobility, the king's shelter and rooks on files.
var classic = features.Terms[position]{
	Name:          "chess/classic",
	Antisymmetric: true,
	Prepare:       (*position).prepare,
	Append:        (*position).appendClassic,
	Phases:        phases,
	Phase:         func(b *position) features.Phase { return b.phase },
	List:          classicTerms,
	Compile:       func(m *models.Linear) features.Compiled { return compile(m, false) },
}

// A side contains a player's army and its attacks, from both the player's point of view and the
// other player's (far).
type side struct {
	moves               bool // whether the side is to move
	army, far           army
	attacks, farAttacks attacks
	reach               reach
	passed              uint64 // the side's passed pawns
	n                   counts
}

// A position is a board from a player's point of view.
type position struct {
	phase    features.Phase
	us, them side
	omitted  omitted
}

// omitted lists the groups of terms that need not be computed, because they have no weight.
type omitted struct{ posts, kingAttack, threats, passers, leads, hits, holds, lines, blocked bool }

func (b *position) place(c *rules.State, p game.Player) {
	white, black := &b.us, &b.them
	if p == 1 {
		white, black = black, white
	}
	white.army.read(c, 0)
	black.far.read(c, 1)
	white.far.turn(&white.army)
	black.army.turn(&black.far)
	b.phase = phaseAt[max(0, full-b.us.army.strength()-b.them.army.strength())]
}

func (b *position) prepare(s game.State, p game.Player) {
	b.begin(s, p)
	b.countPawns()
	b.countPieces()
}

func (b *position) begin(s game.State, p game.Player) {
	c := rules.Of(s)
	us, them := &b.us, &b.them
	us.n, them.n = counts{}, counts{}
	b.place(c, p)
	us.moves = s.Turn() == p
	them.moves = !us.moves
	us.n.castling, them.n.castling = c.CastlingRights(p), c.CastlingRights(1-p)
}

// countPawns computes the terms that depend only on pawns and kings.
func (b *position) countPawns() {
	us, them := &b.us, &b.them
	us.passed = us.army.countPawns(&them.far, &us.n)
	them.passed = them.army.countPawns(&us.far, &them.n)
}

// countPieces computes the remaining terms. It requires the passed pawns, which countPawns sets.
func (b *position) countPieces() {
	us, them := &b.us, &b.them
	us.attacks.count(&us.army, &them.far, &us.reach, &us.n)
	them.attacks.count(&them.army, &us.far, &them.reach, &them.n)
	us.farAttacks, them.farAttacks = us.attacks.turned(), them.attacks.turned()
	for range 2 {
		if !b.omitted.posts {
			us.army.posts(&them.far, us.attacks.pawns, &us.n)
		}
		if !b.omitted.kingAttack {
			us.attacks.countChecks(&us.army, &them.far, &them.farAttacks, &us.n)
		}
		if !b.omitted.threats {
			us.attacks.countThreats(&them.far, &them.farAttacks, us.moves, &us.n)
		}
		if !b.omitted.passers {
			us.army.passers(&them.far, us.passed, &us.n)
		}
		us, them = them, us
	}
}

// differences appends the first n terms, which are differences between the two sides' counts.
func (b *position) differences(n int, x models.Vector) models.Vector {
	return b.phase.AppendCounts(x, phases, features.Numbers[int](&b.us.n)[:n], features.Numbers[int](&b.them.n))
}

func (b *position) appendClassic(x models.Vector) models.Vector {
	us, them := &b.us, &b.them
	x = b.differences(int(counted), x)
	whole := b.whole()
	for i, n := range features.Numbers[int](&whole) {
		x = b.phase.Append(x, (counted+int32(i))*phases, float32(n))
	}
	if n := b.run(); n != 0 {
		x = append(x, models.Term{Index: last, Value: float32(n)})
	}
	return appendPlaces(x, b.phase, &us.army, &them.army)
}

// whole returns the terms that describe the whole position.
func (b *position) whole() (n whole) {
	us, them := &b.us, &b.them
	n.tempo = 1
	if !us.moves {
		n.tempo = -1
	}
	n.oppositeBishops = bishopsApart(&us.army, &them.far) * (us.n.pawn - them.n.pawn)
	lead := us.army.points() - them.army.points()
	if lead > 0 && us.army.pawns == 0 || lead < 0 && them.army.pawns == 0 {
		n.pawnless = lead
	}
	return n
}

// run returns 1 if only the player has an unstoppable pawn, -1 if only the other player has one,
// and 0 otherwise.
func (b *position) run() int {
	us, them := &b.us, &b.them
	return us.army.runs(&them.far, us.moves) - them.army.runs(&us.far, them.moves)
}

// points returns the sum of the usual piece values of an army without its pawns: 3 for a knight or
// bishop, 5 for a rook, and 9 for a queen.
func (a *army) points() int {
	return 3*count(a.knights|a.bishops) + 5*count(a.rooks) + 9*count(a.queens)
}

// bishopsApart returns 1 if each side has one bishop and the bishops are on squares of different
// colours, and 0 otherwise.
func bishopsApart(own, opp *army) int {
	a, b := own.bishops, opp.bishops
	apart := a != 0 && b != 0 && a&(a-1) == 0 && b&(b-1) == 0 && (a&lightSquares == 0) != (b&lightSquares == 0)
	return one(apart)
}

// attacks contains the squares attacked by a player's pieces of each kind.
type attacks struct {
	pawns, knights, bishops, rooks, queens, king uint64
	all, twice                                   uint64
}

// A reach contains the squares attacked by each individual knight, bishop, rook and queen. These
// include squares behind the queens and rooks that the method count treats as transparent. The
// kinds are in this order, and the pieces of each kind begin with the one on the lowest square. A
// side has at most 15 such pieces.
type reach [16]uint64

func (r *attacks) turned() attacks {
	return attacks{turn(r.pawns), turn(r.knights), turn(r.bishops), turn(r.rooks), turn(r.queens), turn(r.king), turn(r.all), turn(r.twice)}
}

func (r *attacks) add(squares uint64) {
	r.twice |= r.all & squares
	r.all |= squares
}

// count sets the counts that do not depend on the squares attacked by the other player's pieces. It
// also computes the squares that own's pieces attack, in total and for each piece. Bishops attack
// through their own queens, and rooks through their own queens and rooks.
func (r *attacks) count(own, opp *army, each *reach, n *counts) {
	*r = attacks{}
	own.material(n)
	// Knights and rooks gain or lose value with the number of pawns, measured from five (Kaufman
	// 1999).
	n.knightPawns, n.rookPawns = n.knight*(n.pawn-5), n.rook*(n.pawn-5)
	n.knightPair, n.rookPair = one(n.knight > 1), one(n.rook > 1)
	occupied := own.all | opp.all
	theirPawns := sides(opp.pawns >> 8)
	// Mobility excludes squares with the player's own pawns or king, and squares attacked by enemy
	// pawns.
	area := ^(own.pawns | own.king | theirPawns)
	king := bits.TrailingZeros64(own.king)
	ring := rules.KingAttacks(bits.TrailingZeros64(opp.king)) | opp.king

	r.king = rules.KingAttacks(king)
	r.pawns = sides(own.pawns << 8)
	r.all = r.king
	r.twice = west(own.pawns<<8) & east(own.pawns<<8)
	r.add(r.pawns)
	attackers, hits, pieces := 0, 0, 0
	mobility := func(squares uint64) int {
		each[pieces&15] = squares
		pieces++
		r.add(squares)
		if h := count(squares & ring); h > 0 {
			attackers++
			hits += h
		}
		return count(squares & area)
	}
	for b := own.knights; b != 0; b &= b - 1 {
		squares := rules.KnightAttacks(bits.TrailingZeros64(b))
		r.knights |= squares
		m := mobility(squares)
		n.knightMobility += m
		n.knightStuck += one(m < 2)
	}
	for b := own.bishops; b != 0; b &= b - 1 {
		squares := rules.BishopAttacks(bits.TrailingZeros64(b), occupied&^own.queens)
		r.bishops |= squares
		m := mobility(squares)
		n.bishopMobility += m
		n.bishopStuck += one(m < 3)
	}
	for b := own.rooks; b != 0; b &= b - 1 {
		squares := rules.RookAttacks(bits.TrailingZeros64(b), occupied&^(own.queens|own.rooks))
		r.rooks |= squares
		m := mobility(squares)
		n.rookMobility += m
		n.rookStuck += one(m < 4)
	}
	for b := own.queens; b != 0; b &= b - 1 {
		sq := bits.TrailingZeros64(b)
		squares := rules.BishopAttacks(sq, occupied) | rules.RookAttacks(sq, occupied)
		r.queens |= squares
		n.queenMobility += mobility(squares)
	}
	n.ringAttackers, n.ringHits = attackers, hits
}

// posts counts the pieces on good and bad squares, depending on the pawns.
func (own *army) posts(opp *army, guarded uint64, n *counts) {
	theirs := sides(opp.pawns >> 8)
	ourFiles, theirFiles := files(own.pawns), files(opp.pawns)
	n.rookOpen = count(own.rooks &^ (ourFiles | theirFiles))
	n.rookSemiOpen = count(own.rooks &^ ourFiles & theirFiles)
	const seventh = rank1 << 48
	if opp.king>>56 != 0 || opp.pawns&seventh != 0 {
		n.rookSeventh = count((own.rooks | own.queens) & seventh)
	}
	// safe contains the squares that no enemy pawn can attack now or after advancing.
	safe := ^down(sides(opp.pawns) >> 8)
	const far = rank1<<24 | rank1<<32 | rank1<<40
	n.outpostKnight = count(own.knights & guarded & safe & far)
	n.outpostBishop = count(own.bishops & guarded & safe & far)
	for b := own.bishops; b != 0; b &= b - 1 {
		colour := lightSquares
		if b&-b&lightSquares == 0 {
			colour = ^lightSquares
		}
		n.badBishop += count(own.pawns & colour)
	}
	n.minorShielded = count((own.knights | own.bishops) & ((own.pawns | opp.pawns) >> 8))
	const middle = (fileA<<2 | fileA<<3 | fileA<<4 | fileA<<5) & (rank1<<8 | rank1<<16 | rank1<<24)
	open := middle &^ (own.pawns | theirs)
	n.space = count(open) + count(open&down(own.pawns>>8))
}

// cover counts the pawns and the open files in front of the king.
func (own *army) cover(opp *army, n *counts) {
	around := own.king | sides(own.king)
	n.shield = count(around << 8 & own.pawns)
	n.shieldFar = count(around << 16 & own.pawns)
	row := files(around) & rank1
	ours, theirs := files(own.pawns), files(opp.pawns)
	n.kingSemiOpen = count(row &^ ours & theirs)
	n.kingOpen = count(row &^ ours &^ theirs)
	n.storm = count((around<<16 | around<<24) & opp.pawns)
}

// countChecks computes those terms for attacks on the king that depend on the squares attacked by
// the other player.
func (r *attacks) countChecks(own, opp *army, their *attacks, n *counts) {
	theirKing := bits.TrailingZeros64(opp.king)
	ring := rules.KingAttacks(theirKing)
	// These are the attacked squares around the king that only the king defends.
	weak := ring & r.all &^ (their.pawns | their.knights | their.bishops | their.rooks | their.queens | their.twice)
	n.ringWeak = count(weak)
	n.danger = n.ringAttackers * (n.ringHits + count(weak))

	occupied := own.all | opp.all
	safe := ^own.all & (^their.all | r.twice&^their.twice&^their.pawns&their.king&^(their.knights|their.bishops|their.rooks|their.queens))
	diagonal, straight := rules.BishopAttacks(theirKing, occupied), rules.RookAttacks(theirKing, occupied)
	n.knightCheck = one(rules.KnightAttacks(theirKing)&r.knights&safe != 0)
	n.bishopCheck = one(diagonal&r.bishops&safe != 0)
	n.rookCheck = one(straight&r.rooks&safe != 0)
	n.queenCheck = one((diagonal|straight)&r.queens&safe != 0)
}

// countThreats computes the terms for attacks on pieces and pawns.
func (r *attacks) countThreats(opp *army, their *attacks, moves bool, n *counts) {
	// If it is the player's move, the player can capture the attacked pieces. Otherwise, these
	// pieces can still move away.
	pawn, minor, rook, hanging, loose := &n.pawnThreat, &n.minorThreat, &n.rookThreat, &n.hanging, &n.loosePawn
	if moves {
		pawn, minor, rook, hanging, loose = &n.pawnThreatMove, &n.minorThreatMove, &n.rookThreatMove, &n.hangingMove, &n.loosePawnMove
	}
	pieces := opp.all &^ (opp.pawns | opp.king)
	*pawn = count(r.pawns & pieces)
	*minor = count((r.knights | r.bishops) & (opp.rooks | opp.queens))
	*rook = count(r.rooks & opp.queens)
	*hanging = count(r.all & pieces &^ their.all)
	*loose = count(r.all & opp.pawns &^ their.all)
}
