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

// All implements [Samples].
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

// BlockRows is how many rows a block of [Dense] samples has; the last one may have fewer.
const BlockRows = 256

// Dense is [Samples] in memory. If most features are not 0, learners read blocks of cells, several
// times as fast as rows one by one. All methods are safe for concurrent use.
type Dense interface {
	Samples
	// Rows is how many rows and features there are; width 0: features are to be had by All
	// alone. A row has no column models.Bias where there is a width.
	Rows() (rows, width int)
	// Row fills in all of a row but its features.
	Row(row int, s *Sample)
	// Cells are a block's features, row by row, each finite: a read-only part of the samples
	// themselves, or of scratch, which has room for them.
	Cells(block int, scratch []float32) []float32
}

// Tapered is samples in memory each of whose terms c is two features: 2c, the term times the row's
// share of the middlegame, and 2c+1, the term times the rest. Learners sum them by share. All
// methods are safe for concurrent use.
type Tapered interface {
	Dense
	// Shares are the rows' shares in [0, 1], ascending; nil: weights are not tapered, or there are
	// too many shares to group rows by them.
	Shares() []float32
	// Share is that of a row.
	Share(row int) float32
	// Terms appends the numbers and values of a row's terms that are not 0.
	Terms(row int, terms []int32, values []float64) ([]int32, []float64)
}

// Outlines are samples of which some may be without their features.
func Outlines(data Samples) iter.Seq2[*Sample, error] {
	dense, ok := data.(Dense)
	if !ok {
		return data.All()
	}
	return func(yield func(*Sample, error) bool) {
		var s Sample
		rows, _ := dense.Rows()
		for row := range rows {
			if dense.Row(row, &s); !yield(&s, nil) {
				return
			}
		}
	}
}
