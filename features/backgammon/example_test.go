package backgammon_test

import (
	"plyfit/features/backgammon"
	"plyfit/features/featuretest"
	rules "plyfit/game/backgammon"
)

// A race in which both sides lack 45 pips: the first of the terms is the roll.
func ExampleSets() {
	featuretest.Print(rules.New, backgammon.Sets, "backgammon/rich", "backgammon", "XGID=-CCCCC--------------ccccc-:0:0:1:00:0:0:0:0:10")
	// Output:
	// race-win -0.19
	// race-tempo -1.00
	// race-gammon -0.00
}
