package doudizhu

import "plyfit/game"

// Beside the ranks: how things stand, the cards of the opponent who has
// fewest, and those of the other farmer.
const (
	nothingToBeat = iota
	ownToBeat
	partnersToBeat
	rivalsToBeat
	standings
)

// steps are those that cards of others are given in: 0 (or no one), 1, 2, up to 4, up to 8, more.
const steps = 6

func step(cards int) uint8 {
	for i, most := range [steps - 1]int{0, 1, 2, 4, 8} {
		if cards <= most {
			return uint8(i)
		}
	}
	return steps - 1
}

// Cells implements [game.Celled]: counts, a cell for each rank, of the player's own hand
// and of the cards that are hidden from him.
func (s *State) Cells() game.Cells {
	return game.Cells{
		Rows: 2, Columns: Ranks, States: 5,
		Legend: "how many of the rank, from 3 to the jokers: above in the own hand, below not seen",
		Apart:  !s.bid, Beside: []int{standings, steps, steps},
	}
}

func (s *State) Fill(p game.Player, dst []uint8) {
	unseen := s.Unseen(p)
	for r, n := range s.Hand(p) {
		dst[r], dst[Ranks+r] = uint8(n), uint8(unseen[r])
	}
	beside := dst[2*Ranks:]
	clear(beside)
	l := s.Landlord()
	if l < 0 {
		return
	}
	if p != l {
		beside[2] = step(s.Hand(Players - l - p).Count())
	}
	beside[1] = step(s.Fewest(p))
	switch last, by := s.Last(); {
	case last.Kind == Other:
	case by == p:
		beside[0] = ownToBeat
	case p != l && by != l:
		beside[0] = partnersToBeat
	default:
		beside[0] = rivalsToBeat
	}
}
