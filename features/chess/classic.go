package chess

import (
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/chess"
	"plyfit/models"
)

// classic is the set of [Classic].
type classic struct {
	mover
	blocks []features.Block
}

// Classic is the set chess/classic: what players and books count, each term at two
// phases of the game between which its weight runs in a straight line: name@0 with
// all pieces on the board, name@1 with none but kings and pawns, a knight or bishop
// counting 1, a rook 2 and a queen 4 of 24. The first terms are the player's count
// less the other's; ranks are numbered as the owner sees them.
//
// Material:
//
//	pawn ... queen, bishop-pair  pieces; 1 for bishops on both colours
//	knight-pawns, rook-pawns     such pieces times the own pawns beyond five
//	knight-pair, rook-pair       1 for two or more
//
// Mobility, squares attacked but those of the own king and pawns and those that
// enemy pawns attack; bishops see through queens, rooks through rooks and queens:
//
//	knight-mobility ... queen-mobility
//	knight-stuck, bishop-stuck, rook-stuck  pieces with fewer than 2, 3, 4 of them
//
// Pawns:
//
//	doubled        with another ahead
//	isolated       with none on the files beside; isolated-open: and no enemy ahead on the file
//	backward       with none beside or behind on those files, and an enemy guarding the square ahead
//	supported      guarded by a pawn; phalanx: with a pawn beside
//	chain-rank     ranks beyond the first that supported and phalanx pawns have come
//	candidate      nothing ahead on the file, and as many friends to help as enemies to pass
//	islands        groups of neighbouring files with pawns
//	passed-2 to -6 passed pawns by rank (on the seventh rank every pawn is one: see the squares)
//	passed-guarded with a pawn that guards it or stands beside; passed-blocked: an enemy right ahead
//	passed-free    nothing ahead at all; passed-rook: a rook of his behind
//	passed-own-king, passed-their-king  moves from the square ahead to the kings, times ranks beyond the third
//	unstoppable    1 (one weight, no phases) where the other has only pawns and the
//	               king, who is outside a pawn's square
//
// The king; his ring are the squares around him:
//
//	shield, shield-far  pawns one and two ranks before him, on his file and beside
//	king-semi-open, king-open  of these files, those without an own pawn, without any
//	storm          enemy pawns on them, two or three ranks ahead
//	castling       rights left
//	ring-attackers pieces that attack the enemy's ring; ring-hits: the squares they attack, summed
//	ring-weak      attacked squares of it that only the king guards
//	danger         ring-attackers times the sum of the other two
//	knight-check ... queen-check  1 where such a piece can give check from a safe square
//
// Places and threats; -move is what the player to move threatens, who can do it
// at once, the plain name what the other does:
//
//	rook-open, rook-semi-open  rooks on files without pawns, without own pawns
//	rook-seventh   rooks and queens there, where the king stands behind or pawns on it
//	outpost-knight, outpost-bishop  on ranks 4 to 6, guarded by a pawn, safe from pawns for good
//	bad-bishop     for each bishop, own pawns on squares of its colour
//	minor-shielded knights and bishops right behind a pawn
//	space          safe squares of files c to f, ranks 2 to 4; those behind own pawns twice
//	pawn-threat    pieces attacked by pawns; minor-threat: rooks and queens by knights
//	               and bishops; rook-threat: queens by rooks
//	hanging        pieces attacked and not guarded; loose-pawn: such pawns
//
// Of the whole position:
//
//	tempo             1 for who is to move
//	opposite-bishops  the difference in pawns where each has one bishop, of different colours
//	pawnless          the lead in pieces (3, 3, 5, 9) of a player without pawns
//
// and the squares: 1 for each piece, as in knight-c3 for one on c3 or f3, but for
// one square of each kind.
//
// Sources: Kaufman, The Evaluation of Material Imbalances (1999); Nimzowitsch, My
// System (1925), on passed, backward and isolated pawns, outposts and the seventh
// rank; Slate and Atkin 1977 (Chess 4.5) for mobility, king's shelter and rooks on
// files.
func Classic() features.Set {
	c := &classic{}
	for _, name := range termNames {
		c.blocks = append(c.blocks, features.Phased(name, phases))
	}
	for kind := range squareNames {
		for _, name := range placesOf(kind) {
			c.blocks = append(c.blocks, features.Phased(name, phases))
		}
	}
	c.blocks = append(c.blocks, features.Block{Name: "unstoppable", Len: 1})
	return c
}

func (*classic) Name() string               { return "chess/classic" }
func (c *classic) Blocks() []features.Block { return c.blocks }

func (*classic) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	var v sight
	v.look(s, p)
	return v.classic(x)
}

// side is a player's army and what it attacks, seen by himself and by the other.
type side struct {
	moves      bool // it is his turn
	army, far  army
	reach, met reach
	n          counts
}

// sight is a position as a player sees it.
type sight struct {
	phase    features.Phase
	us, them side
}

func (v *sight) look(s game.State, p game.Player) {
	c := rules.Of(s)
	us, them := &v.us, &v.them
	us.army, them.army = armyOf(c, p), armyOf(c, 1-p)
	v.phase = phaseOf(&us.army, &them.army)
	us.moves = s.Turn() == p
	them.moves = !us.moves
	us.n[castle], them.n[castle] = c.CastlingRights(p), c.CastlingRights(1-p)
	us.far, them.far = us.army.turned(), them.army.turned()
	us.reach = survey(&us.army, &them.far, &us.n)
	them.reach = survey(&them.army, &us.far, &them.n)
	us.met, them.met = us.reach.turned(), them.reach.turned()
	us.reach.judge(&us.army, &them.far, &them.met, us.moves, &us.n)
	them.reach.judge(&them.army, &us.far, &us.met, them.moves, &them.n)
}

// classic appends the terms of [Classic].
func (v *sight) classic(x models.Vector) models.Vector {
	us, them := &v.us, &v.them
	for i := range us.n {
		if d := us.n[i] - them.n[i]; d != 0 {
			x = v.phase.Append(x, int32(i)*phases, float32(d))
		}
	}
	turn := float32(1)
	if !us.moves {
		turn = -1
	}
	x = v.phase.Append(x, tempo*phases, turn)
	if n := bishopsApart(&us.army, &them.far) * (us.n[pawn] - them.n[pawn]); n != 0 {
		x = v.phase.Append(x, oppositeBishops*phases, float32(n))
	}
	lead := us.army.points() - them.army.points()
	if lead > 0 && us.army.pawns == 0 || lead < 0 && them.army.pawns == 0 {
		x = v.phase.Append(x, pawnless*phases, float32(lead))
	}
	if n := us.army.runs(&them.far, us.moves) - them.army.runs(&us.far, them.moves); n != 0 {
		x = append(x, models.Term{Index: last, Value: float32(n)})
	}
	return appendPlaces(x, v.phase, &us.army, &them.army)
}

// points are the usual ones of all pieces: 3 a knight or bishop, 5 a rook, 9 a
// queen.
func (a *army) points() int {
	return 3*count(a.knights|a.bishops) + 5*count(a.rooks) + 9*count(a.queens)
}

// bishopsApart is 1 where each side has one bishop, on squares of different
// colours.
func bishopsApart(own, opp *army) int {
	a, b := own.bishops, opp.bishops
	apart := a != 0 && b != 0 && a&(a-1) == 0 && b&(b-1) == 0 && (a&lightSquares == 0) != (b&lightSquares == 0)
	return one(apart)
}

// reach is what a player's pieces attack.
type reach struct {
	pawns, knights, bishops, rooks, queens, king uint64
	all, twice                                   uint64
}

func (r *reach) turned() reach {
	return reach{turn(r.pawns), turn(r.knights), turn(r.bishops), turn(r.rooks), turn(r.queens), turn(r.king), turn(r.all), turn(r.twice)}
}

func (r *reach) add(attacks uint64) {
	r.twice |= r.all & attacks
	r.all |= attacks
}

// survey counts what needs no more of the other player than where his pieces
// stand, and finds what own attacks.
func survey(own, opp *army, n *counts) reach {
	var r reach
	own.material(n)
	// Five pawns are the usual measure of what knights and rooks like (Kaufman 1999).
	n[knightPawns], n[rookPawns] = n[knight]*(n[pawn]-5), n[rook]*(n[pawn]-5)
	n[knightPair], n[rookPair] = one(n[knight] > 1), one(n[rook] > 1)
	occupied := own.all | opp.all
	theirPawns := sides(opp.pawns >> 8)
	// Where a piece does something: not behind its own king or pawns, nor where a
	// pawn takes it.
	area := ^(own.pawns | own.king | theirPawns)
	king := bits.TrailingZeros64(own.king)
	ring := rules.KingAttacks(bits.TrailingZeros64(opp.king)) | opp.king

	r.king = rules.KingAttacks(king)
	r.pawns = sides(own.pawns << 8)
	r.all = r.king
	r.twice = west(own.pawns<<8) & east(own.pawns<<8)
	r.add(r.pawns)
	attackers, hits := 0, 0
	meet := func(attacks uint64) int {
		r.add(attacks)
		if h := count(attacks & ring); h > 0 {
			attackers++
			hits += h
		}
		return count(attacks & area)
	}
	for b := own.knights; b != 0; b &= b - 1 {
		attacks := rules.KnightAttacks(bits.TrailingZeros64(b))
		r.knights |= attacks
		m := meet(attacks)
		n[knightMobility] += m
		n[knightStuck] += one(m < 2)
	}
	for b := own.bishops; b != 0; b &= b - 1 {
		attacks := rules.BishopAttacks(bits.TrailingZeros64(b), occupied&^own.queens)
		r.bishops |= attacks
		m := meet(attacks)
		n[bishopMobility] += m
		n[bishopStuck] += one(m < 3)
	}
	for b := own.rooks; b != 0; b &= b - 1 {
		attacks := rules.RookAttacks(bits.TrailingZeros64(b), occupied&^(own.queens|own.rooks))
		r.rooks |= attacks
		m := meet(attacks)
		n[rookMobility] += m
		n[rookStuck] += one(m < 4)
	}
	for b := own.queens; b != 0; b &= b - 1 {
		sq := bits.TrailingZeros64(b)
		attacks := rules.BishopAttacks(sq, occupied) | rules.RookAttacks(sq, occupied)
		r.queens |= attacks
		n[queenMobility] += meet(attacks)
	}
	n[ringAttackers], n[ringHits] = attackers, hits
	own.structure(opp, r.pawns, theirPawns, n)
	own.posts(opp, r.pawns, theirPawns, n)
	own.cover(opp, king, n)
	return r
}

// posts counts where pieces stand well or badly for the pawns around them.
func (own *army) posts(opp *army, guarded, theirs uint64, n *counts) {
	ourFiles, theirFiles := files(own.pawns), files(opp.pawns)
	n[rookOpen] = count(own.rooks &^ (ourFiles | theirFiles))
	n[rookSemiOpen] = count(own.rooks &^ ourFiles & theirFiles)
	const seventh = rank1 << 48
	if opp.king>>56 != 0 || opp.pawns&seventh != 0 {
		n[rookSeventh] = count((own.rooks | own.queens) & seventh)
	}
	// No pawn can ever attack it there.
	safe := ^down(sides(opp.pawns) >> 8)
	const far = rank1<<24 | rank1<<32 | rank1<<40
	n[outpostKnight] = count(own.knights & guarded & safe & far)
	n[outpostBishop] = count(own.bishops & guarded & safe & far)
	for b := own.bishops; b != 0; b &= b - 1 {
		colour := lightSquares
		if b&-b&lightSquares == 0 {
			colour = ^lightSquares
		}
		n[badBishop] += count(own.pawns & colour)
	}
	n[minorShielded] = count((own.knights | own.bishops) & ((own.pawns | opp.pawns) >> 8))
	const middle = (fileA<<2 | fileA<<3 | fileA<<4 | fileA<<5) & (rank1<<8 | rank1<<16 | rank1<<24)
	open := middle &^ (own.pawns | theirs)
	n[space] = count(open) + count(open&down(own.pawns>>8))
}

// cover counts what stands before the king.
func (own *army) cover(opp *army, king int, n *counts) {
	around := own.king | sides(own.king)
	n[shield] = count(around << 8 & own.pawns)
	n[shieldFar] = count(around << 16 & own.pawns)
	row := files(around) & rank1
	ours, theirs := files(own.pawns), files(opp.pawns)
	n[kingSemiOpen] = count(row &^ ours & theirs)
	n[kingOpen] = count(row &^ ours &^ theirs)
	n[storm] = count((around<<16 | around<<24) & opp.pawns)
}

// judge counts what depends on the squares that the other attacks.
func (r *reach) judge(own, opp *army, their *reach, moves bool, n *counts) {
	theirKing := bits.TrailingZeros64(opp.king)
	ring := rules.KingAttacks(theirKing)
	// Ring squares that only the king guards.
	weak := ring & r.all &^ (their.pawns | their.knights | their.bishops | their.rooks | their.queens | their.twice)
	n[ringWeak] = count(weak)
	n[danger] = n[ringAttackers] * (n[ringHits] + count(weak))

	occupied := own.all | opp.all
	safe := ^own.all & (^their.all | r.twice&^their.twice&^their.pawns&their.king&^(their.knights|their.bishops|their.rooks|their.queens))
	diagonal, straight := rules.BishopAttacks(theirKing, occupied), rules.RookAttacks(theirKing, occupied)
	n[knightCheck] = one(rules.KnightAttacks(theirKing)&r.knights&safe != 0)
	n[bishopCheck] = one(diagonal&r.bishops&safe != 0)
	n[rookCheck] = one(straight&r.rooks&safe != 0)
	n[queenCheck] = one((diagonal|straight)&r.queens&safe != 0)

	// What the mover attacks he takes; what the other attacks can still move.
	late := int32(one(moves))
	pieces := opp.all &^ (opp.pawns | opp.king)
	n[pawnThreat+late] = count(r.pawns & pieces)
	n[minorThreat+late] = count((r.knights | r.bishops) & (opp.rooks | opp.queens))
	n[rookThreat+late] = count(r.rooks & opp.queens)
	n[hanging+late] = count(r.all & pieces &^ their.all)
	n[loosePawn+late] = count(r.all & opp.pawns &^ their.all)
}
