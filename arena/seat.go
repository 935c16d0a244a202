package arena

import (
	"slices"

	"plyfit/arena/stats"
)

// SeatResult is what the entrants got in one seat of a game of three, by games with the same
// others: a game's seats may be unequal, as those of a landlord and of farmers.
type SeatResult struct {
	Seat     int            `json:"seat"` // the player's number
	UtilityA stats.Estimate `json:"utility_a"`
	UtilityB stats.Estimate `json:"utility_b"`
	// Difference is A's lead over B there, from the same deal and with the same entrants in other
	// seats.
	Difference stats.Estimate `json:"difference"`
}

// twins are two games of a pair that differ in one seat alone.
type twins struct{ withA, withB int }

// seatTwins are, by seat, the games of a layout that differ in that seat alone. With three players
// each seat has two: the others are one A and one B in either order. Other layouts have none.
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

// add takes the games of a pair that the opening counts have counted.
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

// bySeat is the result of each seat; nil where no games differ in one seat alone.
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
