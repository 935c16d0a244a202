package doudizhu

import board "plyfit/game/doudizhu"

// playsOf is about how many plays the cards need: their groups.
func playsOf(hand *board.Cards) int {
	_, plays := split(hand, nil)
	return plays
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

// fours are the bombs that the cards hold, the rocket counting as one.
func fours(cards *board.Cards) (n int) {
	for _, k := range cards {
		if k == 4 {
			n++
		}
	}
	if cards[board.Black] > 0 && cards[board.Red] > 0 {
		n++
	}
	return n
}

// beaters is in how many ways the main part of a play is beaten by the cards, bombs
// left out where it is none; of a card, by how many cards.
func beaters(play *board.Play, cards *board.Cards) int {
	if play.Kind == board.Other || play.Kind == board.Rocket {
		return 0
	}
	each, _, _ := play.Shape()
	return higher(each, play.Head, play.Length, cards)
}

// higher is how many runs of so many ranks, each held so many times, lie above the one
// that begins at head; of single cards, how many cards.
func higher(each, head, length int, cards *board.Cards) (n int) {
	end := board.Ranks
	if length > 1 {
		end = board.Two
	}
	for from := head + 1; from+length <= end; from++ {
		least := int8(4)
		for _, k := range cards[from : from+length] {
			least = min(least, k)
		}
		switch {
		case int(least) < each:
		case each == 1 && length == 1:
			n += int(least)
		default:
			n++
		}
	}
	return n
}

// split takes a hand apart into about the plays that it needs, not the fewest: bombs and the rocket
// are kept whole, then the longest chains of trios, pairs and single cards are taken, the chain
// with most cards first; trios take single cards or pairs along. It counts the groups that the
// unseen cards (nil: none) can beat, and those that they cannot.
func split(hand, unseen *board.Cards) (beaten, safe int) {
	left := *hand
	count := func(each, head, length int) {
		if unseen != nil && higher(each, head, length, unseen) > 0 {
			beaten++
		} else {
			safe++
		}
	}
	if left[board.Black] > 0 && left[board.Red] > 0 {
		left[board.Black], left[board.Red] = 0, 0
		safe++
	}
	for r := range left {
		if left[r] == 4 {
			left[r] = 0
			count(4, r, 1)
		}
	}
	carried := 0 // cards and pairs that trios take along
	for {
		each, head, length := longest(&left)
		if length == 0 {
			break
		}
		for r := head; r < head+length; r++ {
			left[r] -= int8(each)
		}
		count(each, head, length)
		if each == 3 {
			carried += length
		}
	}
	for _, k := range left {
		if k == 3 {
			carried++
		}
	}
	for r, k := range left { // the lowest first, which trios take along
		switch {
		case k == 0:
		case k < 3 && carried > 0:
			carried--
		default:
			count(int(k), r, 1)
		}
	}
	return beaten, safe
}
