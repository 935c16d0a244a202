package tictactoe

import (
	"plyfit/features"
)

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets:   Sets,
	Depth:  9,
	Recipe: features.Recipe{Rounds: 2, Openings: 2},
}
