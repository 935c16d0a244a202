package online

import (
	"fmt"
	"math"

	"plyfit/internal/dense"
	"plyfit/models"
)

// DivergedError is what a learner says when its weights run away: an update then overshoots by more
// than the error that it answers to, and so does the next, until the numbers have no room left.
type DivergedError struct {
	What  string  // what is no finite number any more
	Value float64 // an infinity or NaN
	Alpha float64 // the step size as it was asked for
	Games int     // learned from so far
}

func (e *DivergedError) Error() string {
	games := "games"
	if e.Games == 1 {
		games = "game"
	}
	return fmt.Sprintf("learning diverges with alpha=%v: %s is %v after %d %s: want a smaller alpha, such as %.2g",
		e.Alpha, e.What, e.Value, e.Games, games, e.Alpha/10)
}

// CheckWeights finds numbers that are not finite any more, as a [DivergedError]: weights of m outside
// of tables, and the tally's sum of squared errors. A table's weight shows in an error as soon as a
// position reads it; [CheckTables] finds those that none has read since.
func CheckWeights(m *models.Linear, t *Tally, alpha float64) error {
	if !usable(t.Errors) {
		return &DivergedError{"the sum of squared errors", t.Errors, alpha, t.Episodes}
	}
	if !usable(m.Bias) {
		return &DivergedError{"the bias", m.Bias, alpha, t.Episodes}
	}
	for i, w := range m.Weights {
		if !usable(w) {
			return &DivergedError{WeightName(m, i), w, alpha, t.Episodes}
		}
	}
	return nil
}

// CheckTables is [CheckWeights] for the tables of m as well: it reads every weight,
// and is for moments at which all of them are written or copied anyway.
func CheckTables(m *models.Linear, t *Tally, alpha float64) error {
	if err := CheckWeights(m, t, alpha); err != nil {
		return err
	}
	if i := dense.NotFinite(m.Table); i >= 0 { // no finite one of 32 bits is beyond use
		return &DivergedError{WeightName(m, len(m.Weights)+i), float64(m.Table[i]), alpha, t.Episodes}
	}
	return nil
}

// usable reports whether x is a number that sums have room for: neither NaN nor beyond all use.
func usable(x float64) bool { return math.Abs(x) < 1e150 }

// WeightName is that of the weight at place i of m, the bias being the last.
func WeightName(m *models.Linear, i int) string {
	if i == m.Len() {
		return "the bias"
	}
	return "the weight of " + m.Name(int32(i))
}
