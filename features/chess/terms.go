package chess

import (
	"slices"
	"unsafe"

	"plyfit/features"
)

// counts contains the terms that are differences of counts, with material first. The terms tagged
// pawns depend only on pawns and kings, so that their sum can be cached.
type counts struct {
	pawn       int `doc:"pawns"`
	knight     int `doc:"knights"`
	bishop     int `doc:"bishops"`
	rook       int `doc:"rooks"`
	queen      int `doc:"queens"`
	bishopPair int `doc:"1 for bishops on both colours"`

	knightPawns int `doc:"knights times the own pawns beyond five"`
	rookPawns   int `doc:"rooks times the own pawns beyond five"`
	knightPair  int `doc:"1 for two knights or more"`
	rookPair    int `doc:"1 for two rooks or more"`

	knightMobility int `doc:"squares that knights attack, without those of the own king and pawns and those that enemy pawns attack"`
	bishopMobility int `doc:"the same of bishops, which see through queens"`
	rookMobility   int `doc:"the same of rooks, which see through rooks and queens"`
	queenMobility  int `doc:"the same of queens"`

	knightStuck int `doc:"knights with fewer than 2 such squares"`
	bishopStuck int `doc:"bishops with fewer than 3"`
	rookStuck   int `doc:"rooks with fewer than 4"`

	doubled      int `doc:"pawns with another ahead" of:"pawns"`
	isolated     int `doc:"pawns with none on the files beside" of:"pawns"`
	isolatedOpen int `doc:"isolated pawns on files without enemy pawns" of:"pawns"`
	backward     int `doc:"pawns with none beside or behind on the files beside, and an enemy pawn that guards the square ahead" of:"pawns"`
	supported    int `doc:"pawns guarded by a pawn" of:"pawns"`
	phalanx      int `doc:"pawns with a pawn beside" of:"pawns"`
	chainRank    int `doc:"ranks beyond the first that supported and phalanx pawns have come" of:"pawns"`
	candidate    int `doc:"pawns with nothing ahead on the file, and as many friends to help as enemies to pass" of:"pawns"`
	islands      int `doc:"groups of neighbouring files with pawns" of:"pawns"`

	passed2         int `doc:"passed pawns on the second rank (on the seventh every pawn is one: see the squares)" of:"pawns"`
	passed3         int `doc:"on the third" of:"pawns"`
	passed4         int `doc:"on the fourth" of:"pawns"`
	passed5         int `doc:"on the fifth" of:"pawns"`
	passed6         int `doc:"on the sixth" of:"pawns"`
	passedGuarded   int `doc:"passed pawns with a pawn that guards them or stands beside" of:"pawns"`
	passedBlocked   int `doc:"passed pawns with an enemy right ahead"`
	passedFree      int `doc:"passed pawns with nothing ahead at all"`
	passedOwnKing   int `doc:"moves from the square ahead of passed pawns to the own king, times ranks beyond the third" of:"pawns"`
	passedTheirKing int `doc:"the same to the enemy king" of:"pawns"`
	passedRook      int `doc:"passed pawns with an own rook behind"`

	shield       int `doc:"pawns one rank before the king, on his file and beside" of:"pawns"`
	shieldFar    int `doc:"pawns two ranks before him" of:"pawns"`
	kingSemiOpen int `doc:"of these files, those with enemy pawns alone" of:"pawns"`
	kingOpen     int `doc:"of these files, those without any pawn" of:"pawns"`
	storm        int `doc:"enemy pawns on them, two or three ranks ahead" of:"pawns"`
	castling     int `doc:"castling rights left"`

	ringAttackers int `doc:"pieces that attack the enemy king's ring, the squares around him"`
	ringHits      int `doc:"the squares of it that they attack, summed"`
	ringWeak      int `doc:"attacked squares of it that only the king guards"`
	danger        int "doc:\"`ring-attackers` times the sum of the other two\""
	knightCheck   int `doc:"1 where a knight can give check from a safe square"`
	bishopCheck   int `doc:"1 where a bishop can"`
	rookCheck     int `doc:"1 where a rook can"`
	queenCheck    int `doc:"1 where a queen can"`

	rookOpen      int `doc:"rooks on files without pawns"`
	rookSemiOpen  int `doc:"rooks on files with enemy pawns alone"`
	rookSeventh   int `doc:"rooks and queens on the seventh rank, where the enemy king stands behind or pawns on it"`
	outpostKnight int `doc:"knights on ranks 4 to 6, guarded by a pawn, safe from pawns for good"`
	outpostBishop int `doc:"bishops likewise"`
	badBishop     int `doc:"for each bishop, own pawns on squares of its colour"`
	minorShielded int `doc:"knights and bishops right behind a pawn"`
	space         int `doc:"safe squares of files c to f, ranks 2 to 4; those behind own pawns twice"`

	pawnThreat      int `doc:"pieces attacked by pawns of the side not to move"`
	pawnThreatMove  int `doc:"by pawns of the side to move, which can take at once"`
	minorThreat     int `doc:"rooks and queens attacked by knights and bishops of the side not to move"`
	minorThreatMove int `doc:"of the side to move"`
	rookThreat      int `doc:"queens attacked by rooks of the side not to move"`
	rookThreatMove  int `doc:"of the side to move"`
	hanging         int `doc:"pieces attacked by the side not to move and not guarded"`
	hangingMove     int `doc:"by the side to move"`
	loosePawn       int `doc:"pawns attacked by the side not to move and not guarded"`
	loosePawnMove   int `doc:"by the side to move"`
}

// whole contains the terms of the whole position.
type whole struct {
	tempo           int `doc:"1 for the side to move"`
	oppositeBishops int `doc:"the difference in pawns, where each has one bishop, of different colours"`
	pawnless        int `doc:"the lead in pieces (3, 3, 5, 9) of a player without pawns"`
}

// The counts are followed by the terms of the whole position and then by the squares.
const (
	materialTerms = 6
	counted       = int32(unsafe.Sizeof(counts{}) / unsafe.Sizeof(0))
	terms         = counted + int32(unsafe.Sizeof(whole{})/unsafe.Sizeof(0))
)

// classicTerms lists all terms of chess/classic. A new term is one more line at the end, with a
// Value function.
var classicTerms = slices.Concat(features.Fields[position](counts{}), features.Fields[position](whole{}), squareTerms(), []features.Term[position]{
	{Name: "unstoppable", Doc: "1 where a bare king is outside the square of a pawn (one weight, no phases)", Flat: true},
})
