package validate

import (
	"context"
	"errors"
	"iter"

	"plyfit/datasets"
	"plyfit/models"
)

// A Forecast is a row with the predictions of all evaluations and the realised value, all from the
// same point of view and in the same unit.
type Forecast struct {
	Episode  uint64 // rows of an episode are consecutive
	Ply      int32  // position of the row in its episode; 0 in all rows if unknown
	Weight   float64
	Realised float64
	// Known is the part of Realised that was already known at the time of the prediction, such as the
	// score so far, or 0 if there is none.
	Known     float64
	Predicted []float64 // each evaluation's prediction of Realised, including the known part
}

// Forecasts iterates over rows, always in the same order. A row is valid only until the next one.
// An error ends the iteration.
type Forecasts = iter.Seq2[*Forecast, error]

// errEnough ends a scan after its consumer has stopped.
var errEnough = errors.New("enough")

// ForecastsOf returns the forecasts of m for the samples selected by v. The function known returns
// [Forecast].Known for a sample. It may be nil.
func ForecastsOf(ctx context.Context, m *models.Linear, data datasets.Samples, v Reading, known func(s *datasets.Sample) float64) Forecasts {
	return func(yield func(*Forecast, error) bool) {
		f := Forecast{Predicted: make([]float64, 1)}
		err := v.scan(ctx, m, data, func(s *datasets.Sample, said float64) error {
			f.Episode, f.Ply, f.Weight, f.Realised, f.Predicted[0] = s.Episode, s.Ply, s.Weight, s.Y, said
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
	Names []string // names of the evaluations; the evaluation under test comes first
	// Probabilities reports for each evaluation whether it predicts probabilities and therefore has
	// a cross-entropy. If Probabilities is nil, no evaluation predicts probabilities.
	Probabilities []bool
	// Group has the same meaning as [learn.Options].Group.
	Group func(episode uint64) (id uint64, alone bool)
	// Lo and Hi are the bounds of the realised values. Their middle is the prediction of "zero". If
	// they are equal, there are no bounds.
	Lo, Hi float64
	// ToCome selects the remaining value, without the known part. R², calibration and stages then
	// refer to the remaining value, and "zero" predicts that the remaining value is 0.
	ToCome bool
}

// These are the numbers of groups in an examination.
const (
	tenths = 10
	stages = 5
)

// Examination contains the accuracy of several evaluations. The evaluation under test comes first.
// The given evaluations are followed by "zero" and "constant". The prediction of "constant" is the
// mean of the realised values in these rows (plus the known part if ToCome is set).
type Examination struct {
	Rows     int64   `json:"rows"`
	Episodes int     `json:"games"`
	Groups   int     `json:"groups"` // number of groups of dependent games; intervals treat a group as one game
	Mean     float64 `json:"mean"`   // mean realised value, without the known part if ToCome is set
	ToCome   bool    `json:"still_to_come"`

	Evaluations []Examined `json:"evaluations"`
	// Calibration compares the predictions of the first evaluation with the realised values, with
	// the rows divided into tenths by prediction. There are fewer groups if many predictions are
	// equal.
	Calibration []Stratum `json:"calibration"`
	// Stages compares the same values, with the rows divided into fifths by ply. The ply is used
	// because, unlike the remaining length, it is known at the time of the prediction. Stages is
	// empty if the plies are not known.
	Stages []Stage `json:"stages"`
}

// A Stage contains the rows of a range of plies.
type Stage struct {
	First int32 `json:"first_ply"`
	Last  int32 `json:"last_ply"`
	Stratum
}

// Bias returns the mean of predicted minus realised values. If it is positive, predictions are too
// high.
func (s *Stratum) Bias() float64 { return s.Predicted - s.Realised }

// A Figure is a mean over rows with its 95% interval, clustered by groups of episodes. Low and High
// are nil if there is no interval, for example if there is only one group.
type Figure struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// Examined contains the accuracy of one evaluation.
type Examined struct {
	Name    string `json:"name"`
	Squared Figure `json:"squared_error"` // mean squared error, in squared units of the game
	// CrossEntropy is the mean cross-entropy in nats, with values converted to fractions of a
	// point. It is nil if the evaluation does not predict probabilities. Probabilities are limited
	// to the range from 1e-12 to 1-1e-12.
	CrossEntropy *Figure `json:"cross_entropy,omitempty"`
	Bias         Figure  `json:"bias"` // mean of predicted minus realised values
	// R2 is the fraction of the variance of the realised values (of the remaining values, if ToCome
	// is set) that the predictions explain. If it is negative, a constant is more accurate. LineR2
	// is R2 after the best linear transformation of the predictions.
	R2     float64 `json:"r2"`
	LineR2 float64 `json:"line_r2"`
	// OutcomeR2 is R2 for the complete realised values, including the known part. It is nil unless
	// ToCome is set.
	OutcomeR2 *float64 `json:"outcome_r2,omitempty"`
	// Factor is the factor by which the predictions (of the remaining value, if ToCome is set) must
	// be multiplied to minimise the squared error.
	Factor float64 `json:"factor"`
	// Less is the error of this evaluation minus the error of the first, paired by row. If it is
	// positive, the first evaluation is more accurate. It is nil for the first evaluation.
	Less *Difference `json:"less,omitempty"`
}

// Difference is the paired difference between the errors of two evaluations.
type Difference struct {
	Squared      Figure  `json:"squared_error"`
	CrossEntropy *Figure `json:"cross_entropy,omitempty"`
	Alike        bool    `json:"alike"` // whether both evaluations made the same prediction in every row
}
