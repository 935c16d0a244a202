package chess

import "plyfit/features"

// The terms of classic, in their order: differences of counts first, beginning with those of
// material, then what belongs to the whole position; the squares follow.
const (
	pawn int32 = iota
	knight
	bishop
	rook
	queen
	pair

	knightPawns
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

	tempo
	oppositeBishops
	pawnless
	terms

	materialTerms = pair + 1
	counted       = loosePawnMove + 1 // so many terms are a difference of counts
)

// positionTerms are those of the army and of the position, by their index.
var positionTerms = [terms]features.Term[position]{
	pawn:   {Name: "pawn", Doc: "pawns"},
	knight: {Name: "knight", Doc: "knights"},
	bishop: {Name: "bishop", Doc: "bishops"},
	rook:   {Name: "rook", Doc: "rooks"},
	queen:  {Name: "queen", Doc: "queens"},
	pair:   {Name: "bishop-pair", Doc: "1 for bishops on both colours"},

	knightPawns: {Name: "knight-pawns", Doc: "knights times the own pawns beyond five"},
	rookPawns:   {Name: "rook-pawns", Doc: "rooks times the own pawns beyond five"},
	knightPair:  {Name: "knight-pair", Doc: "1 for two knights or more"},
	rookPair:    {Name: "rook-pair", Doc: "1 for two rooks or more"},

	knightMobility: {Name: "knight-mobility", Doc: "squares that knights attack, without those of the own king and pawns and those that enemy pawns attack"},
	bishopMobility: {Name: "bishop-mobility", Doc: "the same of bishops, which see through queens"},
	rookMobility:   {Name: "rook-mobility", Doc: "the same of rooks, which see through rooks and queens"},
	queenMobility:  {Name: "queen-mobility", Doc: "the same of queens"},

	knightStuck: {Name: "knight-stuck", Doc: "knights with fewer than 2 such squares"},
	bishopStuck: {Name: "bishop-stuck", Doc: "bishops with fewer than 3"},
	rookStuck:   {Name: "rook-stuck", Doc: "rooks with fewer than 4"},

	doubled:      {Name: "doubled", Doc: "pawns with another ahead"},
	isolated:     {Name: "isolated", Doc: "pawns with none on the files beside"},
	isolatedOpen: {Name: "isolated-open", Doc: "isolated pawns on files without enemy pawns"},
	backward:     {Name: "backward", Doc: "pawns with none beside or behind on the files beside, and an enemy pawn that guards the square ahead"},
	supported:    {Name: "supported", Doc: "pawns guarded by a pawn"},
	phalanx:      {Name: "phalanx", Doc: "pawns with a pawn beside"},
	chainRank:    {Name: "chain-rank", Doc: "ranks beyond the first that supported and phalanx pawns have come"},
	candidate:    {Name: "candidate", Doc: "pawns with nothing ahead on the file, and as many friends to help as enemies to pass"},
	islands:      {Name: "islands", Doc: "groups of neighbouring files with pawns"},

	passed2:         {Name: "passed-2", Doc: "passed pawns on the second rank (on the seventh every pawn is one: see the squares)"},
	passed3:         {Name: "passed-3", Doc: "on the third"},
	passed4:         {Name: "passed-4", Doc: "on the fourth"},
	passed5:         {Name: "passed-5", Doc: "on the fifth"},
	passed6:         {Name: "passed-6", Doc: "on the sixth"},
	passedGuarded:   {Name: "passed-guarded", Doc: "passed pawns with a pawn that guards them or stands beside"},
	passedBlocked:   {Name: "passed-blocked", Doc: "passed pawns with an enemy right ahead"},
	passedFree:      {Name: "passed-free", Doc: "passed pawns with nothing ahead at all"},
	passedOwnKing:   {Name: "passed-own-king", Doc: "moves from the square ahead of passed pawns to the own king, times ranks beyond the third"},
	passedTheirKing: {Name: "passed-their-king", Doc: "the same to the enemy king"},
	passedRook:      {Name: "passed-rook", Doc: "passed pawns with an own rook behind"},

	shield:       {Name: "shield", Doc: "pawns one rank before the king, on his file and beside"},
	shieldFar:    {Name: "shield-far", Doc: "pawns two ranks before him"},
	kingSemiOpen: {Name: "king-semi-open", Doc: "of these files, those with enemy pawns alone"},
	kingOpen:     {Name: "king-open", Doc: "of these files, those without any pawn"},
	storm:        {Name: "storm", Doc: "enemy pawns on them, two or three ranks ahead"},
	castle:       {Name: "castling", Doc: "castling rights left"},

	ringAttackers: {Name: "ring-attackers", Doc: "pieces that attack the enemy king's ring, the squares around him"},
	ringHits:      {Name: "ring-hits", Doc: "the squares of it that they attack, summed"},
	ringWeak:      {Name: "ring-weak", Doc: "attacked squares of it that only the king guards"},
	danger:        {Name: "danger", Doc: "`ring-attackers` times the sum of the other two"},
	knightCheck:   {Name: "knight-check", Doc: "1 where a knight can give check from a safe square"},
	bishopCheck:   {Name: "bishop-check", Doc: "1 where a bishop can"},
	rookCheck:     {Name: "rook-check", Doc: "1 where a rook can"},
	queenCheck:    {Name: "queen-check", Doc: "1 where a queen can"},

	rookOpen:      {Name: "rook-open", Doc: "rooks on files without pawns"},
	rookSemiOpen:  {Name: "rook-semi-open", Doc: "rooks on files with enemy pawns alone"},
	rookSeventh:   {Name: "rook-seventh", Doc: "rooks and queens on the seventh rank, where the enemy king stands behind or pawns on it"},
	outpostKnight: {Name: "outpost-knight", Doc: "knights on ranks 4 to 6, guarded by a pawn, safe from pawns for good"},
	outpostBishop: {Name: "outpost-bishop", Doc: "bishops likewise"},
	badBishop:     {Name: "bad-bishop", Doc: "for each bishop, own pawns on squares of its colour"},
	minorShielded: {Name: "minor-shielded", Doc: "knights and bishops right behind a pawn"},
	space:         {Name: "space", Doc: "safe squares of files c to f, ranks 2 to 4; those behind own pawns twice"},

	pawnThreat:      {Name: "pawn-threat", Doc: "pieces attacked by pawns of the side not to move"},
	pawnThreatMove:  {Name: "pawn-threat-move", Doc: "by pawns of the side to move, which can take at once"},
	minorThreat:     {Name: "minor-threat", Doc: "rooks and queens attacked by knights and bishops of the side not to move"},
	minorThreatMove: {Name: "minor-threat-move", Doc: "of the side to move"},
	rookThreat:      {Name: "rook-threat", Doc: "queens attacked by rooks of the side not to move"},
	rookThreatMove:  {Name: "rook-threat-move", Doc: "of the side to move"},
	hanging:         {Name: "hanging", Doc: "pieces attacked by the side not to move and not guarded"},
	hangingMove:     {Name: "hanging-move", Doc: "by the side to move"},
	loosePawn:       {Name: "loose-pawn", Doc: "pawns attacked by the side not to move and not guarded"},
	loosePawnMove:   {Name: "loose-pawn-move", Doc: "by the side to move"},

	tempo:           {Name: "tempo", Doc: "1 for the side to move"},
	oppositeBishops: {Name: "opposite-bishops", Doc: "the difference in pawns, where each has one bishop, of different colours"},
	pawnless:        {Name: "pawnless", Doc: "the lead in pieces (3, 3, 5, 9) of a player without pawns"},
}

// classicTerms are all of classic. One more is one more line at their end, with a
// Value: a function of the position.
var classicTerms = append(append(positionTerms[:len(positionTerms):len(positionTerms)], squareTerms()...),
	features.Term[position]{Name: "unstoppable", Doc: "1 where a bare king is outside the square of a pawn (one weight, no phases)", Flat: true},
)

type counts [counted]int
