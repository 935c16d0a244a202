package learn

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"plyfit/datasets"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/learn/loss"
	"plyfit/models"
)

// explain records the reason for each column that is not identified, and summarises these reasons
// in the notes. The parameter solved lists the columns of the system that was solved, including the
// penalty.
func (f *fitting) explain(solved []int) {
	d, t, why, r := f.design, f.Tally, f.why, f.report
	var never, constant, combined, low []string
	for _, c := range f.factor.Lost {
		name := d.Model.Name(d.Feature[c.Column])
		switch {
		case c.Column == d.Bias:
			why[c.Column] = "no bias column in the data"
		case t.Support[c.Column] == 0 || len(c.Parts) == 0:
			why[c.Column] = "never occurs in the training rows"
			never = append(never, name)
		case f.variance[c.Column] == 0:
			why[c.Column] = "constant"
			constant = append(constant, name)
		default:
			parts := d.Names(c.Parts)
			if len(parts) > 4 {
				parts = append(parts[:4:4], "...")
			}
			of := "a combination of " + strings.Join(parts, ", ")
			if slices.Contains(solved, c.Column) {
				of += ": separated by the penalty alone"
				f.markShared(c)
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
}

// finish writes the fitted weights to the model and the report. It includes standard errors if the
// data determine them.
func (f *fitting) finish(errs []float64) {
	m, d, why, r := f.model, f.design, f.why, f.report
	var vif []float64
	if f.factor != nil && d.Width() <= maxErrorsCols && !f.NoErrors {
		vif = f.inflation()
		if f.canSeparate && f.Unit > 0 { // the columns come from a user's table; a game's own features are known to be collinear
			f.explainHardly(vif)
		}
	}
	for c := range errs {
		if f.separated[c] || f.shared[c] {
			errs[c] = 0
		}
	}
	for _, c := range f.lone {
		if why[c] == "" {
			why[c] = "depends on one episode, so there is no interval"
		}
	}
	f.explainShifts(errs)
	copy(m.Weights, f.fitted.Weights)
	copy(m.Table, f.fitted.Table)
	m.Bias = f.fitted.Bias
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
		w := Weight{Name: m.Name(i), Index: i, Value: m.Weight(i), Support: f.frozen[i], Note: Frozen}
		if f.Prior != nil {
			w.Prior = f.Prior.Weight(i)
		}
		if c := d.Column[i+1]; c >= 0 {
			w.Support, w.Note, w.Separated = f.Support[c], why[int(c)], f.separated[int(c)]
			if errs != nil {
				w.Error, w.Freedom = errs[c], f.freedom[c]
			}
			if vif != nil {
				w.VIF = vif[c]
			}
		}
		r.Weights = append(r.Weights, w)
	}
}

// repeated is the variance inflation factor above which a column is treated as a repetition of
// other columns. At this value, they explain 99% of its variance.
const repeated = 100

// explainHardly lists the columns that other columns repeat in all but a few rows. If a column's
// variance inflation factor is F, only about one in F of its rows carries information that the
// other columns do not contain. A fit can satisfy these few rows almost exactly, so the interval of
// the weight would be far too narrow. Without prior widths, the weight therefore gets no interval.
func (f *fitting) explainHardly(vif []float64) {
	var names []string
	for c, by := range vif {
		if c == f.design.Bias || by < repeated || f.separated[c] || f.shared[c] || f.Support[c] < lowSupport {
			continue
		}
		own := float64(f.Support[c]) / by
		if own >= lowSupport {
			continue
		}
		if f.Width == nil {
			f.markShared(numeric.Lost{Column: c})
		}
		names = append(names, f.name(c))
		if f.why[c] == "" {
			f.why[c] = fmt.Sprintf("other columns repeat it except in about %.2g rows", own)
		}
	}
	f.report.noteMany("nearly collinear: other columns repeat these except in a few rows, so their weights may be far off; leave one of them out, or use a prior width", names)
}

// inflation returns the variance inflation factor of every column kept in the design's factor: the
// column's second moment about the bias times the diagonal element of the inverse. The bias has no
// variance inflation factor.
func (f *fitting) inflation() []float64 {
	d, xx, kept := f.design, f.xx, f.factor.Columns
	n, k := d.Width(), len(kept)
	out := make([]float64, n)
	inv := f.factor.Inverse()
	for i, c := range kept {
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

// explainSeparated explains the weights of separated columns, column by column and in a note.
func (f *fitting) explainSeparated(columns []int) {
	if len(columns) == 0 {
		return
	}
	size := "the last step"
	if f.Penalty > 0 {
		size = fmt.Sprintf("the penalty of %v", f.Penalty)
	} else if f.Width != nil {
		size = "the prior"
	}
	f.separated = map[int]bool{}
	for _, c := range columns {
		f.separated[c] = true
		f.why[c] = "separated: its rows all have one result; " + size + " gives it its size"
	}
	f.report.noteMany("separated: results are given without error by these, so no finite weight is likeliest (Albert and Anderson 1984); "+size+" holds them where they are, and there is no interval; to say how sure such a win is takes a larger penalty, a prior, or data in which it is missed", f.design.Names(columns))
}

// explainShifts adds a note that lists the shrunk weights; see [design.ShiftOfErrors]. It also
// marks each of these weights that has no other mark.
func (f *fitting) explainShifts(errs []float64) {
	s := f.shift
	if s == nil || errs == nil {
		return
	}
	var moved []string
	for c, by := range s.By {
		if errs[c] == 0 || !(math.Abs(by) > design.ShiftOfErrors*errs[c] || s.Share[c] > design.ShiftOfData) {
			continue
		}
		moved = append(moved, f.name(c))
		if f.why[c] == "" {
			f.why[c] = fmt.Sprintf("shrunk: without the penalty about %.4g", f.fitted.Weight(f.design.Feature[c])-by)
		}
	}
	f.report.noteMany("shrunk noticeably by the penalty, so that these intervals say what another data set would give under the same penalty, not what the data alone would", moved)
}

// summarise lists the columns that never occur, are constant or have little support, for learners
// whose memory use does not grow with the square of the number of columns. It also fills in the
// report's weights.
func (f *fitting) summarise() {
	m, d, t, r := f.model, f.design, f.Tally, f.report
	var never, constant, low []string
	dense, tables, thin := len(m.Weights), 0, 0
	for c, feature := range d.Feature {
		if feature == models.Bias {
			continue
		}
		if int(feature) >= dense {
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
			f.why[c] = "never occurs in the training rows"
			never = append(never, m.Name(feature))
		case f.variance[c] == 0:
			f.why[c] = "constant"
			constant = append(constant, m.Name(feature))
		case t.Support[c] < lowSupport && t.Rows >= 10*lowSupport:
			low = append(low, m.Name(feature))
		}
	}
	r.noteMany("never occur in the training rows, keep the prior weight", never)
	r.noteMany("constant, keep the prior weight", constant)
	r.noteMany("thin support", low)
	columns := f.directions.Alone(t.Support)
	in := len(columns)
	for in > 0 && int(d.Feature[columns[in-1]]) >= dense { // tables come last
		in--
	}
	f.explainSeparated(columns[:in])
	if in < len(columns) {
		r.note("of %d table weights %d stand in rows of one result only: they have no finite estimate, and steps and penalty give them their size", len(m.Table), len(columns)-in)
	}
	if len(m.Table) > 0 {
		r.note("of %d table weights %d never occur in the training rows and keep the prior weight, %d occur in fewer than %d", len(m.Table), tables, thin, lowSupport)
	}
	f.finish(nil)
}

// fitting is a fit in progress, together with what is known about its columns.
type fitting struct {
	*Options
	*design.Tally
	ctx    context.Context
	model  *models.Linear // the model to fit, which finish updates
	fitted *models.Linear // copy of the model with the current weights
	design *design.Matrix
	report *Report
	rows   *design.Rows // training rows; nil if they are read only once

	variance []float64       // column variances
	xx       []float64       // X'WX; nil if the learner does not compute it
	factor   *numeric.Factor // factor of xx

	why         map[int]string     // why a column is unidentifiable or its weight uninformative
	directions  *design.Directions // nil unless the loss may have no finite minimum; filled in by assess
	separated   map[int]bool
	canSeparate bool            // weights may grow without limit to satisfy a few rows, which cannot happen in least squares
	lone        []int           // columns that depend on a single episode
	shift       *design.Shift   // nil if there is no penalty or there are no standard errors
	freedom     []float64       // degrees of freedom of the standard errors
	shared      map[int]bool    // columns that only the penalty separates from others
	frozen      map[int32]int64 // number of training rows in which each frozen feature is not zero; filled in by assess
}

// begin checks the options and assigns columns to the features of m. It returns an error if the
// number of columns exceeds limit.
func (o *Options) begin(ctx context.Context, m *models.Linear, limit int, r *Report) (*fitting, error) {
	if err := o.Check(m); err != nil {
		return nil, err
	}
	d, err := design.New(m, o.Frozen, limit)
	if err != nil {
		return nil, err
	}
	return &fitting{
		Options: o, Tally: design.NewTally(d.Width()), ctx: ctx, model: m, fitted: m.Clone(), design: d, report: r,
		why: map[int]string{}, shared: map[int]bool{}, frozen: map[int32]int64{},
	}, nil
}

// open performs the first pass over the training rows. If the function use is not nil, the pass
// includes only the rows for which use returns true.
func (f *fitting) open(data datasets.Samples, criterion loss.Function, use func(s *datasets.Sample) bool) (err error) {
	f.rows, err = design.OpenRows(f.ctx, data, f.design, f.split(), f.Workers, f.Tally, criterion, use)
	return err
}

// store sets the fitted weights to w, which is indexed by column.
func (f *fitting) store(w []float64) error {
	f.design.Store(f.fitted, w)
	return design.Finite(f.design, w)
}

// name returns the name of a column.
func (f *fitting) name(column int) string { return f.design.Model.Name(f.design.Feature[column]) }

// present counts the frozen features that are not zero in a training row.
func (f *fitting) present(x models.Vector) {
	if f.design.Frozen == 0 {
		return
	}
	for _, term := range x {
		if term.Value != 0 && f.design.Column[term.Index+1] < 0 {
			f.frozen[term.Index]++
		}
	}
}

// markShared marks a lost column, and the columns of which it is a combination, as not identified.
func (f *fitting) markShared(l numeric.Lost) {
	f.shared[l.Column] = true
	for _, c := range l.Parts {
		f.shared[c] = true
	}
}
