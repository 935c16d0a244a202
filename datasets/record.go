package datasets

import (
	"iter"

	"plyfit/game"
	"plyfit/models"
)

// GameColumns lists the column names that other programs use for the game of a row. If a table has
// several of them, the first in this list is used.
var GameColumns = []string{"episode", "game", "game_id", "game-id"}

// A Record is one decision of an episode, or an imported position. The records of an episode are
// adjacent. Records from self-play are ordered by ply.
type Record struct {
	Episode  uint64      // numbered from 0 within the data set
	Ply      int32       // number of moves before this position, including chance moves
	Position string      // State.String, including wrappers
	Mover    game.Player // player to move
	Move     string      // chosen move, as formatted by State.MoveString
	// Made is the move that was actually made. It differs from Move if the move slipped. If the
	// actual move is unknown, as in older data sets for worlds with slips, Made is empty.
	Made     string
	Explored bool // whether the move was random rather than chosen by a search
	// Value is the result of the mover's search, from the mover's point of view and in the game's
	// units. HasValue is false if there was no search or it reported no value.
	Value    float64
	HasValue bool
	Depth    int32 // depth of the search, in decisions
	// Proven means that the search reached the end of the game and thereby proved the value. It is
	// set only in worlds without chance moves.
	Proven bool
	// Outcome contains the utility of each player at the end of the episode. It is meaningless if
	// Truncated is true.
	Outcome   []float64
	Truncated bool // whether the episode was stopped before its end
	// ID is the name of the episode in its source. It is empty for self-play episodes.
	ID string
	// View is the information that the mover has about Position; see [game.Game.View]. It is empty
	// if nothing is hidden, and in data sets that predate this column.
	View string
}

// A Sample is one row for a learner.
type Sample struct {
	X       models.Vector // includes models.Bias if the model has a bias
	Y       float64       // label, from the same point of view as X
	Weight  float64       // 1 by default
	Kind    game.Bound    // whether Y is exact or a bound
	Episode uint64        // episode of the sample; samples from the same episode are not independent
	Ply     int32         // ply within the episode, or 0 if unknown
	// Position identifies the position regardless of its history. It is 0 if unknown, as in tables.
	Position uint64

	// Phase is 1 in the middlegame and 0 in the endgame, with values in between. It is used only
	// with tapered weights.
	Phase float32

	Explored  bool // whether the move played from this position was random
	Truncated bool // whether the episode was stopped before its end
}

// Samples is a sequence of rows that can be read several times, in the same order each time. A
// Sample and its X are valid until the next iteration. An error ends the sequence.
type Samples interface {
	All() iter.Seq2[*Sample, error]
}

// Rows is a list of samples in memory.
type Rows []Sample

// Those yields the items for which keep returns true, and all errors.
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
		var s Sample // a copy, which the reader may modify
		for i := range r {
			if s = r[i]; !yield(&s, nil) {
				return
			}
		}
	}
}
