package validate

import (
	"context"
	"errors"
	"iter"

	"plyfit/datasets"
	"plyfit/models"
)

// Forecast is a row: what evaluations said of it, and what came, in one view and unit.
type Forecast struct {
	Episode uint64 // rows of an episode stand together
	Ply     int32  // where in its episode the row stands; 0 everywhere where that is not known
	Weight  float64
	Came    float64
	// Known is what of Came was certain when it was said, as the score so far; else 0.
	Known float64
	Said  []float64 // by evaluation, of Came: what is known included
}

// Forecasts hands out rows, always in one order, each valid until the next; an error ends them.
type Forecasts = iter.Seq2[*Forecast, error]

// errEnough ends a walk whose reader has enough.
var errEnough = errors.New("enough")

// ForecastsOf are what m says of samples, read as v has it; known is [Forecast].Known or nil.
func ForecastsOf(ctx context.Context, m *models.Linear, data datasets.Samples, v Reading, known func(s *datasets.Sample) float64) Forecasts {
	return func(yield func(*Forecast, error) bool) {
		f := Forecast{Said: make([]float64, 1)}
		err := v.scan(ctx, m, data, func(s *datasets.Sample, said float64) error {
			f.Episode, f.Ply, f.Weight, f.Came, f.Said[0] = s.Episode, s.Ply, s.Weight, s.Y, said
			if known != nil {
				f.Known = known(s)
			}
			if !yield(&f, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && err != errEnough {
			yield(nil, err)
		}
	}
}

// Examining says how forecasts are compared with what came.
type Examining struct {
	Names []string // of the evaluations; the first is the one under test
	// Probabilities says of each whether it tells probabilities, so that it has a
	// cross-entropy: a value beyond the bounds has none. nil: none does.
	Probabilities []bool
	// Group is [learn.Options].Group.
	Group func(episode uint64) (id uint64, alone bool)
	// Lo and Hi bound what can come; their middle is what "zero" says. Equal: no bounds.
	Lo, Hi float64
	// ToCome is about what is still to come: zero says what is known, R² is of the rest,
	// and calibration and stages are given without what is known.
	ToCome bool
}

// Parts of an examination.
const (
	tenths = 10
	stages = 5
)

// Examination is how well evaluations predict. The first is the one under test; after
// those that were given come "zero" and "constant", the mean of what came in these very
// rows (added to what is known where ToCome).
type Examination struct {
	Rows     int64   `json:"rows"`
	Episodes int     `json:"games"`
	Groups   int     `json:"groups"` // of games that are evidence of one another: what intervals count
	Mean     float64 `json:"mean"`   // of what came, without what was known where ToCome
	ToCome   bool    `json:"still_to_come"`

	Evaluations []Examined `json:"evaluations"`
	// Calibration compares what the first said with what came, in tenths by what it
	// said; fewer where much is reported the same.
	Calibration []Stratum `json:"calibration"`
	// Stages do so in fifths of the rows by ply: how far a game has come is known when
	// a value is reported, how long it will last is not. None where plies are not known.
	Stages []Stage `json:"stages"`
}

// Stage are the rows from one ply to another.
type Stage struct {
	First int32 `json:"first_ply"`
	Last  int32 `json:"last_ply"`
	Stratum
}

// Bias is what was said less what came, on average: above 0 the values are too high.
func (s *Stratum) Bias() float64 { return s.Predicted - s.Realised }

// Figure is a mean over rows with its 95% interval, clustered by groups of episodes;
// Low and High are nil where there is none, as with a single group.
type Figure struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// Examined is how well one evaluation predicts.
type Examined struct {
	Name    string `json:"name"`
	Squared Figure `json:"squared_error"` // mean, in the square of the game's units
	// CrossEntropy is the mean, in nats, of the share of the point; nil where the
	// evaluation tells no probabilities. Probabilities are kept 1e-12 off 0 and 1.
	CrossEntropy *Figure `json:"cross_entropy,omitempty"`
	Bias         Figure  `json:"bias"` // mean of what was said less what came
	// R2 is the share of the variance of what came (of what was to come, where ToCome)
	// that the predictions explain; below 0 a constant errs less. LineR2 is the same
	// after the best straight line: what order and spacing know, whatever the scale.
	R2     float64 `json:"r2"`
	LineR2 float64 `json:"line_r2"`
	// OutcomeR2 is R2 of all that came, what was known included; nil but for ToCome.
	OutcomeR2 *float64 `json:"outcome_r2,omitempty"`
	// Factor times the predictions (of what is to come) errs least.
	Factor float64 `json:"factor"`
	// Less is the error of this evaluation less that of the first, row by row: above 0
	// the first predicts better. nil for the first.
	Less *Difference `json:"less,omitempty"`
}

// Difference is a paired one.
type Difference struct {
	Squared      Figure  `json:"squared_error"`
	CrossEntropy *Figure `json:"cross_entropy,omitempty"`
	Alike        bool    `json:"alike"` // both said the same of every row
}
