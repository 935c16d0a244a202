package datasets

import (
	"iter"

	"plyfit/game"
	"plyfit/models"
)

// GameColumns are the names of the column that names a row's game in tables of other programs. If a
// table has several, the first of them counts.
var GameColumns = []string{"episode", "game", "game_id", "game-id"}

// Record is one decision of one episode, or the position at which an episode of random moves
// begins. Records of an episode are adjacent, by ply.
type Record struct {
	Episode  uint64      // 0, 1, ... in the data set
	Ply      int32       // calls of Play before this position, nature's included
	Position string      // State.String, wrappers included
	Mover    game.Player // who decides
	Move     string      // what the mover chose, State.MoveString
	// Made is the move actually made: other than Move if it slipped. "" if unknown, as in older
	// data sets of slippery worlds without this column.
	Made     string
	Explored bool // the move was drawn at random, not chosen by search
	// Value is the mover's search value of the position, in the mover's view and the game's units;
	// HasValue is false without a search.
	Value    float64
	HasValue bool
	Depth    int32 // of that search, in decisions
	// Proven means that this search proved the value to the ends of the game, in a world without
	// nature.
	Proven bool
	// Outcome is every player's utility at the end of the episode, meaningless if Truncated.
	Outcome   []float64
	Truncated bool // the episode was cut off before its end
	// ID is the episode's name at its source; "" for episodes played here.
	ID string
	// View is what the mover knows of Position, [game.Game.View]: "" if nothing is hidden, and in
	// data sets from before this column.
	View string
}

// Sample is one row for a learner.
type Sample struct {
	X       models.Vector // with the column models.Bias where the model has a bias
	Y       float64       // the label, in the view in which X was extracted
	Weight  float64       // 1 unless a fit says otherwise
	Kind    game.Bound    // whether Y is exact, or a bound of the truth
	Episode uint64        // samples of one episode are not independent
	Ply     int32         // where in its episode the position stands; 0 where that is not known
	// Position identifies the position, without its past; 0 if unknown, as in tables.
	Position uint64

	// Phase is the share of the middlegame, from 0 to 1, where weights are tapered; else 0.
	Phase float32

	Explored  bool // the move that was played here was drawn at random
	Truncated bool // the episode was cut off before its end
}

// Samples hands out rows, in the same order every time. The Sample and its X are valid until the
// next one; an error ends the sequence.
type Samples interface {
	All() iter.Seq2[*Sample, error]
}

// Rows is samples in memory.
type Rows []Sample

// Those are the items of a sequence that keep tells, and its errors.
func Those[T any](all iter.Seq2[T, error], keep func(T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for x, err := range all {
			if (err != nil || keep(x)) && !yield(x, err) {
				return
			}
		}
	}
}

func (r Rows) All() iter.Seq2[*Sample, error] {
	return func(yield func(*Sample, error) bool) {
		var s Sample // a reader may change its own
		for i := range r {
			if s = r[i]; !yield(&s, nil) {
				return
			}
		}
	}
}
