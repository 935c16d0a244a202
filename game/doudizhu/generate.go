package doudizhu

import "plyfit/game"

// shortest is the minimum length of a chain, indexed by the number of cards of each rank.
var shortest = [4]int{1: 5, 2: 3, 3: 2}

// A generator appends the plays of a hand that may follow last, always in the same order. If the
// kind of last is Other, it appends all plays.
type generator struct {
	hand *Cards
	last Play
	four bool // whether four of a rank may have kickers
	dst  []game.Move
	at   Play  // play under construction
	free Cards // cards that can still serve as kickers
}

// plays appends all plays.
func (g *generator) plays() {
	for cards, kinds := range [...][]Kind{1: {Solos}, 2: {Pairs}, 3: {Trios, TriosSolos, TriosPairs}} {
		for _, k := range kinds {
			if g.wanted(k) {
				g.chains(k, cards)
			}
		}
	}
	for r := range Two + 1 {
		if g.hand[r] < 4 {
			continue
		}
		for _, k := range [...]Kind{FourSolos, FourPairs} {
			if g.four && g.wanted(k) {
				g.add(k, r, 1)
			}
		}
		g.add(Bomb, r, 1)
	}
	if g.hand[Black] > 0 && g.hand[Red] > 0 {
		g.add(Rocket, Black, 2)
	}
}

// wanted reports whether plays of the given kind may follow. It does not handle bombs and the
// rocket.
func (g *generator) wanted(k Kind) bool { return g.last.Kind == Other || g.last.Kind == k }

// chains appends the plays of a kind that uses the given number of cards from each main rank.
func (g *generator) chains(k Kind, cards int) {
	for head := range Ranks {
		for length := 1; head+length <= Ranks && int(g.hand[head+length-1]) >= cards; length++ {
			if length > 1 && head+length > Two {
				break // the chain would contain a 2
			}
			if length == 1 || length >= shortest[cards] {
				g.add(k, head, length)
			}
		}
	}
}

// add appends the plays that have the given kind and main part, with all possible kickers.
func (g *generator) add(k Kind, head, length int) {
	g.at = Play{k, head, length, [5]int8{noKicker, noKicker, noKicker, noKicker, noKicker}}
	if g.last.Kind != Other && !g.at.Beats(&g.last) {
		return
	}
	main, kickers, each := g.at.Shape()
	if main*length+kickers*each > handSize+bottom {
		return // no hand has that many cards
	}
	if kickers == 0 {
		g.dst = append(g.dst, g.at.move())
		return
	}
	g.free = *g.hand
	for i := range length {
		g.free[head+i] = 0
	}
	for r := range g.free {
		g.free[r] = min(g.free[r], 3) // kickers cannot be a bomb
	}
	g.kick(0, 0, kickers, each)
}

// kick appends the plays whose kickers from index i onwards have ranks of at least r.
func (g *generator) kick(i, r, kickers, each int) {
	if i == kickers {
		g.dst = append(g.dst, g.at.move())
		return
	}
	for ; r < Ranks; r++ {
		if int(g.free[r]) < each || r == Red && i > 0 && g.at.Kickers[i-1] == Black {
			continue // kickers cannot be the rocket
		}
		g.at.Kickers[i] = int8(r)
		g.free[r] -= int8(each)
		next := r
		if each == 2 {
			next++ // two pairs of the same rank are a bomb
		}
		g.kick(i+1, next, kickers, each)
		g.free[r] += int8(each)
	}
	g.at.Kickers[i] = noKicker
}
