package datasets

import (
	"iter"

	"plyfit/game"
	"plyfit/models"
)

// Record is one decision of one episode, or the position at which an episode
// of moves drawn at random begins. Records of an episode stand together, by
// ply.
type Record struct {
	Episode  uint64      // 0, 1, ... in the data set
	Ply      int32       // calls of Play before this position, nature's included
	Position string      // State.String, wrappers included
	Mover    game.Player // who decides
	Move     string      // what the mover chose, State.MoveString
	// Made is the move that was really made: another than Move where it slipped,
	// else the same. "" where that is not known, as in slippery worlds of data
	// sets that were written before there was such a column.
	Made     string
	Explored bool // the move was drawn at random, not chosen by search
	// Value is what the mover's search thought of the position, in the mover's
	// view and the game's units; HasValue is false where no search was made.
	Value    float64
	HasValue bool
	Depth    int32 // of that search, in decisions
	// Proven says that this search saw the value through to the ends of the game,
	// in a world in which nature has no hand.
	Proven bool
	// Outcome is every player's utility at the end of the episode, and of no
	// meaning where Truncated.
	Outcome   []float64
	Truncated bool // the episode was cut off before its end
	// ID is what the episode was called where it came from; "" for episodes that
	// were played here.
	ID string
	// View is what the mover knows of Position, [game.Game.View]: "" where nothing
	// is hidden, and in data sets that were written before there was such a column.
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
	// Position tells the position apart from others, without its past; 0 where
	// that is not known, as in tables.
	Position uint64

	Explored  bool // the move that was played here was drawn at random
	Truncated bool // the episode was cut off before its end
}

// Samples hands out rows, in the same order every time it is asked. The Sample
// and its X are valid until the next one; an error ends the sequence.
type Samples interface {
	All() iter.Seq2[*Sample, error]
}

// BlockRows is how many rows a block of [Dense] samples has; the last one may have fewer.
const BlockRows = 256

// Dense is [Samples] in memory. Where most of their features are not 0, learners take
// them by blocks of cells, several times as fast as one by one. All methods may be called
// by several goroutines.
type Dense interface {
	Samples
	// Rows is how many rows and features there are; width 0: features are to be had by All
	// alone. A row has no column models.Bias where there is a width.
	Rows() (rows, width int)
	// Row fills in all of a row but its features.
	Row(row int, s *Sample)
	// Cells are the features of a block, row after row, each finite: a part of the samples
	// themselves, not to be written to, or of scratch, which has room for them.
	Cells(block int, scratch []float32) []float32
}

// Tapered is samples in memory each of whose terms c is two features: 2c, the term times the
// share of the middlegame that its row has, and 2c+1, the term times the rest. Learners sum
// them by share. All methods may be called by several goroutines.
type Tapered interface {
	Dense
	// Shares are those that the rows have, from 0 to 1, ascending; nil: weights are not
	// tapered, or the shares are too many for rows to be taken by them.
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
