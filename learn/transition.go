package learn

import (
	"iter"

	"plyfit/models"
)

// Transition is one step of an episode for temporal differences: from a
// state with features X to the next, with features Next, or to the end. All
// values are in one view, player 0's: where the other player's view was taken,
// the features' signs (and the bias column's) are turned.
type Transition struct {
	X        models.Vector
	Next     models.Vector // not used if Terminal
	Terminal bool          // the episode ends with this step
	// Reward is what player 0 gets on this step; in games that pay at the end it
	// is the outcome where Terminal and 0 elsewhere.
	Reward  float64
	Episode uint64
	// Position tells the position of X apart from others; 0 where that is not
	// known.
	Position uint64
	Weight   float64 // 1 unless a fit says otherwise
	// Fresh says that the way to X is no evidence for what came before it: the
	// move was drawn at random, or positions between were left out. The trace
	// begins anew. The first step of an episode is always fresh.
	Fresh bool
}

// Transitions hands out steps, episode by episode and in time order, the same
// every time it is asked. The Transition and its vectors are valid until the
// next one; an error ends the sequence. An episode that was cut off has no
// Terminal step.
type Transitions interface {
	All() iter.Seq2[*Transition, error]
}
