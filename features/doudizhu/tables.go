package doudizhu

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/doudizhu"
	"plyfit/models"
)

// tables is the set doudizhu/tables: small tables with one active weight each (of hand and unseen
// one for each rank), and separate weights for the landlord, for each farmer by seat, and for
// bidding. All depends on what the player sees.
type tables struct{ features.Outline }

var _ features.Set = (*tables)(nil)

// The roles that have tables of their own.
const (
	alone = iota // the landlord
	below        // the farmer who plays right after him
	above        // the one who plays right before him
	offer        // who bids
	seats
)

var seatNames = [seats]string{"landlord", "below", "above", "bidder"}

// The tables of each role.
const (
	base         = iota
	handRanks    // by rank and how many of it the hand holds
	unseenRanks  // the same of the cards not seen
	playsStand   // plays that the hand needs, by how things stand
	playsRival   // by the cards of the opponent who has fewest
	playsPartner // by those of the other farmer
	losersStand  // groups of the hand that cards not seen can beat, by how things stand
	winners      // groups that they cannot
	heldBy       // the player's own play on the table: its kind, how many can beat it, whether an opponent is about to go out
	partnerHeld  // the other farmer's: its kind and how many can beat it
	rivalHeld    // an opponent's: its kind and whether the hand can beat it
	ownBombs     // the rocket counting as one
	unseenBombs  // that others may hold
	tableCount
)

// How things stand.
const (
	leads   = iota // the player's move, with nothing to beat
	follows        // the player's move
	holds          // his play lies on the table
	partnerHolds
	rivalHolds
	standings
)

// Sizes of the tables' keys: larger values count as the last.
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

// tableFrom is where a role's tables begin among its weights; the last is their sum.
var tableFrom = func() (from [tableCount + 1]int32) {
	for i, shape := range tableShapes {
		from[i+1] = from[i] + int32(shape.size)
	}
	return from
}()

// newTables is the set doudizhu/tables, for what only many games teach: which cards are
// worth keeping, how many plays win a race, who beats what lies on the table.
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
		seat = int(board.Players+p-l) % board.Players // alone, below, above
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

// writer appends the weights of a role that count.
type writer struct {
	from   int32
	x      models.Vector
	stands int // how things do
}

func (w *writer) add(table, key int) {
	w.x = append(w.x, models.Term{Index: w.from + tableFrom[table] + int32(key), Value: 1})
}

// table looks at what is to be beaten.
func (w *writer) table(s *board.State, p game.Player, own, unseen *board.Cards) {
	l := s.Landlord()
	last, by := s.Last()
	switch {
	case last.Kind == board.Other && s.Turn() == p:
		w.stands = leads
	case last.Kind == board.Other:
		w.stands = rivalHolds // someone else leads
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

// few sorts a number of cards into kinds, several one of beaters.
func few(cards int) int { return kindOf(cards, 1, 2, 3, 4, 7, 11, 16) }

func several(beaters int) int { return kindOf(beaters, 0, 1, 2, 4, 7) }

// kindOf is the place of the first of these limits that n does not exceed.
func kindOf(n int, most ...int) int {
	for i, limit := range most {
		if n <= limit {
			return i
		}
	}
	return len(most)
}
