// Package poker is two small games of hidden cards. Kuhn poker (Kuhn 1950) is the smallest with
// bluffs, for two to ten players as OpenSpiel generalises it; Leduc hold'em (Southey et al. 2005)
// has two rounds of bets and a public card, for two players as OpenSpiel defines it.
//
// The journey: [NewKuhn] and [NewLeduc] make the games; a [Kuhn] is the cards dealt so far and the
// bets that followed, a [Leduc] two private cards, the moves of the first round, the public card
// and the moves of the second. Cards are dealt at chance nodes, one a card. A player's knowledge,
// Info, is the same line with the others' cards as question marks.
package poker

import (
	"slices"
	"strings"

	"plyfit/game"
)

// read plays from s, a first position, what text says: a word for each card, and between
// cards one word with a letter for each move. cards says what cards there are.
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
				return w.Refuse(cards + " that is not dealt yet")
			}
			s.Play(m)
			bets = false
			continue
		}
		if word == "" || bets {
			return w.Refuse("the moves up to the next card in one word of " + letters)
		}
		bets = true
		for i, c := range word {
			m := game.Move(strings.IndexRune(letters, c))
			if s.Turn() < 0 || !slices.Contains(s.Moves(nil), m) {
				return w.Fail(w.At+i, "a legal move of "+letters+" while the bets go on")
			}
			s.Play(m)
		}
	}
	return nil
}
