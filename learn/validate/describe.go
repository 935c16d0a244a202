package validate

import (
	"fmt"

	"plyfit/internal/report"
)

// Describe adds the results of an examination to a page.
func Describe(page *report.Page, x *Examination) {
	page.Add(x.errors(), x.differences(), TenthTable("Rows", " "+x.of(), x.Calibration))
	if len(x.Stages) > 0 {
		page.Add(x.StageTable())
	}
}

// of returns the name of the predicted and realised quantity, for captions.
func (x *Examination) of() string {
	if x.ToCome {
		return "of the remaining score"
	}
	return "of the outcome"
}

func (x *Examination) errors() report.Table {
	t := report.Table{Head: []string{"evaluation", "squared error", "95% interval", "R²", "after a line", "bias", "95% interval"}}
	entropy := x.Evaluations[0].CrossEntropy != nil
	if entropy {
		t.Head = append(t.Head, "cross-entropy")
	}
	if x.ToCome {
		t.Head = append(t.Head, "R² of all")
	}
	for i := range x.Evaluations {
		e := &x.Evaluations[i]
		row := []string{e.Name, fmt.Sprintf("%.6g", e.Squared.Value), e.Squared.interval(), fmt.Sprintf("%.4f", e.R2), fmt.Sprintf("%.4f", e.LineR2), fmt.Sprintf("%+.4g", e.Bias.Value), e.Bias.interval()}
		if entropy && e.CrossEntropy != nil {
			row = append(row, fmt.Sprintf("%.6g", e.CrossEntropy.Value))
		} else if entropy {
			row = append(row, "")
		}
		if x.ToCome {
			row = append(row, fmt.Sprintf("%.4f", *e.OutcomeR2))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Caption = fmt.Sprintf("R² is the fraction of the variance %s that the predictions explain; if it is negative, a constant is more accurate. The column \"after a line\" contains R² after the best linear transformation of the predictions. Bias is predicted minus realised. The constant is the mean of these rows.", x.of())
	return t
}

func (x *Examination) differences() report.Table {
	first := &x.Evaluations[0]
	t := report.Table{Head: []string{"compared with " + first.Name, "larger error by", "95% interval", ""},
		Caption: "Paired differences of the squared error, with intervals clustered by game. If a difference is positive, " + first.Name + " is more accurate."}
	for _, e := range x.Evaluations[1:] {
		d := e.Less
		t.Rows = append(t.Rows, []string{e.Name, fmt.Sprintf("%.4g", d.Squared.Value), d.Squared.interval(), d.finding()})
	}
	return t
}

func (d *Difference) finding() string {
	switch {
	case d.Alike:
		return "all alike"
	case d.Squared.Low == nil:
		return "no interval: one game"
	case *d.Squared.Low > 0:
		return "worse"
	case *d.Squared.High < 0:
		return "better"
	}
	return "no significant difference"
}

// TenthTable returns a table of predictions and realised values for each tenth of the rows. The
// first two parameters are the names of the rows and of the quantity in the caption.
func TenthTable(rows, of string, tenths []Stratum) report.Table {
	t := report.Table{Head: []string{"tenth", "predicted", "realised", "95% interval", "rows", "games", ""},
		Caption: rows + " in tenths by prediction" + of + ". There are fewer groups if many predictions are equal. The interval is that of the realised mean, clustered by game. A prediction outside the interval is too high or too low."}
	for i := range tenths {
		t.Rows = append(t.Rows, append([]string{fmt.Sprint(i + 1)}, tenths[i].row()...))
	}
	return t
}

// StageTable returns a table of predictions and realised values by stage of the game.
func (x *Examination) StageTable() report.Table {
	t := StageTable("plies")
	for _, s := range x.Stages {
		name := fmt.Sprintf("%d to %d", s.First, s.Last)
		if s.First == s.Last {
			name = fmt.Sprint(s.First)
		}
		t.Rows = append(t.Rows, StageRow(name, &s.Stratum))
	}
	return t
}

// StageTable returns the header and the caption of a table of stages. The parameter unit is the
// heading of the first column.
func StageTable(unit string) report.Table {
	return report.Table{Head: []string{unit, "predicted", "realised", "95% interval", "rows", "games", "", "bias"},
		Caption: "Calibration by game progress, in five groups of equal size. Bias is predicted minus realised."}
}

// StageRow returns a row of a table of stages.
func StageRow(name string, s *Stratum) []string {
	return append(append([]string{name}, s.row()...), fmt.Sprintf("%+.4g", s.Bias()))
}

// row returns the cells of the stratum, without its name.
func (s *Stratum) row() []string {
	half, off := s.Half(), ""
	interval := ""
	if half > 0 {
		interval = fmt.Sprintf("%.4g to %.4g", s.Realised-half, s.Realised+half)
		if bias := s.Bias(); bias > half {
			off = "too high"
		} else if bias < -half {
			off = "too low"
		}
	}
	return []string{fmt.Sprintf("%.4g", s.Predicted), fmt.Sprintf("%.4g", s.Realised), interval, fmt.Sprint(s.Rows), fmt.Sprint(s.Episodes), off}
}

func (f *Figure) interval() string {
	if f.Low == nil {
		return ""
	}
	return fmt.Sprintf("%.5g to %.5g", *f.Low, *f.High)
}
