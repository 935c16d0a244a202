// Package poker implements two small poker games with hidden cards. Kuhn poker (Kuhn 1950) is one
// of the smallest games with bluffing. It has two to ten players, as in OpenSpiel. Leduc hold'em
// (Southey et al. 2005) has two rounds of betting and a public card. It has two players, as in
// OpenSpiel.
//
// A [Kuhn] contains the cards dealt so far and the bets. A [Leduc] contains two private cards, the
// moves of the first round, the public card and the moves of the second round. Each card is dealt
// at a chance node. Info describes what a player knows: the text of the position with question
// marks for the other players' cards.
package poker

import (
	"slices"
	"strings"

	"plyfit/game"
)

// read plays the cards and moves in text, starting from the initial position s. Each card is a
// word. The moves between two cards form one word, with one letter per move. The parameter cards
// describes the cards in error messages.
func read(s game.State, name, text, letters, cards string) error {
	if text == "-" {
		return nil
	}
	w, bets := &game.Words{Game: name, Text: text}, false
	for w.More() {
		word := w.Next()
		if s.Turn() == game.Chance {
			m, err := game.FindMove(s, word)
			if err != nil {
				return w.Refuse(cards + " that has not been dealt")
			}
			s.Play(m)
			bets = false
			continue
		}
		if word == "" || bets {
			return w.Refuse("the moves before the next card, written as a single word of " + letters)
		}
		bets = true
		for i, c := range word {
			m := game.Move(strings.IndexRune(letters, c))
			if s.Turn() < 0 || !slices.Contains(s.Moves(nil), m) {
				return w.Fail(w.At+i, "a legal move ("+letters+") in this round")
			}
			s.Play(m)
		}
	}
	return nil
}
