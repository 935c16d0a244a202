package doudizhu

import board "plyfit/game/doudizhu"

// Plays is about how many plays the cards need: bombs and the rocket are kept whole,
// then the longest chains of trios, pairs and single cards are taken, the chain with
// most cards first; trios take single cards or pairs along. No smallest number is
// looked for.
func Plays(hand *board.Cards) (n int) {
	left := *hand
	if left[board.Black] > 0 && left[board.Red] > 0 {
		left[board.Black], left[board.Red], n = 0, 0, 1
	}
	for r := range left {
		if left[r] == 4 {
			left[r] = 0
			n++
		}
	}
	carried := 0 // cards and pairs that trios take along
	for {
		size, head, length := longest(&left)
		if length == 0 {
			break
		}
		for r := head; r < head+length; r++ {
			left[r] -= int8(size)
		}
		n++
		if size == 3 {
			carried += length
		}
	}
	groups := 0
	for _, k := range left {
		if k > 0 {
			groups++
		}
		if k == 3 {
			n++
			groups--
			carried++
		}
	}
	return n + max(0, groups-carried)
}

// longest is the chain with most cards: so many of each of length ranks from head on.
func longest(left *board.Cards) (size, head, length int) {
	most := 0
	for cards, shortest := range [...]int{1: 5, 2: 3, 3: 2} {
		if cards == 0 {
			continue
		}
		for from, run := 0, 0; from+run <= board.Two; {
			if at := from + run; at < board.Two && int(left[at]) >= cards {
				run++
				continue
			}
			if run >= shortest && run*cards > most {
				most, size, head, length = run*cards, cards, from, run
			}
			from, run = from+run+1, 0
		}
	}
	return size, head, length
}
