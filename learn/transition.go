package learn

import (
	"iter"

	"plyfit/models"
)

// Transition is one step of an episode for temporal differences: from a state with features X to
// the next, with features Next, or to the end. All values are in player 0's view: for the other
// player's, the signs of the features and the bias column are flipped.
type Transition struct {
	X        models.Vector
	Next     models.Vector // not used if Terminal
	Terminal bool          // the episode ends with this step
	// Reward is player 0's on this step; in games that pay at the end, the outcome at Terminal,
	// else 0.
	Reward  float64
	Episode uint64
	// Position identifies the position of X; 0 if unknown.
	Position uint64
	Weight   float64 // 1 unless a fit says otherwise
	// Fresh means that the step to X is no evidence for earlier ones: the move was random, or
	// positions between were left out. The trace restarts. An episode's first step is always fresh.
	Fresh bool
}

// Transitions hands out steps by episode and in time order, the same every time. The Transition
// and its vectors are valid until the next one; an error ends the sequence. An episode that was
// cut off has no Terminal step.
type Transitions interface {
	All() iter.Seq2[*Transition, error]
}
