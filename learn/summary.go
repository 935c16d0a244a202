package learn

import (
	"math"

	"plyfit/models"
)

// summarise names, for learners that keep no features squared, the columns that
// never occurred, and fills the report's weights.
func summarise(m, fitted *models.Linear, d *design, o *Options, t *tally, variance []float64, r *Report) {
	why := map[int]string{}
	var never, constant, low []string
	dense, tables, thin := len(m.Weights), 0, 0
	for c, f := range d.feature {
		if f == models.Bias {
			continue
		}
		if int(f) >= dense {
			switch {
			case t.support[c] == 0:
				tables++
			case t.support[c] < lowSupport:
				thin++
			}
			continue
		}
		switch {
		case t.support[c] == 0:
			why[c] = "never occurs in the training rows"
			never = append(never, m.Name(f))
		case variance != nil && variance[c] == 0:
			why[c] = "constant"
			constant = append(constant, m.Name(f))
		case t.support[c] < lowSupport && t.rows >= 10*lowSupport:
			low = append(low, m.Name(f))
		}
	}
	r.noteMany("never occur in the training rows, keep the prior weight", never)
	r.noteMany("constant, keep the prior weight", constant)
	r.noteMany("thin support", low)
	alone := t.sides.alone(t.support)
	columns := trueAt(alone)
	in := len(columns)
	for in > 0 && int(d.feature[columns[in-1]]) >= dense { // tables come last
		in--
	}
	explainSeparated(d, o, alone, columns[:in], why, t, r)
	if in < len(columns) {
		r.note("of %d table weights %d stand in rows of one result only: they have no finite estimate, and steps and penalty give them their size", len(m.Table), len(columns)-in)
	}
	if len(m.Table) > 0 {
		r.note("of %d table weights %d never occur in the training rows and keep the prior weight, %d occur in fewer than %d", len(m.Table), tables, thin, lowSupport)
	}
	finish(m, fitted, d, o, t, nil, nil, nil, why, r)
}

// better tells whether a held-out loss is lower by more than rounding.
func better(now, best float64) bool {
	return math.IsInf(best, 1) || now < best-float64(1e-9*math.Abs(best))
}
