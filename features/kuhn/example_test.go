package kuhn_test

import (
	"plyfit/features/featuretest"
	"plyfit/features/kuhn"
	rules "plyfit/game/kuhn"
)

// The highest card, with a bet to answer.
func ExampleSets() {
	featuretest.Print(rules.New, kuhn.Sets, "kuhn/hand", "kuhn", "2 0 pb")
	// Output:
	// card 1.00
	// card-stake 1.00
	// facing 1.00
	// card-facing 1.00
	// rivals 1.00
	// card-rivals 1.00
	// tempo 1.00
	// card-tempo 1.00
}
