package leduc_test

import (
	"plyfit/features/featuretest"
	"plyfit/features/leduc"
	rules "plyfit/game/leduc"
)

// What a king is worth against a raise, as its owner sees it.
func ExampleSets() {
	featuretest.Print(rules.New, leduc.Sets, "leduc/hand", "leduc", "Ks Qh cr")
	// Output:
	// equity 0.40
	// equity-stake 0.40
	// stake 1.00
	// call 2.00
	// equity-call 0.80
	// tempo 1.00
	// equity-tempo 0.40
}
