package doudizhu

import "plyfit/game"

// Content of the additional cells after the ranks: the owner of the play to beat, the smallest
// number of cards held by an opponent, and the number of cards held by the other farmer.
const (
	nothingToBeat = iota
	ownToBeat
	partnersToBeat
	rivalsToBeat
	standings
)

// steps is the number of groups into which the other players' numbers of cards are divided: 0 (or
// no player), 1, 2, up to 4, up to 8, and more.
const steps = 6

func step(cards int) uint8 {
	for i, most := range [steps - 1]int{0, 1, 2, 4, 8} {
		if cards <= most {
			return uint8(i)
		}
	}
	return steps - 1
}

// Cells implements [game.Celled]. For each rank, one cell contains the number of cards in the
// player's hand, and another contains the number of cards that the player has not seen.
func (s *State) Cells() game.Cells {
	return game.Cells{
		Rows: 2, Columns: Ranks, States: 5,
		Legend: "number of cards of each rank, from 3 to the jokers; the first row is the hand, the second row the unseen cards",
		Apart:  !s.bid, Extra: []int{standings, steps, steps},
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
