package validate

import (
	"context"
	"errors"
	"iter"

	"plyfit/datasets"
	"plyfit/models"
)

// A Forecast is a row with the predictions of all evaluations and the realised value, all in the
// same view and unit.
type Forecast struct {
	Episode uint64 // rows of an episode are consecutive
	Ply     int32  // position of the row in its episode; 0 in all rows if it is not known
	Weight  float64
	Came    float64
	// Known is the part of Came that was known at the time of the prediction, such as the score so
	// far. Otherwise it is 0.
	Known float64
	Said  []float64 // by evaluation: predictions of Came, including the known part
}

// Forecasts iterates over rows, always in the same order. A row is valid only until the next one.
// An error ends the iteration.
type Forecasts = iter.Seq2[*Forecast, error]

// errEnough ends a scan whose consumer has stopped.
var errEnough = errors.New("enough")

// ForecastsOf returns the forecasts of m for samples, read through v. known returns
// [Forecast].Known for a sample; it may be nil.
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

// Examining configures an examination.
type Examining struct {
	Names []string // names of the evaluations; the first is the one under test
	// Probabilities reports for each evaluation whether it predicts probabilities and so has a
	// cross-entropy. Predictions outside the bounds have none. If nil, no evaluation predicts
	// probabilities.
	Probabilities []bool
	// Group has the meaning of [learn.Options].Group.
	Group func(episode uint64) (id uint64, alone bool)
	// Lo and Hi are the bounds of the realised values. Their middle is the prediction of "zero". If
	// they are equal, there are no bounds.
	Lo, Hi float64
	// ToCome selects the remaining value, without the known part. R², calibration and stages then
	// refer to the remaining value, and "zero" predicts that it is 0.
	ToCome bool
}

// Number of groups in an examination.
const (
	tenths = 10
	stages = 5
)

// Examination contains the accuracy of several evaluations. The first is the one under test. The
// given evaluations are followed by "zero" and by "constant", which is the mean of the realised
// values of these rows (plus the known part if ToCome is set).
type Examination struct {
	Rows     int64   `json:"rows"`
	Episodes int     `json:"games"`
	Groups   int     `json:"groups"` // groups of dependent games, which intervals count as one
	Mean     float64 `json:"mean"`   // mean realised value, without the known part if ToCome is set
	ToCome   bool    `json:"still_to_come"`

	Evaluations []Examined `json:"evaluations"`
	// Calibration compares the predictions of the first evaluation with the realised values, in
	// tenths by prediction. There are fewer groups if many predictions are equal.
	Calibration []Stratum `json:"calibration"`
	// Stages does so in fifths of the rows by ply, because the ply is known at the time of the
	// prediction and the remaining length is not. It is empty if the plies are not known.
	Stages []Stage `json:"stages"`
}

// A Stage contains the rows of a range of plies.
type Stage struct {
	First int32 `json:"first_ply"`
	Last  int32 `json:"last_ply"`
	Stratum
}

// Bias returns the mean of predicted minus realised. If it is positive, the values are too high.
func (s *Stratum) Bias() float64 { return s.Predicted - s.Realised }

// A Figure is a mean over rows with its 95% interval, clustered by groups of episodes. Low and High
// are nil if there is no interval, for example with a single group.
type Figure struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// Examined contains the accuracy of one evaluation.
type Examined struct {
	Name    string `json:"name"`
	Squared Figure `json:"squared_error"` // mean, in squared units of the game
	// CrossEntropy is the mean cross-entropy of the share of the point in nats. It is nil if the
	// evaluation does not predict probabilities. Probabilities are limited to the range from 1e-12
	// to 1-1e-12.
	CrossEntropy *Figure `json:"cross_entropy,omitempty"`
	Bias         Figure  `json:"bias"` // mean of predicted minus realised
	// R2 is the share of the variance of the realised values (of the remaining values, if ToCome is
	// set) that the predictions explain. If it is negative, a constant is more accurate. LineR2 is
	// R2 after the best linear transformation of the predictions.
	R2     float64 `json:"r2"`
	LineR2 float64 `json:"line_r2"`
	// OutcomeR2 is R2 of the whole realised values, including the known part. It is nil unless
	// ToCome is set.
	OutcomeR2 *float64 `json:"outcome_r2,omitempty"`
	// Factor is the multiple of the predictions (of the remaining value, if ToCome is set) with the
	// lowest squared error.
	Factor float64 `json:"factor"`
	// Less is the error of this evaluation minus the error of the first, paired by row. If it is
	// positive, the first is more accurate. It is nil for the first.
	Less *Difference `json:"less,omitempty"`
}

// Difference is the paired difference between the errors of two evaluations.
type Difference struct {
	Squared      Figure  `json:"squared_error"`
	CrossEntropy *Figure `json:"cross_entropy,omitempty"`
	Alike        bool    `json:"alike"` // whether both made the same predictions in every row
}
