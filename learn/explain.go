package learn

import (
	"fmt"
	"math"
	"strings"

	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/models"
)

// explain gives the reason for every column that is not identified and summarises them in the
// notes. f is the factor of the design, solved that of the system solved, penalty included.
func explain(d *design.Matrix, t *evidence, f, solved *numeric.Factor, variance []float64, r *Report) map[int]string {
	why := map[int]string{}
	fitted := map[int]bool{}
	for _, c := range solved.Kept {
		fitted[c] = true
	}
	var never, constant, combined, low []string
	for _, c := range f.Lost {
		name := d.Model.Name(d.Feature[c.Column])
		switch {
		case c.Column == d.Bias:
			why[c.Column] = "no bias column in the data"
		case t.Support[c.Column] == 0 || len(c.Parts) == 0:
			why[c.Column] = "never occurs in the training rows"
			never = append(never, name)
		case variance[c.Column] == 0:
			why[c.Column] = "constant"
			constant = append(constant, name)
		default:
			parts := d.Names(c.Parts)
			if len(parts) > 4 {
				parts = append(parts[:4:4], "...")
			}
			of := "a combination of " + strings.Join(parts, ", ")
			if fitted[c.Column] {
				of += ": separated by the penalty alone"
				t.share(c)
				for _, p := range c.Parts {
					if why[p] == "" {
						why[p] = "repeated by " + name + ": separated by the penalty alone"
					}
				}
			}
			why[c.Column] = of
			combined = append(combined, name+" ("+of+")")
		}
	}
	for c := range t.Support {
		if s := t.Support[c]; s > 0 && s < lowSupport && t.Rows >= 10*lowSupport && why[c] == "" {
			low = append(low, fmt.Sprintf("%s (%d rows)", d.Model.Name(d.Feature[c]), s))
		}
	}
	r.noteMany("never occur in the training rows, keep the prior weight", never)
	r.noteMany("constant, keep the prior weight", constant)
	r.noteMany("collinear, keep the prior weight unless the penalty tells them apart", combined)
	r.noteMany("thin support", low)
	return why
}

// finish writes the fitted weights, with errors where the data determine them, to m and the report.
func finish(m, fitted *models.Linear, d *design.Matrix, o *Options, t *evidence, f *numeric.Factor, xx, errs []float64, why map[int]string, r *Report) {
	n := d.Width()
	var vif []float64
	if f != nil && xx != nil && n <= maxErrorsCols && !o.NoErrors {
		vif = inflation(d, f, xx)
		if t.endless && o.Unit > 0 { // columns of anyone; what repeats itself in a game's own set is known
			explainHardly(d, o, t, vif, why, r)
		}
	}
	for c := range errs {
		if t.separated[c] || t.shared[c] {
			errs[c] = 0
		}
	}
	for _, c := range t.lone {
		if why[c] == "" {
			why[c] = "rests on one episode: no interval"
		}
	}
	explainShifts(d, fitted, errs, why, t.shift, r)
	copy(m.Weights, fitted.Weights)
	copy(m.Table, fitted.Table)
	m.Bias = fitted.Bias
	m.Errors, m.BiasError = nil, 0
	if errs != nil {
		m.Errors = make([]float64, len(m.Weights))
		for i := range m.Errors {
			m.Errors[i] = math.NaN()
			if c := d.Column[i+1]; c >= 0 && errs[c] > 0 {
				m.Errors[i] = errs[c]
			}
		}
		if d.Bias >= 0 {
			m.BiasError = errs[d.Bias]
		}
	}
	r.Weights = r.Weights[:0]
	for i := models.Bias; i < int32(len(m.Weights)); i++ {
		w := Weight{Name: m.Name(i), Index: i, Value: m.Weight(i), Prior: o.prior(i), Support: t.frozen[i], Note: Frozen}
		if c := d.Column[i+1]; c >= 0 {
			w.Support, w.Note, w.Separated = t.Support[c], why[int(c)], t.separated[int(c)]
			if errs != nil {
				w.Error, w.Freedom = errs[c], t.freedom[c]
			}
			if vif != nil {
				w.VIF = vif[c]
			}
		}
		r.Weights = append(r.Weights, w)
	}
}

// repeated is the variance inflation factor from which a column counts as a repeat of others.
// a hundredth of it that is its own.
const repeated = 100

// explainHardly names the columns that others repeat but for a few rows: of its rows a
// column has one in so many, its variance inflation factor, to itself. A fit satisfies
// those few whatever it costs, and then they vary no more from game to game, so that an
// interval would be of no width. What draws weights to a prior in their own unit holds them.
func explainHardly(d *design.Matrix, o *Options, t *evidence, vif []float64, why map[int]string, r *Report) {
	var names []string
	for c, by := range vif {
		if c == d.Bias || by < repeated || t.separated[c] || t.shared[c] || t.Support[c] < lowSupport {
			continue
		}
		own := float64(t.Support[c]) / by
		if own >= lowSupport {
			continue
		}
		if o.Width == nil {
			t.share(numeric.Lost{Column: c})
		}
		names = append(names, d.Model.Name(d.Feature[c]))
		if why[c] == "" {
			why[c] = fmt.Sprintf("other columns repeat it but for %.2g rows' worth", own)
		}
	}
	r.noteMany("nearly collinear: other columns repeat these except in a few rows, so their weights may be far off; leave one of them out, or hold all by a prior width", names)
}

// inflation is the variance inflation factor of every column that f keeps: its
// square about the bias times the diagonal of the inverse. The bias has none.
func inflation(d *design.Matrix, f *numeric.Factor, xx []float64) []float64 {
	n, k := d.Width(), len(f.Kept)
	out := make([]float64, n)
	inv := f.Inverse()
	for i, c := range f.Kept {
		if c == d.Bias {
			continue
		}
		v := xx[c*n+c]
		if d.Bias >= 0 && xx[d.Bias*n+d.Bias] > 0 {
			v -= xx[c*n+d.Bias] * xx[c*n+d.Bias] / xx[d.Bias*n+d.Bias]
		}
		out[c] = math.Max(v*inv[i*k+i], 1)
	}
	return out
}

// explainSeparated says of the separated columns what their weights are, by column and in a note.
func explainSeparated(d *design.Matrix, o *Options, columns []int, why map[int]string, t *evidence, r *Report) {
	if len(columns) == 0 {
		return
	}
	size := "the last step"
	if o.Penalty > 0 {
		size = fmt.Sprintf("the penalty of %v", o.Penalty)
	} else if o.Width != nil {
		size = "the prior"
	}
	t.separated = map[int]bool{}
	for _, c := range columns {
		t.separated[c] = true
		why[c] = "separated: its rows all have one result; " + size + " gives it its size"
	}
	r.noteMany("separated: results are given without error by these, so no finite weight is likeliest (Albert and Anderson 1984); "+size+" holds them where they are, and there is no interval; to say how sure such a win is takes a larger penalty, a prior, or data in which it is missed", d.Names(columns))
}

// explainShifts says which intervals are of weights that the penalty moved.
func explainShifts(d *design.Matrix, fitted *models.Linear, errs []float64, why map[int]string, s *design.Shift, r *Report) {
	if s == nil || errs == nil {
		return
	}
	var moved []string
	for c, by := range s.By {
		if errs[c] == 0 || !(math.Abs(by) > design.ShiftOfErrors*errs[c] || s.Share[c] > design.ShiftOfData) {
			continue
		}
		moved = append(moved, d.Model.Name(d.Feature[c]))
		if why[c] == "" {
			why[c] = fmt.Sprintf("shrunk: without the penalty about %.4g", fitted.Weight(d.Feature[c])-by)
		}
	}
	r.noteMany("shrunk noticeably by the penalty, so that these intervals say what another data set would give under the same penalty, not what the data alone would", moved)
}

// summarise names, for learners that keep no features squared, the columns that
// never occurred, and fills the report's weights.
func summarise(m, fitted *models.Linear, d *design.Matrix, o *Options, t *evidence, variance []float64, r *Report) {
	why := map[int]string{}
	var never, constant, low []string
	dense, tables, thin := len(m.Weights), 0, 0
	for c, f := range d.Feature {
		if f == models.Bias {
			continue
		}
		if int(f) >= dense {
			switch {
			case t.Support[c] == 0:
				tables++
			case t.Support[c] < lowSupport:
				thin++
			}
			continue
		}
		switch {
		case t.Support[c] == 0:
			why[c] = "never occurs in the training rows"
			never = append(never, m.Name(f))
		case variance != nil && variance[c] == 0:
			why[c] = "constant"
			constant = append(constant, m.Name(f))
		case t.Support[c] < lowSupport && t.Rows >= 10*lowSupport:
			low = append(low, m.Name(f))
		}
	}
	r.noteMany("never occur in the training rows, keep the prior weight", never)
	r.noteMany("constant, keep the prior weight", constant)
	r.noteMany("thin support", low)
	columns := t.sides.Alone(t.Support)
	in := len(columns)
	for in > 0 && int(d.Feature[columns[in-1]]) >= dense { // tables come last
		in--
	}
	explainSeparated(d, o, columns[:in], why, t, r)
	if in < len(columns) {
		r.note("of %d table weights %d stand in rows of one result only: they have no finite estimate, and steps and penalty give them their size", len(m.Table), len(columns)-in)
	}
	if len(m.Table) > 0 {
		r.note("of %d table weights %d never occur in the training rows and keep the prior weight, %d occur in fewer than %d", len(m.Table), tables, thin, lowSupport)
	}
	finish(m, fitted, d, o, t, nil, nil, nil, why, r)
}

// evidence is what a fit finds out about its columns.
type evidence struct {
	*design.Tally
	sides     *design.Sides // where the loss can be satisfied at infinity; filled by assess
	separated map[int]bool
	endless   bool            // weights may run away to satisfy a few rows, as those of least squares do not
	lone      []int           // columns that rest on one episode
	shift     *design.Shift   // nil: no penalty, or no errors
	freedom   []float64       // of the standard errors
	shared    map[int]bool    // columns that the penalty alone tells from others
	rows      *design.Rows    // trained on; nil: standard errors do not ask for them
	frozen    map[int32]int64 // training rows in which a frozen feature is not zero; filled by assess
}

// present counts the frozen features of a training row.
func (t *evidence) present(d *design.Matrix, x models.Vector) {
	if d.Frozen == 0 {
		return
	}
	for _, term := range x {
		if term.Value != 0 && d.Column[term.Index+1] < 0 {
			t.frozen[term.Index]++
		}
	}
}

func newEvidence(columns int) *evidence {
	return &evidence{Tally: design.NewTally(columns), shared: map[int]bool{}, frozen: map[int32]int64{}}
}

// share takes a column and those whose combination it is for not identified.
func (t *evidence) share(l numeric.Lost) {
	t.shared[l.Column] = true
	for _, c := range l.Parts {
		t.shared[c] = true
	}
}
