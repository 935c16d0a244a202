package tree

import (
	"plyfit/features"
)

// Profile is what is known of the game besides its rules. A search to its depth ends at the
// leaves of any tree that it could finish.
var Profile = features.Profile{
	Sets:   Sets,
	Depth:  1 << 10,
	Recipe: features.Recipe{Rounds: 2},
}
