package arena

import (
	"slices"

	"plyfit/arena/stats"
)

// SeatResult compares the entrants in one seat of a three-player game, using games with the same
// entrants in the other seats. The seats can be unequal, like those of the landlord and the farmers
// in a card game.
type SeatResult struct {
	Seat     int            `json:"seat"` // player number
	UtilityA stats.Estimate `json:"utility_a"`
	UtilityB stats.Estimate `json:"utility_b"`
	// Difference is the difference between A and B in this seat, given the same deal and the same
	// entrants in the other seats.
	Difference stats.Estimate `json:"difference"`
}

// twins are two games of a pair that differ in the entrant of a single seat.
type twins struct{ withA, withB int }

// seatTwins returns, for each seat, the games of the layout that differ only in that seat. With
// three players, each seat has two such pairs of games: the other seats are taken by one A and one
// B in either order. Other layouts have none.
func (l layout) seatTwins() [][]twins {
	if l.mode != Table {
		return nil
	}
	var all [][]twins
	for seat := range l.shape.Players {
		var found []twins
		for i, with := range l.seats {
			if with[seat] != sideA {
				continue
			}
			other := slices.Clone(with)
			other[seat] = sideB
			for k, seats := range l.seats {
				if slices.Equal(seats, other) {
					found = append(found, twins{i, k})
				}
			}
		}
		if found == nil {
			return nil
		}
		all = append(all, found)
	}
	return all
}

type seatTally struct {
	twins      []twins
	got        [2]stats.Clustered
	difference stats.Clustered
}

// add adds the games of a pair that has already been added to o.
func (s *seatTally) add(seat int, games []GameRecord, o *stats.OpeningCounts, opening, before int) {
	a, b := 0.0, 0.0
	for _, t := range s.twins {
		a += games[t.withA].Utility[seat]
		b += games[t.withB].Utility[seat]
	}
	n := float64(len(s.twins))
	s.got[sideA].Add(a/n, o, opening, before)
	s.got[sideB].Add(b/n, o, opening, before)
	s.difference.Add((a-b)/n, o, opening, before)
}

// bySeat returns the result for each seat, or nil if the layout has no games that differ in only
// one seat.
func (t *tally) bySeat() (out []SeatResult) {
	for seat := range t.seats {
		s := &t.seats[seat]
		out = append(out, SeatResult{
			Seat: seat, UtilityA: t.estimate(&s.got[sideA], t.layout.span()), UtilityB: t.estimate(&s.got[sideB], t.layout.span()),
			Difference: t.estimate(&s.difference, t.layout.apart()),
		})
	}
	return out
}
