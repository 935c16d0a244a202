package chess

// The terms of [Classic], in their order: differences of counts first, those of
// [Material] at their head, then what belongs to the position as a whole, then the
// squares.
const (
	pawn int32 = iota
	knight
	bishop
	rook
	queen
	pair
	materialTerms

	knightPawns = iota - 1
	rookPawns
	knightPair
	rookPair

	knightMobility
	bishopMobility
	rookMobility
	queenMobility
	knightStuck
	bishopStuck
	rookStuck

	doubled
	isolated
	isolatedOpen
	backward
	supported
	phalanx
	chainRank
	candidate
	islands

	passed2
	passed3
	passed4
	passed5
	passed6
	passedGuarded
	passedBlocked
	passedFree
	passedOwnKing
	passedTheirKing
	passedRook

	shield
	shieldFar
	kingSemiOpen
	kingOpen
	storm
	castle
	ringAttackers
	ringHits
	ringWeak
	danger
	knightCheck
	bishopCheck
	rookCheck
	queenCheck

	rookOpen
	rookSemiOpen
	rookSeventh
	outpostKnight
	outpostBishop
	badBishop
	minorShielded
	space

	pawnThreat
	pawnThreatMove
	minorThreat
	minorThreatMove
	rookThreat
	rookThreatMove
	hanging
	hangingMove
	loosePawn
	loosePawnMove
	counted // so many terms are a difference of counts

	tempo = iota - 2
	oppositeBishops
	pawnless
	terms
)

var termNames = [terms]string{
	pawn: "pawn", knight: "knight", bishop: "bishop", rook: "rook", queen: "queen", pair: "bishop-pair",

	knightPawns: "knight-pawns", rookPawns: "rook-pawns", knightPair: "knight-pair", rookPair: "rook-pair",

	knightMobility: "knight-mobility", bishopMobility: "bishop-mobility", rookMobility: "rook-mobility", queenMobility: "queen-mobility",
	knightStuck: "knight-stuck", bishopStuck: "bishop-stuck", rookStuck: "rook-stuck",

	doubled: "doubled", isolated: "isolated", isolatedOpen: "isolated-open", backward: "backward",
	supported: "supported", phalanx: "phalanx", chainRank: "chain-rank", candidate: "candidate", islands: "islands",

	passed2: "passed-2", passed3: "passed-3", passed4: "passed-4", passed5: "passed-5", passed6: "passed-6",
	passedGuarded: "passed-guarded", passedBlocked: "passed-blocked", passedFree: "passed-free",
	passedOwnKing: "passed-own-king", passedTheirKing: "passed-their-king", passedRook: "passed-rook",

	shield: "shield", shieldFar: "shield-far", kingSemiOpen: "king-semi-open", kingOpen: "king-open", storm: "storm", castle: "castling",
	ringAttackers: "ring-attackers", ringHits: "ring-hits", ringWeak: "ring-weak", danger: "danger",
	knightCheck: "knight-check", bishopCheck: "bishop-check", rookCheck: "rook-check", queenCheck: "queen-check",

	rookOpen: "rook-open", rookSemiOpen: "rook-semi-open", rookSeventh: "rook-seventh",
	outpostKnight: "outpost-knight", outpostBishop: "outpost-bishop", badBishop: "bad-bishop", minorShielded: "minor-shielded", space: "space",

	pawnThreat: "pawn-threat", pawnThreatMove: "pawn-threat-move", minorThreat: "minor-threat", minorThreatMove: "minor-threat-move",
	rookThreat: "rook-threat", rookThreatMove: "rook-threat-move", hanging: "hanging", hangingMove: "hanging-move", loosePawn: "loose-pawn", loosePawnMove: "loose-pawn-move",

	tempo: "tempo", oppositeBishops: "opposite-bishops", pawnless: "pawnless",
}

// counts are those of one player.
type counts [counted]int
