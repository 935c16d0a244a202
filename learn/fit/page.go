package fit

import (
	"cmp"
	"fmt"
	"math"

	"plyfit/arena/stats"
	"plyfit/internal/report"
	"plyfit/learn"
	"plyfit/learn/trees"
	"plyfit/learn/validate"
	"plyfit/models"
)

// Page returns the report on a fit, including the diagnosis if there is one.
func Page(f *Result, command string) (*report.Page, error) {
	page := &report.Page{Title: "plyfit fit of " + f.Set.Name(), Lead: say("lead", f)}
	page.Add(report.Heading("What was learned"))
	Describe(page, f)
	if err := cmp.Or(Pictures(page, f.Model, f.Intervals()), f.AddPatterns(page)); err != nil {
		return nil, err
	}
	if f.Diagnosis != nil {
		if err := DescribeDiagnosis(page, f); err != nil {
			return nil, err
		}
	}
	page.Add(report.Heading("Again"), report.Code(command))
	return page, nil
}

func percent(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }

// DescribeDiagnosis adds the diagnosis in f to a page.
func DescribeDiagnosis(page *report.Page, f *Result) error {
	d := f.Diagnosis
	if len(d.Calibration) > 0 {
		unit := "outcome"
		if f.Options.Teacher != nil {
			unit = "teacher's evaluation"
		}
		page.Add(report.Heading("Are predictions right on average?"))
		if err := AddCalibration(page, "held-out rows, in ten groups", unit, "Predicted and realised values of held-out rows, with 95% intervals clustered by episode.", d.Calibration,
			validate.TenthTable("Held-out rows", "", d.Calibration)); err != nil {
			return err
		}
	}
	if len(d.Phases) > 0 {
		t := (&validate.Examination{Stages: d.Phases}).StageTable()
		t.Caption += " If the bias differs between phases, use phased terms."
		page.Add(report.Heading("And in every phase?"), t)
	}
	if t := d.Trees; t != nil {
		half := stats.NormalQuantile95 * t.Error
		page.Add(report.Heading("What does linearity cost?"), report.Table{
			Head: []string{"on the same folds", "mean squared error", "spread"},
			Rows: [][]string{
				{"a constant", sixDigits(t.Constant), ""},
				{"least squares", sixDigits(t.Linear), sixDigits(t.LinearSpread)},
				{"bagged trees", sixDigits(t.Trees), sixDigits(t.TreesSpread)},
			},
			Caption: say("trees", comparison{t, half, math.Abs(t.Cost) > half}),
		})
	}
	if len(d.Notes) > 0 {
		page.Add(report.List(d.Notes))
	}
	return nil
}

// comparison contains the data for the template "trees".
type comparison struct {
	*trees.Comparison
	Half        float64 // half the width of the 95% interval for Cost
	Significant bool
}

// Summary is the JSON form of a fit.
type Summary struct {
	learn.Figures
	Method     string                    `json:"method"`
	Loss       LossKind                  `json:"loss_kind"` // logistic or squared
	Link       models.LinkKind           `json:"link"`
	Scale      float64                   `json:"scale"` // scale of the link
	Label      string                    `json:"label"`
	Penalty    float64                   `json:"penalty"`
	Prior      string                    `json:"prior"` // "" if there is no prior
	HeldOut    string                    `json:"held_out"`
	Command    string                    `json:"command"`
	Share      *Losses                   `json:"share_squared_error"`
	Validation *validate.CrossValidation `json:"validation"` // cross-validation that chose the penalty; null if the penalty was given
	Diagnosis  *Diagnosis                `json:"diagnosis"`
}

// JSON returns the fit in the form intended for scripts.
func (f *Result) JSON() Summary {
	c := &f.Options
	return Summary{
		Figures: f.Report.Figures(), Method: c.Method.Name, Loss: c.Loss, Link: f.Model.Link.Kind, Scale: f.Model.Link.Scale,
		Label: f.Model.Provenance.Label, Penalty: c.Penalty, Prior: c.PriorName, HeldOut: c.HeldOut.String(), Command: f.Model.Provenance.Command,
		Share: f.Share, Validation: f.Validation, Diagnosis: f.Diagnosis,
	}
}

// ColumnsJSON returns a column fit in the form intended for scripts.
func (f *Result) ColumnsJSON() any {
	w := f.Weights()
	return struct {
		Rows      int                 `json:"rows"`
		Scale     float64             `json:"scale"`
		Tapered   bool                `json:"tapered"`
		Columns   []models.WeightJSON `json:"columns"`
		Rounded   *Losses             `json:"rounded,omitempty"`
		Repeats   int                 `json:"repeated_games"` // number of games that repeat an earlier game row by row
		Width     float64             `json:"prior_width,omitempty"`
		Effective float64             `json:"effective_rows,omitempty"` // effective number of training rows, if a width is set
		Doubts    []string            `json:"doubts,omitempty"`         // reasons why the weights may play worse than the starting weights
		Report    learn.Figures       `json:"report"`
	}{w.Rows, w.Scale, w.Tapered, w.JSON(), f.Rounded, f.Repeats, f.Options.Width.Value, f.effectiveRows(), f.Doubts(), f.Report.Figures()}
}
