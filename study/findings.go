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

// Results are what an experiment found.
type Results struct {
	Tables   []report.Table
	Figures  []report.Figure // the first one may be on the report's first page
	Data     []Data          // everything measured
	Findings []Finding       // on the claims of the hypothesis
	Checks   []Check
	Headline string // the one sentence to remember, computed from the intervals
	Notes    []string
}

// Data is a table of numbers, written as NAME.csv.
type Data struct {
	Name string
	Head []string
	Rows [][]string
}

// Row appends a row; numbers are written so that they read back as they were.
func (d *Data) Row(cells ...any) {
	d.Rows = append(d.Rows, list.Map(cells, func(c any) string { return fmt.Sprint(c) }))
}

func (d *Data) Write(w io.Writer) error {
	return csv.NewWriter(w).WriteAll(append([][]string{d.Head}, d.Rows...))
}

// Support is what the intervals say of a claim.
type Support string

const (
	Supported    Support = "supported"
	Contradicted Support = "contradicted"
	NotDecided   Support = "not decided"
	negligible   Support = "negligible" // within the smallest effect of interest
	refused      Support = "refused"    // an instrument check failed
)

// Finding is what the intervals say of a claim.
type Finding struct {
	Claim   string  `json:"claim"` // a sentence
	Support Support `json:"verdict"`
	Figure  string  `json:"figure"` // the interval that decided, with its unit
	P       float64 `json:"p"`      // 0 for figures without sampling error

	// Place is the title of a table for a terminal, and Row the claim in it, without the verdict. A claim
	// without them is printed as a sentence.
	Place string   `json:"-"`
	Row   []string `json:"-"`
}

// Decide compares an estimate with a level: a claim is supported if it holds of the whole interval
// (stats.Estimate.Above or Below), contradicted if the interval is on the other side or the figure is
// exact, and otherwise not decided. [Session.Run] corrects the verdict for the number of claims.
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

// OrNegligible returns v, as negligible if it was not decided and the whole interval is within the
// smallest effect of interest, by two one-sided tests (Schuirmann 1987).
func (v Finding) OrNegligible(e stats.Estimate, smallest float64) Finding {
	if v.Support == NotDecided && e.Above(-smallest) && e.Below(smallest) {
		v.Support, v.P = negligible, max(e.P(-smallest), e.P(smallest))/2
	}
	return v
}

// correct withdraws verdicts that do not survive Holm's correction over findings with sampling error, and
// all of them if a check failed.
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

// Check is a theorem that tests the instrument. If one fails, no claim is decided.
type Check struct {
	Name   string `json:"check"`
	Passed bool   `json:"passed"`
	Figure string `json:"figure"` // what was measured
}

func (c Check) failed() bool { return !c.Passed }

// checksLine reports how many checks passed and which failed; "" if there are none.
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
	return fmt.Sprintf("Instrument checks: %d of %d fail, so no claim is decided: %s.", len(failed), len(checks), strings.Join(failed, "; "))
}

// Contrast holds the losses of two planners by one error, in one world and on the same openings.
type Contrast struct{ Expectimax, Minimax stats.Sample }

// Difference is how much more expectimax loses.
func (c Contrast) Difference() stats.Estimate { return c.Expectimax.Less(1, c.Minimax).Estimate() }

// Ratio is expectimax's loss over minimax's; unknown unless minimax clearly loses something.
func (c Contrast) Ratio() stats.Estimate { return c.Expectimax.Over(c.Minimax) }

// RatioText formats a ratio in tables: "-" if it is unknown.
func RatioText(ratio stats.Estimate) string {
	if !ratio.Known {
		return "-"
	}
	return ratio.Range("%.2f", 1)
}

// LossText formats the mean of losses as a share of the points.
func LossText(losses stats.Sample) string { return losses.Estimate().Range("%.4f", 1) }

// Percent formats a share and its interval in percent, without the sign.
func Percent(e stats.Estimate) string { return e.Range("%.1f", 100) }

// Alike is the factor by which two planners' losses may differ and count as the same. A margin in
// points would include any losses smaller than itself.
const Alike = 1.25

// Same decides the claim that an error costs both planners the same: that the ratio of the losses is
// within 1/Alike to Alike, by two one-sided tests. If minimax does not clearly lose anything there is
// no ratio, and the claim is not decided unless one of them gains what the other loses.
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

// Costs decides the claim that an error costs a planner points. nothing holds the planner's losses
// with no evaluation at all. Losses are negligible if the whole interval is within a twentieth of them,
// provided that they are clearly above 0.
func Costs(claim string, losses, nothing stats.Sample) Finding {
	e := losses.Estimate()
	v := Decide(claim, e, stats.Estimate.Above, 0, "loss "+LossText(losses))
	if none := nothing.Estimate(); none.Above(0) {
		v.Figure += fmt.Sprintf(", %.1f%% of what no evaluation at all loses there, %s", 100*e.Value/none.Value, LossText(nothing))
		v = v.OrNegligible(e, 0.05*none.Value)
	}
	return v
}
