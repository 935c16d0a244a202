package online

import (
	"fmt"
	"math"

	"plyfit/models"
)

// DivergedError is what a learner says when its weights run away: an update
// then overshoots by more than the error that it answers to, and so does the
// next, until the numbers have no room left.
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

// finite reports numbers of a learner that are not finite any more, as a
// [DivergedError]: those of m outside of tables, and the tally's sum of squared
// errors. A table's weight that is infinite or NaN comes into an error as soon
// as a position reads it; [finiteTable] finds those that none has read since.
func finite(m *models.Linear, t *Tally, alpha float64) error {
	if bad(t.Errors) {
		return &DivergedError{"the sum of squared errors", t.Errors, alpha, t.Episodes}
	}
	if bad(m.Bias) {
		return &DivergedError{"the bias", m.Bias, alpha, t.Episodes}
	}
	for i, w := range m.Weights {
		if bad(w) {
			return &DivergedError{weightName(m, i), w, alpha, t.Episodes}
		}
	}
	return nil
}

// finiteTable is finite for the tables of m as well: it reads every weight, and
// is for moments at which all of them are written or copied anyway.
func finiteTable(m *models.Linear, t *Tally, alpha float64) error {
	if err := finite(m, t, alpha); err != nil {
		return err
	}
	for i, w := range m.Table {
		if bad(float64(w)) {
			return &DivergedError{weightName(m, len(m.Weights)+i), float64(w), alpha, t.Episodes}
		}
	}
	return nil
}

// bad reports whether x is NaN or beyond all use, so that sums of it have no
// room left.
func bad(x float64) bool { return !(math.Abs(x) < 1e150) }

// weightName is that of place i of a [descent], the bias being the last.
func weightName(m *models.Linear, i int) string {
	if i == m.Len() {
		return "the bias"
	}
	return "the weight of " + m.Name(int32(i))
}
