package checkers

import (
	"plyfit/features"
	"plyfit/game"
	rules "plyfit/game/checkers"
	"plyfit/models"
)

// phases is at how many points of the game a term has a weight of its own: 24,
// 12 and 0 pieces on the board.
const phases = 3

// The terms of [Terms], in their order: those counted for each player first.
const (
	men int32 = iota
	kings
	backRow
	bridge
	triangle
	centre
	kingsCentre
	advance
	sides
	mobility
	trapped
	runaway
	dogHole
	doubleCorner
	jump
	counted // so many terms are a difference of counts

	trade = iota - 1
	opposition
	tempo
	terms
)

var termNames = [terms]string{
	men:          "men",
	kings:        "kings",
	backRow:      "back-row",
	bridge:       "bridge",
	triangle:     "triangle",
	centre:       "centre",
	kingsCentre:  "kings-centre",
	advance:      "advance",
	sides:        "sides",
	mobility:     "mobility",
	trapped:      "trapped",
	runaway:      "runaway",
	dogHole:      "dog-hole",
	doubleCorner: "double-corner",
	jump:         "jump",
	trade:        "trade",
	opposition:   "opposition",
	tempo:        "tempo",
}

const board = 0x7fbfdfeff // the 32 squares

// Squares as a player sees them whose men move from 1 to 32.
var (
	homeRow       = squares(1, 2, 3, 4)
	bridgeSquares = squares(1, 3)
	oreo          = squares(2, 3, 7)
	centreSquares = squares(10, 11, 14, 15, 18, 19, 22, 23)
	sideSquares   = squares(4, 5, 12, 13, 20, 21, 28, 29)
	doubleCorners = squares(1, 5, 6, 27, 28, 32)
	hole          = squares(28)
	holeGuard     = squares(32)
	// system are the files that begin on the player's own home row.
	system = squares(1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20, 25, 26, 27, 28)
	rows   = makeRows()
)

func makeRows() (rows [8]uint64) {
	for n := 1; n <= 32; n++ {
		rows[(n-1)/4] |= squares(n)
	}
	return rows
}

// set is that of [Terms].
type set struct {
	mover
	blocks []features.Block
}

// Terms is the set checkers/terms: what players count, each term at three phases
// of the game between which its weight runs in straight lines (name@0 with 24
// pieces on the board, name@2 with none). The first terms are the player's count
// less the other's; squares are numbered as black sees them, white's as from the
// other side:
//
//	men, kings     pieces
//	back-row       men still on squares 1 to 4
//	bridge         1 for men on both 1 and 3, which two men guard the row
//	triangle       1 for men on 2, 3 and 7
//	centre         men on the eight squares in the middle
//	kings-centre   kings there
//	advance        rows that the men have come, in all
//	sides          men on the outer files
//	mobility       steps possible, were it his turn, jumps aside
//	trapped        kings that can neither step nor jump
//	runaway        men with nothing of the other's on any square ahead of them
//	dog-hole       1 for a man on 28 with the other's man on 32
//	double-corner  kings on 1, 5, 6, 27, 28 and 32
//	jump           1 where he could jump, were it his turn
//	trade          the difference in pieces by their sum: worth more the fewer stand
//	opposition     with equal numbers, 1 for who has "the move": to move, and an
//	               odd number of pieces on the files of his own home row
//	tempo          1 for who is to move
//
// Sources: Samuel 1959 and 1967, whose terms most of these are; Schaeffer and
// others 1992 (Chinook); Pask, Starting Out in Checkers (the move, the bridge).
func Terms() features.Set {
	t := &set{}
	for _, name := range termNames {
		t.blocks = append(t.blocks, features.Phased(name, phases))
	}
	return t
}

func (t *set) Name() string             { return "checkers/terms" }
func (t *set) Blocks() []features.Block { return t.blocks }

func (t *set) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	c := rules.Of(s)
	own, opp := armyOf(c, p), armyOf(c, 1-p)
	var mine, theirs [counted]int
	own.counts(&mine)
	opp.counts(&theirs)
	mine[mobility], theirs[mobility] = c.Steps(p), c.Steps(1-p)
	mine[jump], theirs[jump] = one(c.Jumps(p)), one(c.Jumps(1-p))

	n, m := count(own.men|own.kings), count(opp.men|opp.kings)
	phase := features.PhaseAt(float64(24-n-m)/24, phases)
	for i := range mine {
		if d := mine[i] - theirs[i]; d != 0 {
			x = phase.Append(x, int32(i)*phases, float32(d))
		}
	}
	turn := float32(1)
	if s.Turn() != p {
		turn = -1
	}
	if n != m {
		x = phase.Append(x, trade*phases, float32(n-m)/float32(n+m))
	} else {
		mover := own
		if turn < 0 {
			mover = opp
		}
		x = phase.Append(x, opposition*phases, turn*float32(2*(count((mover.men|mover.kings|mover.theirMen|mover.theirKings)&system)&1)-1))
	}
	return phase.Append(x, tempo*phases, turn)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// counts fills in what one army has, but mobility and jump.
func (a army) counts(n *[counted]int) {
	theirs := a.theirMen | a.theirKings
	empty := board &^ (a.men | a.kings | theirs)
	n[men], n[kings] = count(a.men), count(a.kings)
	n[backRow] = count(a.men & homeRow)
	n[bridge] = one(a.men&bridgeSquares == bridgeSquares)
	n[triangle] = one(a.men&oreo == oreo)
	n[centre] = count(a.men & centreSquares)
	n[kingsCentre] = count(a.kings & centreSquares)
	for r := 1; r < 8; r++ {
		n[advance] += r * count(a.men&rows[r])
	}
	n[sides] = count(a.men & sideSquares)
	free := empty<<4 | empty<<5 | empty>>4 | empty>>5 |
		theirs<<4&(empty<<8) | theirs<<5&(empty<<10) | theirs>>4&(empty>>8) | theirs>>5&(empty>>10)
	n[trapped] = count(a.kings &^ free)
	// What lies ahead of the other's pieces, seen backwards, no man passes
	// without meeting them.
	met := theirs
	for range 7 {
		met |= (met>>4 | met>>5) & board
	}
	n[runaway] = count(a.men &^ met)
	n[dogHole] = one(a.men&hole != 0 && a.theirMen&holeGuard != 0)
	n[doubleCorner] = count(a.kings & doubleCorners)
}
