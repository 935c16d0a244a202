package study

import (
	"encoding/csv"
	"fmt"
	"io"

	"plyfit/arena/stats"
	"plyfit/internal/list"
	"plyfit/internal/report"
)

// Results are what an experiment found.
type Results struct {
	// Tables and Figures stand in the report in their order; the first figure
	// and the first table are those for a reader in a hurry.
	Tables  []report.Table
	Figures []report.Figure
	Data    []Data // everything measured
	// Findings are the claims of the hypothesis, each with what the intervals say of it.
	Findings []Finding
	Checks   []Check // theorems that test the instrument; where one fails no finding is given
	// Headline is the one sentence to remember, computed from the intervals.
	Headline string
	Notes    []string // what a reader must know beside the figures
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
	out := csv.NewWriter(w)
	if err := out.Write(d.Head); err != nil {
		return err
	}
	return out.WriteAll(d.Rows)
}

// Finding is what the intervals say of a claim.
type Finding struct {
	Claim   string  `json:"claim"` // a sentence, as the hypothesis has it
	Support Support `json:"verdict"`
	Figure  string  `json:"figure"` // the interval that decided, with its unit
	// P is how likely a figure at least so far from the claim's level is where the
	// level is true; 0 of figures without sampling error.
	P float64 `json:"p"`

	// Place and Row are the claim in a table for a terminal: what its claims have in common, and
	// its cells without the verdict. A claim without them is printed as a sentence.
	Place string   `json:"-"`
	Row   []string `json:"-"`
}

// RowHead is the head of the tables of [Finding.Row].
var RowHead = []string{"error", "world", "claim", "expectimax", "minimax", "E/M"}

// Claim is what is expected of a figure.
type Claim int

const (
	Above Claim = iota // greater than the level
	Below              // less
)

// Decide compares an estimate with a level: a claim is supported if the whole interval lies on the
// side that it names, contradicted if it lies on the other or the figure is exact, and otherwise not
// decided. That is the verdict on the claim alone; a run corrects it for the number of claims
// ([Session.Run]).
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

// OrNegligible is the finding, decided as negligible where it was not decided and the
// whole interval lies within the smallest effect of interest on either side of 0. Its p
// is the greater one of the two one-sided tests (Schuirmann 1987).
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

// Percent formats a share and its interval in percent, without the sign.
func Percent(e stats.Estimate) string { return e.Range("%.1f", 100) }
