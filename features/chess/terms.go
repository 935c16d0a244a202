package chess

import (
	"slices"
	"unsafe"

	"plyfit/features"
)

// counts contains the terms that are differences of counts, beginning with material. The terms with
// the tag pawns depend only on pawns and kings, so their sum can be cached.
type counts struct {
	pawn       int `group:"material" doc:"pawns"`
	knight     int `group:"material" doc:"knights"`
	bishop     int `group:"material" doc:"bishops"`
	rook       int `group:"material" doc:"rooks"`
	queen      int `group:"material" doc:"queens"`
	bishopPair int `group:"material" doc:"1 for bishops on both colours"`

	knightPawns int `group:"imbalance" doc:"number of knights times the number of friendly pawns beyond five"`
	rookPawns   int `group:"imbalance" doc:"number of rooks times the number of friendly pawns beyond five"`
	knightPair  int `group:"imbalance" doc:"1 for at least two knights"`
	rookPair    int `group:"imbalance" doc:"1 for at least two rooks"`

	knightMobility int `group:"mobility" doc:"squares that knights attack, except squares occupied by the player's king or pawns and squares attacked by enemy pawns"`
	bishopMobility int `group:"mobility" doc:"the same for bishops, whose attacks pass through friendly queens"`
	rookMobility   int `group:"mobility" doc:"the same for rooks, whose attacks pass through friendly rooks and queens"`
	queenMobility  int `group:"mobility" doc:"the same for queens"`

	knightStuck int `group:"mobility" doc:"knights with fewer than 2 such squares"`
	bishopStuck int `group:"mobility" doc:"bishops with fewer than 3 such squares"`
	rookStuck   int `group:"mobility" doc:"rooks with fewer than 4 such squares"`

	doubled      int `group:"pawns" doc:"pawns with another friendly pawn ahead on the file" of:"pawns"`
	isolated     int `group:"pawns" doc:"pawns without friendly pawns on the adjacent files" of:"pawns"`
	isolatedOpen int `group:"pawns" doc:"isolated pawns on files without enemy pawns" of:"pawns"`
	backward     int `group:"pawns" doc:"pawns that have friendly pawns on the adjacent files, but only ahead, and whose next square is guarded by an enemy pawn" of:"pawns"`
	supported    int `group:"pawns" doc:"pawns guarded by a pawn" of:"pawns"`
	phalanx      int `group:"pawns" doc:"pawns next to a pawn on the same rank" of:"pawns"`
	chainRank    int `group:"pawns" doc:"total number of ranks advanced by supported and phalanx pawns" of:"pawns"`
	candidate    int `group:"pawns" doc:"pawns that are not passed, have no pawns ahead on the file, and have at least as many friendly pawns to help as enemy pawns to pass" of:"pawns"`
	islands      int `group:"pawns" doc:"groups of adjacent files with pawns" of:"pawns"`

	passed2         int `group:"passed" doc:"passed pawns on the second rank (on the seventh rank every pawn is passed, and only its square counts)" of:"pawns"`
	passed3         int `group:"passed" doc:"passed pawns on the third rank" of:"pawns"`
	passed4         int `group:"passed" doc:"passed pawns on the fourth rank" of:"pawns"`
	passed5         int `group:"passed" doc:"passed pawns on the fifth rank" of:"pawns"`
	passed6         int `group:"passed" doc:"passed pawns on the sixth rank" of:"pawns"`
	passedGuarded   int `group:"passed" doc:"passed pawns with a pawn that guards them or is next to them" of:"pawns"`
	passedBlocked   int `group:"passed" doc:"passed pawns with an enemy piece directly ahead"`
	passedFree      int `group:"passed" doc:"passed pawns with no piece ahead on the file"`
	passedOwnKing   int `group:"passed" doc:"number of king moves from the player's king to the square ahead of each passed pawn, times the pawn's ranks beyond the third" of:"pawns"`
	passedTheirKing int `group:"passed" doc:"number of king moves from the enemy king to the same square, times the pawn's ranks beyond the third" of:"pawns"`
	passedRook      int `group:"passed" doc:"passed pawns with a friendly rook behind them on the file"`

	shield       int `group:"shelter" doc:"pawns one rank ahead of the king, on its file and the adjacent files" of:"pawns"`
	shieldFar    int `group:"shelter" doc:"pawns two ranks ahead of the king, on the same files" of:"pawns"`
	kingSemiOpen int `group:"shelter" doc:"number of these files with enemy pawns only" of:"pawns"`
	kingOpen     int `group:"shelter" doc:"number of these files without pawns" of:"pawns"`
	storm        int `group:"shelter" doc:"enemy pawns on these files, two or three ranks ahead" of:"pawns"`
	castling     int `doc:"castling rights"`

	ringAttackers int `group:"king-attack" doc:"pieces that attack the ring of the enemy king (the king's square and the squares around it)"`
	ringHits      int `group:"king-attack" doc:"number of attacks on squares of the ring"`
	ringWeak      int `group:"king-attack" doc:"attacked squares around the enemy king that only the king guards"`
	danger        int "group:\"king-attack\" doc:\"`ring-attackers` times the sum of `ring-hits` and `ring-weak`\""
	knightCheck   int `group:"king-attack" doc:"1 if a knight can give check from a safe square"`
	bishopCheck   int `group:"king-attack" doc:"1 if a bishop can give check from a safe square"`
	rookCheck     int `group:"king-attack" doc:"1 if a rook can give check from a safe square"`
	queenCheck    int `group:"king-attack" doc:"1 if a queen can give check from a safe square"`

	rookOpen      int `group:"posts" doc:"rooks on files without pawns"`
	rookSemiOpen  int `group:"posts" doc:"rooks on files with enemy pawns only"`
	rookSeventh   int `group:"posts" doc:"rooks and queens on the seventh rank if the enemy king is on the eighth rank or enemy pawns are on the seventh"`
	outpostKnight int `group:"posts" doc:"knights on ranks 4 to 6 that are guarded by a pawn and can never be attacked by an enemy pawn"`
	outpostBishop int `group:"posts" doc:"bishops on such squares"`
	badBishop     int `group:"posts" doc:"sum over bishops of the number of friendly pawns on the bishop's colour"`
	minorShielded int `group:"posts" doc:"knights and bishops directly behind a pawn"`
	space         int `group:"posts" doc:"squares on files c to f and ranks 2 to 4 that are neither occupied by friendly pawns nor attacked by enemy pawns; squares behind friendly pawns count twice"`

	pawnThreat      int `group:"threats" doc:"pieces attacked by pawns of the side not to move"`
	pawnThreatMove  int `group:"threats" doc:"pieces attacked by pawns of the side to move, which can capture immediately"`
	minorThreat     int `group:"threats" doc:"rooks and queens attacked by knights and bishops of the side not to move"`
	minorThreatMove int `group:"threats" doc:"rooks and queens attacked by knights and bishops of the side to move"`
	rookThreat      int `group:"threats" doc:"queens attacked by rooks of the side not to move"`
	rookThreatMove  int `group:"threats" doc:"queens attacked by rooks of the side to move"`
	hanging         int `group:"threats" doc:"unguarded pieces attacked by the side not to move"`
	hangingMove     int `group:"threats" doc:"unguarded pieces attacked by the side to move"`
	loosePawn       int `group:"threats" doc:"unguarded pawns attacked by the side not to move"`
	loosePawnMove   int `group:"threats" doc:"unguarded pawns attacked by the side to move"`
}

// whole contains the terms that describe the whole position.
type whole struct {
	tempo           int `doc:"1 for the side to move"`
	oppositeBishops int `group:"endings" doc:"difference in pawns if each side has one bishop and the bishops are on squares of different colours"`
	pawnless        int `group:"endings" doc:"piece lead (values 3, 3, 5, 9) of a player without pawns"`
}

// The counts are followed by the terms of the whole position and then by the squares.
const (
	materialTerms = 6
	counted       = int32(unsafe.Sizeof(counts{}) / unsafe.Sizeof(0))
	terms         = counted + int32(unsafe.Sizeof(whole{})/unsafe.Sizeof(0))
)

// classicTerms lists all terms of chess/classic.
var classicTerms = slices.Concat(features.Fields[position](counts{}), features.Fields[position](whole{}), squareTerms(), []features.Term[position]{
	{Name: "unstoppable", Group: "passed", Doc: "1 for a pawn that the enemy king cannot catch if the enemy has only a king and pawns (a single weight for all phases)", Flat: true},
})
