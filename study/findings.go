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
	// P is the probability of a figure at least this far from the claim's level if the level is true;
	// 0 for figures without sampling error.
	P float64 `json:"p"`

	// Place and Row are the claim in a table for a terminal: what the table's claims have in common,
	// and the cells except the verdict. A claim without them is printed as a sentence.
	Place string   `json:"-"`
	Row   []string `json:"-"`
}

// Claim is what is expected of a figure.
type Claim int

const (
	Above Claim = iota // greater than the level
	Below              // less
)

// Decide compares an estimate with a level: a claim is supported if the whole interval is on the side
// that it names, contradicted if the interval is on the other side or the figure is exact, and
// otherwise not decided. [Session.Run] corrects the verdict for the number of claims.
func Decide(text string, e stats.Estimate, claim Claim, level float64, figure string) Finding {
	v := Finding{Claim: text, Support: NotDecided, Figure: figure, P: e.P(level)}
	holds, fails := e.Above(level), e.Below(level)
	if claim == Below {
		holds, fails = fails, holds
	}
	switch {
	case holds:
		v.Support = Supported
	case fails || e.Exact():
		v.Support = Contradicted
	}
	return v
}

// OrNegligible returns v, as negligible if it was not decided and the whole interval is within the
// smallest effect of interest on either side of 0. P is then the greater of the two one-sided tests'
// (Schuirmann 1987).
func (v Finding) OrNegligible(e stats.Estimate, smallest float64) Finding {
	if v.Support == NotDecided && e.Above(-smallest) && e.Below(smallest) {
		v.Support, v.P = negligible, max(e.P(-smallest), e.P(smallest))/2
	}
	return v
}

// correct withdraws verdicts that do not survive Holm's correction over the findings with sampling
// error.
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
}

// Check is a theorem that tests the instrument: its result does not depend on the answer to the
// question. If one fails, the measurement is wrong and no claim is decided.
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

// refuse withdraws all verdicts if a check failed.
func (f *Results) refuse() {
	if slices.ContainsFunc(f.Checks, Check.failed) {
		for i := range f.Findings {
			f.Findings[i].Support = refused
		}
		f.Headline = checksLine(f.Checks)
	}
}
