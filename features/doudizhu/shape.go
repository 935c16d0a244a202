package doudizhu

import board "plyfit/game/doudizhu"

// playsOf returns the approximate number of plays that the hand needs.
func playsOf(hand *board.Cards) int {
	_, plays := split(hand, nil)
	return plays
}

// longest returns the chain with the most cards. It consists of length consecutive ranks, beginning
// with the rank head, and contains size cards of each rank.
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

// fours returns the number of bombs. The rocket counts as one.
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

// beaters returns the number of ways in which the cards can beat the main part of a play. For a
// single card, it returns the number of higher cards. Bombs that would beat a play of a different
// kind do not count.
func beaters(play *board.Play, cards *board.Cards) int {
	if play.Kind == board.Other || play.Kind == board.Rocket {
		return 0
	}
	each, _, _ := play.Shape()
	return higher(each, play.Head, play.Length, cards)
}

// higher returns the number of runs above the run that begins at the rank head. A run consists of
// length consecutive ranks with at least each cards of every rank. For single cards, higher returns
// the number of higher cards.
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

// split divides a hand into groups, which approximate the plays that the hand needs but may exceed
// their minimum number. Bombs and the rocket are not divided. The remaining chains of trios, pairs
// and single cards are removed, longest first, and trios carry single cards or pairs. split returns
// the numbers of groups that the unseen cards can and cannot beat. If unseen is nil, all groups are
// safe.
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
	carried := 0 // number of cards and pairs that trios can carry
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
	for r, k := range left { // lowest ranks first, because trios carry low cards
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
