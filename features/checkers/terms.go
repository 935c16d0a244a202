// Package checkers provides three feature sets for English draughts. The set checkers/terms
// contains the quantities that players count, by phase. The set checkers/material contains the
// numbers of men and kings. The set checkers/patterns contains the terms of checkers/terms and
// tables of arrangements of men.
package checkers

import (
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/checkers"
	"plyfit/models"
)

// phases is the number of points in the game at which a term has its own weight: with 24, 12 and 0
// pieces on the board.
const phases = 3

// counts contains the terms that are differences of counts.
type counts struct {
	men          int `doc:"men"`
	kings        int `doc:"kings"`
	backRow      int `doc:"men on squares 1 to 4"`
	bridge       int `doc:"1 if there are men on squares 1 and 3, which guard the home row"`
	triangle     int `doc:"1 if there are men on squares 2, 3 and 7"`
	centre       int `doc:"men on 10, 11, 14, 15, 18, 19, 22, 23"`
	kingsCentre  int "doc:\"kings on the squares of `centre`\""
	advance      int `doc:"total number of rows that men have advanced"`
	sides        int `doc:"men on the outer files"`
	mobility     int `doc:"steps, excluding jumps, that the player could make if it were that player's turn"`
	trapped      int `doc:"kings that can neither step nor jump"`
	runaway      int `doc:"men with no enemy pieces on any square ahead of them"`
	dogHole      int `doc:"1 if there is a man on square 28 and an enemy man on square 32"`
	doubleCorner int `doc:"kings on 1, 5, 6, 27, 28, 32"`
	jump         int `doc:"1 if the player could jump if it were that player's turn"`
}

// whole lists the terms that describe the whole position. They follow the counts.
var whole = [...]features.Term[position]{
	{Name: "trade", Doc: "difference in pieces divided by their total, which favours exchanges for the player with more pieces"},
	{Name: "opposition", Doc: "if both players have the same number of pieces, 1 for the player who has the move: the player to move if an odd number of pieces is on the files of that player's home row, otherwise the other player"},
	{Name: "tempo", Doc: "1 for the side to move"},
}

const board = 0x7fbfdfeff // the 32 squares

// Squares from the point of view of the player whose men move from 1 to 32.
var (
	homeRow       = rules.Squares(1, 2, 3, 4)
	bridgeSquares = rules.Squares(1, 3)
	oreo          = rules.Squares(2, 3, 7)
	centreSquares = rules.Squares(10, 11, 14, 15, 18, 19, 22, 23)
	sideSquares   = rules.Squares(4, 5, 12, 13, 20, 21, 28, 29)
	doubleCorners = rules.Squares(1, 5, 6, 27, 28, 32)
	hole          = rules.Squares(28)
	holeGuard     = rules.Squares(32)
	// system contains the files that begin on the player's home row.
	system = rules.Squares(1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28)
	// Rows, numbered from 0, whose numbers have the binary digit 1, 2 or 4.
	rows1 = rows(1, 3, 5, 7)
	rows2 = rows(2, 3, 6, 7)
	rows4 = rows(4, 5, 6, 7)
)

// rows returns the squares of the given rows, which are numbered from 0 to 7.
func rows(numbers ...int) (set uint64) {
	for _, r := range numbers {
		set |= rules.Squares(4*r+1, 4*r+2, 4*r+3, 4*r+4)
	}
	return set
}

// classic is the set checkers/terms. It contains the quantities that players count. Each term has a
// weight that is linear between three phases (name@0 with 24 pieces on the board, name@2 with
// none). All terms except the last three are the difference between the player's count and the
// other player's. Squares are numbered from the player's own side of the board.
//
// Sources: Samuel 1959 and 1967 for most of the terms; Schaeffer and others 1992 (Chinook); Pask,
// Starting Out in Checkers (the move, the bridge).
var classic = features.Terms[position]{
	Name:          "checkers/terms",
	Antisymmetric: true,
	Prepare:       (*position).prepare,
	Append:        (*position).append,
	Phases:        phases,
	Phase:         func(b *position) features.Phase { return b.phase },
	List:          append(features.Fields[position](counts{}), whole[:]...),
}

// A position is a board from a player's point of view.
type position struct {
	phase        features.Phase
	own, opp     army
	pieces       [2]int  // number of each player's pieces
	turn         float32 // 1 if the player is to move, and -1 otherwise
	mine, theirs counts
}

func (b *position) prepare(s game.State, p game.Player) {
	c := rules.Of(s)
	b.own, b.opp, b.turn = armyOf(c, p), armyOf(c, 1-p), 1
	if s.Turn() != p {
		b.turn = -1
	}
	b.own.counts(&b.mine)
	b.opp.counts(&b.theirs)
	b.mine.mobility, b.theirs.mobility = c.Steps(p), c.Steps(1-p)
	b.mine.jump, b.theirs.jump = one(c.Jumps(p)), one(c.Jumps(1-p))
	b.pieces = [2]int{count(b.own.men | b.own.kings), count(b.opp.men | b.opp.kings)}
	b.phase = features.PhaseAt(b.done(), phases)
}

// done returns the fraction of the game's 24 pieces that are off the board.
func (b *position) done() float64 { return float64(24-b.pieces[0]-b.pieces[1]) / 24 }

func (b *position) append(x models.Vector) models.Vector {
	phase := b.phase
	mine := features.Numbers[int](&b.mine)
	x = phase.AppendCounts(x, phases, mine, features.Numbers[int](&b.theirs))
	values := [len(whole)]float32{2: b.turn}
	if n, m := b.pieces[0], b.pieces[1]; n != m {
		values[0] = float32(n-m) / float32(n+m)
	} else {
		mover := &b.own
		if b.turn < 0 {
			mover = &b.opp
		}
		values[1] = b.turn * float32(2*(count((mover.men|mover.kings|mover.theirMen|mover.theirKings)&system)&1)-1)
	}
	for i, v := range values {
		x = phase.Append(x, int32(len(mine)+i)*phases, v)
	}
	return x
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// counts sets all counts of an army except mobility and jump.
func (a army) counts(n *counts) {
	theirs := a.theirMen | a.theirKings
	empty := board &^ (a.men | a.kings | theirs)
	n.men, n.kings = count(a.men), count(a.kings)
	n.backRow = count(a.men & homeRow)
	n.bridge = one(a.men&bridgeSquares == bridgeSquares)
	n.triangle = one(a.men&oreo == oreo)
	n.centre = count(a.men & centreSquares)
	n.kingsCentre = count(a.kings & centreSquares)
	n.advance = count(a.men&rows1) + 2*count(a.men&rows2) + 4*count(a.men&rows4)
	n.sides = count(a.men & sideSquares)
	free := empty<<4 | empty<<5 | empty>>4 | empty>>5 |
		theirs<<4&(empty<<8) | theirs<<5&(empty<<10) | theirs>>4&(empty>>8) | theirs>>5&(empty>>10)
	n.trapped = count(a.kings &^ free)
	// These squares are ahead of enemy pieces. A man on such a square still has to pass an enemy
	// piece.
	covered := theirs
	for range 7 {
		covered |= (covered>>4 | covered>>5) & board
	}
	n.runaway = count(a.men &^ covered)
	n.dogHole = one(a.men&hole != 0 && a.theirMen&holeGuard != 0)
	n.doubleCorner = count(a.kings & doubleCorners)
}

// An army contains one player's pieces and the other player's pieces. The board is oriented so that
// the player's men move from square 1 to square 32. For White, it is therefore rotated.
type army struct{ men, kings, theirMen, theirKings uint64 }

// turn returns b as seen from the other side of the board.
func turn(b uint64) uint64 { return bits.Reverse64(b) >> 29 }

func armyOf(s *rules.State, p game.Player) army {
	a := army{s.Men(p), s.Kings(p), s.Men(1 - p), s.Kings(1 - p)}
	if p == 1 {
		a = army{turn(a.men), turn(a.kings), turn(a.theirMen), turn(a.theirKings)}
	}
	return a
}

func count(b uint64) int { return bits.OnesCount64(b) }

// material is the set checkers/material. It contains the differences in the numbers of men and
// kings.
var material = features.Terms[army]{
	Name:          "checkers/material",
	Antisymmetric: true,
	Prepare:       func(a *army, s game.State, p game.Player) { *a = armyOf(rules.Of(s), p) },
	List: []features.Term[army]{
		{Name: "men", Doc: "men", Value: func(a *army) float64 { return float64(count(a.men) - count(a.theirMen)) }},
		{Name: "kings", Doc: "kings", Value: func(a *army) float64 { return float64(count(a.kings) - count(a.theirKings)) }},
	},
}

// Profile describes the game to the catalog.
var Profile = features.Profile{
	Sets:   func(*game.Game) []features.Set { return []features.Set{classic.Set(), material.Set(), patterns()} },
	Levels: features.Levels{Options: "quiescence=on", Nodes: 400_000},
	Recipe: features.Recipe{
		Why:      "tables of men can represent exchanges, which single terms cannot",
		Training: []features.Training{{Set: "checkers/patterns", Episodes: 150000, Alpha: 1, Lambda: 0.7, TC: true}},
		Rounds:   2,
		// Without quiescence search, most of the gain comes from captures that the search does not
		// reach. The last two planners search these captures.
		Planners: []string{"alphabeta:depth=1", "alphabeta:depth=3", "alphabeta:depth=5", "alphabeta:depth=3,quiescence=on", "alphabeta:depth=5,quiescence=on"},
		Minimax:  "alphabeta:depth=2,assume=base", Expectimax: "expectimax:depth=2", TwinPairs: 100,
	},
}
