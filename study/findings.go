package study

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"

	"plyfit/arena/stats"
	"plyfit/internal/elementary"
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

// Interval is a figure with its 95% interval. Low equals High where nothing was
// sampled, and there alone: figures of a sample that are all alike keep a width.
type Interval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Exactly is a figure without sampling error.
func Exactly(x float64) Interval { return Interval{x, x, x} }

// Exact reports whether there is no sampling error in it.
func (i Interval) Exact() bool { return i.Low == i.High }

// Format prints the figure, and its interval where it has one.
func (i Interval) Format(places int) string {
	if i.Exact() {
		return Number(i.Value, places)
	}
	return fmt.Sprintf("%s (%s to %s)", Number(i.Value, places), Number(i.Low, places), Number(i.High, places))
}

// Times is the figure in a unit so many times smaller: 100 for percent.
func (i Interval) Times(factor float64) Interval {
	return Interval{float64(factor * i.Value), float64(factor * i.Low), float64(factor * i.High)}
}

// Number prints x with that many decimal places and without a minus nought.
func Number(x float64, places int) string {
	text := fmt.Sprintf("%.*f", places, x)
	if zero := fmt.Sprintf("%.*f", places, 0.0); text == "-"+zero {
		return zero
	}
	return text
}

// Claim is what is expected of a figure.
type Claim int

const (
	Above  Claim = iota // greater than the level
	Below               // less
	equals              // exactly the level: no figure but an exact one can support it
)

// Decide compares an interval with a level: a claim is supported where the whole interval lies on
// the side that it names, contradicted where it lies on the other, and else not decided. That is
// the verdict on the claim alone; a run corrects it for the number of claims ([Session.Run]).
func Decide(text string, i Interval, claim Claim, level float64, figure string) Finding {
	v := Finding{Claim: text, Support: NotDecided, Figure: figure, P: i.p(level)}
	above, below := i.Low > level, i.High < level
	switch {
	case math.IsNaN(i.Value):
	case claim == Above && above, claim == Below && below, claim == equals && i.Exact() && i.Value == level:
		v.Support = Supported
	case claim == Above && (below || i.Exact()), claim == Below && (above || i.Exact()), claim == equals && (above || below):
		v.Support = Contradicted
	}
	return v
}

// p is the two-sided p-value of a level, from the interval: its width tells the
// standard error (Altman and Bland, BMJ 343:d2304, 2011).
func (i Interval) p(level float64) float64 {
	switch width := i.High - i.Low; {
	case math.IsNaN(width), math.IsNaN(i.Value), math.IsInf(width, 0):
		return 1
	case width == 0:
		return 0
	default:
		z := (i.Value - level) / (width / (2 * stats.NormalQuantile95))
		return elementary.Erfc(math.Abs(z) / math.Sqrt2)
	}
}

// OrNegligible is the finding, decided as negligible where it was not decided and the
// whole interval lies within the smallest effect of interest on either side of 0. Its p
// is the greater one of the two one-sided tests (Schuirmann 1987).
func (v Finding) OrNegligible(i Interval, smallest float64) Finding {
	if v.Support == NotDecided && i.Low > -smallest && i.High < smallest {
		v.Support, v.P = negligible, max(i.p(-smallest), i.p(smallest))/2
	}
	return v
}

// sampled reports whether sampling error is in the figure that decided.
func (v Finding) sampled() bool { return v.P > 0 }

// correct takes back verdicts that do not survive Holm's correction over the sampled findings.
func (f *Results) correct() {
	var p []float64
	var of []int
	for i, v := range f.Findings {
		if v.sampled() {
			p, of = append(p, v.P), append(of, i)
		}
	}
	for k, adjusted := range stats.Holm(p) {
		v := &f.Findings[of[k]]
		if v.Support != NotDecided && v.Support != refused && adjusted >= 0.05 {
			v.Figure += fmt.Sprintf("; taken alone %s", v.Support)
			v.Support = NotDecided
		}
	}
}

// Percent is a share with its interval, in percent.
func Percent(i Interval) string {
	return i.Times(100).Format(1)
}
