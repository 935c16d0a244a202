package study

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"plyfit/arena/stats"
	"plyfit/internal/list"
	"plyfit/internal/report"
)

// Results contains the results of an experiment.
type Results struct {
	Tables   []report.Table
	Figures  []report.Figure // figures; the first one may be shown on the first page of the report
	Data     []Data          // tables of all measurements
	Findings []Finding       // verdicts on the claims of the hypothesis
	Checks   []Check
	Headline string // main result in one sentence, derived from the intervals
	Notes    []string
}

// Data is a table of numbers that is written as NAME.csv.
type Data struct {
	Name string
	Head []string
	Rows [][]string
}

// Row appends a row. Numbers are formatted without loss of precision.
func (d *Data) Row(cells ...any) {
	d.Rows = append(d.Rows, list.Map(cells, func(c any) string { return fmt.Sprint(c) }))
}

func (d *Data) Write(w io.Writer) error {
	return csv.NewWriter(w).WriteAll(append([][]string{d.Head}, d.Rows...))
}

// Support is the verdict on a claim.
type Support string

const (
	Supported    Support = "supported"
	Contradicted Support = "contradicted"
	NotDecided   Support = "not decided"
	negligible   Support = "negligible" // the effect is smaller than the smallest effect of interest
	refused      Support = "refused"    // an instrument check failed
)

// A Finding is a claim with a verdict, which is derived from an interval.
type Finding struct {
	Claim   string  `json:"claim"` // a complete sentence
	Support Support `json:"verdict"`
	Figure  string  `json:"figure"` // decisive interval with its unit
	P       float64 `json:"p"`      // p-value; 0 if there is no sampling error

	// Place is the title of a table that is printed on the terminal, and Row is the claim's row in
	// that table, without the verdict. If there is no Row, the claim is printed as a sentence.
	Place string   `json:"-"`
	Row   []string `json:"-"`
}

// Decide compares an estimate with a level, using stats.Estimate.Above or stats.Estimate.Below. The
// claim is supported if the comparison holds for the whole interval. Otherwise, it is contradicted
// if the whole interval is on the other side or the estimate is exact, and not decided in all other
// cases. [Session.Run] adjusts the verdict for the number of claims.
func Decide(text string, e stats.Estimate, holds func(e stats.Estimate, level float64) bool, level float64, figure string) Finding {
	v := Finding{Claim: text, Support: NotDecided, Figure: figure, P: e.P(level)}
	switch {
	case holds(e, level):
		v.Support = Supported
	case e.Above(level) || e.Below(level) || e.Exact():
		v.Support = Contradicted
	}
	return v
}

// OrNegligible returns v, or the verdict negligible if v was not decided and the whole interval is
// within the smallest effect of interest. It uses two one-sided tests (Schuirmann 1987).
func (v Finding) OrNegligible(e stats.Estimate, smallest float64) Finding {
	if v.Support == NotDecided && e.Above(-smallest) && e.Below(smallest) {
		v.Support, v.P = negligible, max(e.P(-smallest), e.P(smallest))/2
	}
	return v
}

// correct withdraws verdicts that are not significant after Holm's correction over all findings
// with sampling error. If a check failed, it withdraws all verdicts.
func (f *Results) correct() {
	var p []float64
	var of []int
	for i, v := range f.Findings {
		if v.P > 0 {
			p, of = append(p, v.P), append(of, i)
		}
	}
	for k, adjusted := range stats.Holm(p) {
		v := &f.Findings[of[k]]
		if v.Support != NotDecided && adjusted >= 0.05 {
			v.Figure += fmt.Sprintf("; taken alone %s", v.Support)
			v.Support = NotDecided
		}
	}
	if slices.ContainsFunc(f.Checks, Check.failed) {
		for i := range f.Findings {
			f.Findings[i].Support = refused
		}
		f.Headline = checksLine(f.Checks)
	}
}

// A Check compares a measurement with a theorem. If a check fails, no claim is decided.
type Check struct {
	Name   string `json:"check"`
	Passed bool   `json:"passed"`
	Figure string `json:"figure"` // measured value
}

func (c Check) failed() bool { return !c.Passed }

// checksLine summarises the checks that passed and failed. It returns an empty string if there are
// none.
func checksLine(checks []Check) string {
	var failed []string
	for _, c := range checks {
		if c.failed() {
			failed = append(failed, fmt.Sprintf("%s (%s)", c.Name, c.Figure))
		}
	}
	switch {
	case len(checks) == 0:
		return ""
	case len(failed) == 0:
		return fmt.Sprintf("Instrument checks: %d of %d pass.", len(checks), len(checks))
	}
	return fmt.Sprintf("Instrument checks: %d of %d failed, so no claim is decided: %s.", len(failed), len(checks), strings.Join(failed, "; "))
}

// Contrast contains the losses that the same error causes for two planners, in the same world and
// with the same openings.
type Contrast struct{ Expectimax, Minimax stats.Sample }

// Difference returns the loss of expectimax minus the loss of minimax.
func (c Contrast) Difference() stats.Estimate { return c.Expectimax.Less(1, c.Minimax).Estimate() }

// Ratio returns the loss of expectimax divided by the loss of minimax. It is unknown unless minimax
// clearly loses something.
func (c Contrast) Ratio() stats.Estimate { return c.Expectimax.Over(c.Minimax) }

// RatioText formats a ratio for tables, as "-" if it is unknown.
func RatioText(ratio stats.Estimate) string {
	if !ratio.Known {
		return "-"
	}
	return ratio.Range("%.2f", 1)
}

// LossText formats the mean loss as a fraction of the points.
func LossText(losses stats.Sample) string { return losses.Estimate().Range("%.4f", 1) }

// Percent formats a fraction and its interval as percentages, without the percent sign.
func Percent(e stats.Estimate) string { return e.Range("%.1f", 100) }

// Alike is the factor up to which the losses of two planners are considered equal. With a margin in
// points instead, all sufficiently small losses would be considered equal.
const Alike = 1.25

// Same decides the claim that an error costs both planners the same, that is, that the ratio of
// their losses lies between 1/Alike and Alike. It uses two one-sided tests. If the loss of minimax
// is not clearly above 0, there is no ratio, and the claim is not decided. However, if one planner
// gains while the other loses, the claim is contradicted.
func (c Contrast) Same(claim string) Finding {
	ratio := c.Ratio()
	v := Finding{Claim: claim, Support: NotDecided, P: 1}
	v.Figure = fmt.Sprintf("expectimax loses %s, minimax %s, E/M %s", LossText(c.Expectimax), LossText(c.Minimax), RatioText(ratio))
	e, m, d := c.Expectimax.Estimate(), c.Minimax.Estimate(), c.Difference()
	gains := func(e stats.Estimate) bool { return e.Bounded && e.High <= 0 }
	switch {
	case !ratio.Known && (e.Above(0) && gains(m) || gains(e) && m.Above(0)), ratio.Above(Alike) || ratio.Below(1/Alike):
		v.Support, v.P = Contradicted, d.P(0)
	case ratio.Exact():
		v.Support, v.P = Supported, 0
	case ratio.Known:
		_, less := c.Expectimax.Less(Alike, c.Minimax).Test(0)
		more, _ := c.Expectimax.Less(1/Alike, c.Minimax).Test(0)
		v.P = max(less, more)
		apart := d.Above(0) || d.Below(0)
		if v.P < 0.05 && !(apart && (ratio.High > Alike || ratio.Low < 1/Alike)) {
			v.Support = Supported
		}
	}
	return v
}

// Costs decides the claim that an error costs a planner points. The last parameter contains the
// planner's losses without any evaluation. If these are clearly above 0, a loss is negligible if
// its whole interval is within a twentieth of them.
func Costs(claim string, losses, nothing stats.Sample) Finding {
	e := losses.Estimate()
	v := Decide(claim, e, stats.Estimate.Above, 0, "loss "+LossText(losses))
	if none := nothing.Estimate(); none.Above(0) {
		v.Figure += fmt.Sprintf(", %.1f%% of the loss without any evaluation, %s", 100*e.Value/none.Value, LossText(nothing))
		v = v.OrNegligible(e, 0.05*none.Value)
	}
	return v
}
