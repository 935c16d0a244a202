package doudizhu

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/doudizhu"
	"plyfit/models"
)

// tables is the set doudizhu/tables. It consists of small tables with at most one active weight
// each, except that the tables for the hand and for the unseen cards have one active weight for
// each rank. The landlord, each farmer by seat and the bidder have separate weights. All features
// depend only on what the player knows.
type tables struct{ features.Outline }

var _ features.Set = (*tables)(nil)

// Roles with separate tables.
const (
	alone = iota // landlord
	below        // farmer who plays right after the landlord
	above        // farmer who plays right before the landlord
	offer        // bidder
	seats
)

var seatNames = [seats]string{"landlord", "below", "above", "bidder"}

// Tables of each role.
const (
	base         = iota
	handRanks    // rank, and number of its cards in the hand
	unseenRanks  // rank, and number of its cards among the unseen cards
	playsStand   // number of plays that the hand needs, and the standing
	playsRival   // number of plays, and number of cards of the opponent with the fewest cards
	playsPartner // number of plays, and number of cards of the other farmer
	losersStand  // number of groups that unseen cards can beat, and the standing
	winners      // number of groups that unseen cards cannot beat
	heldBy       // own play on the table: its kind, number of plays that beat it, fewest cards of an opponent
	partnerHeld  // other farmer's play on the table: its kind, number of plays that beat it
	rivalHeld    // opponent's play on the table: its kind, whether the hand can beat it
	ownBombs     // number of own bombs, including the rocket
	unseenBombs  // number of bombs among the unseen cards
	tableCount
)

// Standings: whose move it is and whose play is on the table.
const (
	leads        = iota // player's move, with nothing to beat
	follows             // player's move, with a play to beat
	holds               // player's own play on the table
	partnerHolds        // other farmer's play on the table
	rivalHolds          // opponent's play on the table, or another player's lead
	standings
)

// Numbers of keys in the tables. Values beyond the last key count as the last key.
const (
	ranksKeys   = 5 * board.Ranks
	playsKeys   = 13
	fewPlays    = 9
	cardsKeys   = 8
	losersKeys  = 9
	kindsKeys   = int(board.Rocket) + 1
	beatersKeys = 6
	closeKeys   = 3
	bombsKeys   = 4
)

var tableShapes = [tableCount]struct {
	name string
	size int
}{
	base: {"one", 1}, handRanks: {"hand", ranksKeys}, unseenRanks: {"unseen", ranksKeys},
	playsStand: {"plays-stand", playsKeys * standings}, playsRival: {"plays-rival", fewPlays * cardsKeys},
	playsPartner: {"plays-partner", fewPlays * cardsKeys}, losersStand: {"losers-stand", losersKeys * standings},
	winners: {"winners", losersKeys}, heldBy: {"held", kindsKeys * beatersKeys * closeKeys},
	partnerHeld: {"partner-held", kindsKeys * beatersKeys}, rivalHeld: {"rival-held", kindsKeys * 2},
	ownBombs: {"bombs", bombsKeys}, unseenBombs: {"unseen-bombs", bombsKeys},
}

// tableFrom contains the index of the first weight of each of a role's tables, followed by the
// total number of weights.
var tableFrom = func() (from [tableCount + 1]int32) {
	for i, shape := range tableShapes {
		from[i+1] = from[i] + int32(shape.size)
	}
	return from
}()

// newTables returns the set doudizhu/tables. It covers questions that take many games to learn,
// such as which cards to keep, how many plays win a race, and who can beat the play on the table.
func newTables() features.Set {
	t := &tables{features.Outline{Called: "doudizhu/tables"}}
	for _, seat := range seatNames {
		for _, shape := range tableShapes {
			t.Add(features.Block{Name: seat + "-" + shape.name, Len: shape.size})
		}
	}
	return t
}

func (t *tables) Extract(st game.State, p game.Player, x models.Vector) models.Vector {
	s := st.(*board.State)
	l := s.Landlord()
	own, unseen := s.Hand(p), s.Unseen(p)
	seat := offer
	if l >= 0 {
		seat = int(board.Players+p-l) % board.Players // position relative to the landlord: alone, below or above
	}
	w := writer{from: int32(seat) * tableFrom[tableCount], x: x}
	w.add(base, 0)
	for r := range board.Ranks {
		w.add(handRanks, 5*r+int(own[r]))
		w.add(unseenRanks, 5*r+int(unseen[r]))
	}
	w.add(ownBombs, min(fours(own), bombsKeys-1))
	w.add(unseenBombs, min(fours(&unseen), bombsKeys-1))
	beaten, safe := split(own, &unseen)
	needs := beaten + safe
	w.add(winners, min(safe, losersKeys-1))
	if l < 0 {
		w.add(playsStand, min(needs, playsKeys-1)*standings)
		w.add(losersStand, min(beaten, losersKeys-1)*standings)
		return w.x
	}
	w.table(s, p, own, &unseen)
	if p != l {
		w.add(playsPartner, min(needs, fewPlays-1)*cardsKeys+few(s.Hand(board.Players-l-p).Count()))
	}
	w.add(playsStand, min(needs, playsKeys-1)*standings+w.stands)
	w.add(losersStand, min(beaten, losersKeys-1)*standings+w.stands)
	w.add(playsRival, min(needs, fewPlays-1)*cardsKeys+few(s.Fewest(p)))
	return w.x
}

// A writer appends the active weights of a role.
type writer struct {
	from   int32
	x      models.Vector
	stands int // index of the standing
}

func (w *writer) add(table, key int) {
	w.x = append(w.x, models.Term{Index: w.from + tableFrom[table] + int32(key), Value: 1})
}

// table sets the standing and adds the weight for the play on the table.
func (w *writer) table(s *board.State, p game.Player, own, unseen *board.Cards) {
	l := s.Landlord()
	last, by := s.Last()
	switch {
	case last.Kind == board.Other && s.Turn() == p:
		w.stands = leads
	case last.Kind == board.Other:
		w.stands = rivalHolds // another player leads
	case by == p:
		w.stands = holds
		w.add(heldBy, (int(last.Kind)*beatersKeys+several(beaters(&last, unseen)))*closeKeys+min(s.Fewest(p), closeKeys)-1)
	case p != l && by != l:
		w.stands = partnerHolds
		w.add(partnerHeld, int(last.Kind)*beatersKeys+several(beaters(&last, unseen)))
	default:
		w.stands = rivalHolds
		can := 0
		if beaters(&last, own) > 0 {
			can = 1
		}
		w.add(rivalHeld, 2*int(last.Kind)+can)
	}
	if s.Turn() == p && w.stands != leads {
		w.stands = follows
	}
}

// few returns the bucket for a number of cards, and several returns the bucket for the number of
// plays that beat a given play.
func few(cards int) int { return kindOf(cards, 1, 2, 3, 4, 7, 11, 16) }

func several(beaters int) int { return kindOf(beaters, 0, 1, 2, 4, 7) }

// kindOf returns the index of the first limit that n does not exceed, or the number of limits if n
// exceeds all of them.
func kindOf(n int, most ...int) int {
	for i, limit := range most {
		if n <= limit {
			return i
		}
	}
	return len(most)
}
