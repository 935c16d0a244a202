// Package stats computes figures of paired games with their uncertainty: means with intervals,
// also for pairs with shared openings, Elo, sequential tests and joint ratings. It knows numbers,
// never games.
//
// [OpeningCounts] counts pairs by opening; [Clustered] and [Pentanomial] gather their scores. An
// [Estimate] is a figure with its interval, or the reason for its lack; an [SPRT] decides between
// two hypotheses as pairs arrive; [Rate] fits ratings to several matches at once.
package stats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"plyfit/internal/elementary"
)

// confidence is the coverage that every interval of this package aims at.
const confidence = 0.95

// FewestPairs is the fewest independent pairs with a meaningful interval; below it, there is none,
// and Estimate.Lacks explains.
const FewestPairs = 4

// NormalQuantile95 is the number of standard errors by which a 95% interval reaches to either side if
// the standard error is known: the limit of [TQuantile95].
const NormalQuantile95 = 1.959963984540054

// TQuantile95 is the two-sided 95% quantile of Student's t distribution with these degrees of freedom.
func TQuantile95(freedom float64) float64 {
	const p = 0.5 + confidence/2
	y := mathext.InvRegIncBeta(freedom/2, 0.5, 2*(1-p))
	return elementary.Round(math.Sqrt(freedom * (1 - y) / y))
}

// Above is the probability that Student's t with these degrees of freedom exceeds t, which may be
// infinite. It is half the regularized incomplete beta function I_y(freedom/2, 1/2) with
// y = freedom/(freedom + t^2), or the rest to 1.
func Above(t, freedom float64) float64 {
	switch {
	case math.IsInf(t, 1):
		return 0
	case math.IsInf(t, -1):
		return 1
	}
	half := float64(0.5 * mathext.RegIncBeta(freedom/2, 0.5, freedom/(float64(t*t)+freedom)))
	if t < 0 {
		return 1 - half
	}
	return half
}

// Estimate is a figure with its 95% interval. An unknown one is false here and absent in JSON,
// never a NaN or an infinity; Lacks is then the reason in words.
type Estimate struct {
	Value     float64
	Known     bool // Value means something
	Low, High float64
	Bounded   bool   // Low and High mean something
	Lacks     string // why Value or its interval is missing
	// Alike means that all observations were equal, so that Low and High only bound what so few of
	// them may have missed; without such a bound, Lacks reports it. JSON has it only with bounds.
	Alike bool
}

// Error is half the width of the interval, 0 without one. For a lopsided one, see Low and High.
func (e Estimate) Error() float64 {
	if !e.Bounded {
		return 0
	}
	return (e.High - e.Low) / 2
}

// String is the figure as "57.25 ± 2.1" or "98 (90 to 100)", or what it lacks.
func (e Estimate) String() string { return e.Format("%.4g", 1) }

// Lopsided reports whether the interval reaches so much farther to one side that its ends are
// needed.
func (e Estimate) Lopsided() bool {
	return e.Bounded && math.Abs(float64((e.Low+e.High)/2)-e.Value) > 0.1*e.Error()
}

// Format prints the figure and half its interval, or the whole of a lopsided one, multiplied by
// scale, with the format of one number.
func (e Estimate) Format(format string, scale float64) string {
	print := func(x float64) string {
		text := fmt.Sprintf(format, scale*x)
		if strings.Trim(text, "-0.") == "" {
			text = strings.TrimPrefix(text, "-") // no minus nought
		}
		return text
	}
	switch {
	case e.Known && e.Bounded && e.Lopsided():
		return fmt.Sprintf("%s (%s to %s)", print(e.Value), print(e.Low), print(e.High))
	case e.Known && e.Bounded:
		return print(e.Value) + " ± " + strings.TrimPrefix(print(e.Error()), "+")
	case e.Known && e.Alike:
		return fmt.Sprintf("%s (%s)", print(e.Value), e.Lacks)
	case e.Known && e.Lacks != "":
		return fmt.Sprintf("%s (no interval: %s)", print(e.Value), e.Lacks)
	case e.Known:
		return print(e.Value)
	}
	return "unknown: " + e.Lacks
}

// Percent prints a share of the points.
func (e Estimate) Percent() string {
	switch {
	case e.Known && e.Bounded && e.Lopsided():
		return fmt.Sprintf("%.1f%% (%.1f%% to %.1f%%)", 100*e.Value, 100*e.Low, 100*e.High)
	case e.Known && e.Bounded:
		return fmt.Sprintf("%.1f%% ± %.1f%%", 100*e.Value, 100*e.Error())
	case e.Known:
		return fmt.Sprintf("%.1f%%", 100*e.Value)
	}
	return e.String()
}

// Decimals is a format with as many places as the interval makes worth while.
func (e Estimate) Decimals() string {
	if e.Alike && !e.Bounded {
		return "%.4g"
	}
	size := cmp.Or(e.Error(), math.Abs(e.Value)/100)
	places := 4
	if size > 0 {
		places = min(6, max(0, 1-int(math.Floor(elementary.Log10(size)))))
	}
	return fmt.Sprintf("%%.%df", places)
}

type estimateJSON struct {
	Value *float64 `json:"value,omitempty"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	Lacks string   `json:"lacks,omitempty"`
	Alike bool     `json:"alike,omitempty"`
}

// MarshalJSON writes {"value", "low", "high", "lacks", "alike"}, without what is missing.
func (e Estimate) MarshalJSON() ([]byte, error) {
	j := estimateJSON{Lacks: e.Lacks, Alike: e.Alike && !e.Bounded}
	if e.Known {
		j.Value = &e.Value
	}
	if e.Bounded {
		j.Low, j.High = &e.Low, &e.High
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Estimate) UnmarshalJSON(data []byte) error {
	var j estimateJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*e = Estimate{Lacks: j.Lacks, Alike: j.Alike}
	if j.Value != nil {
		e.Value, e.Known = *j.Value, true
	}
	if j.Low != nil && j.High != nil {
		e.Low, e.High, e.Bounded = *j.Low, *j.High, true
	}
	return nil
}

// Moments accumulate a mean and its interval in one pass by Welford's recurrence (Technometrics 4,
// 1962).
type Moments struct {
	n        int
	mean, m2 float64
}

// Add takes the next observation.
func (s *Moments) Add(x float64) {
	s.n++
	d := x - s.mean
	s.mean += d / float64(s.n)
	s.m2 += float64(d * (x - s.mean))
}

// Mean is their mean.
func (s *Moments) Mean() float64 { return s.mean }

// Deviation is the standard deviation, with n-1 in the denominator.
func (s *Moments) Deviation() float64 {
	if s.n < 2 {
		return 0
	}
	return math.Sqrt(s.m2 / float64(s.n-1))
}

// Span is what a mean can lie in.
type Span struct {
	Low, High float64
	// Score means that these are the ends of a score, which no game comes near: they are bounds,
	// but do not limit what observations may have missed.
	Score bool
}

// Anywhere is the span of a mean without bounds.
var Anywhere = Span{Low: math.Inf(-1), High: math.Inf(1)}

// Finite reports whether both ends are numbers.
func (s Span) Finite() bool { return !math.IsInf(s.Low, 0) && !math.IsInf(s.High, 0) }

// Estimate is the mean of a quantity in the span with its interval by Student's t, as if only the
// given number of observations were independent (all of them: s.n). Equal observations have no
// variance, but an outcome never seen in n pairs has at most the probability q = 1 - 0.025^(1/n)
// (Clopper and Pearson, Biometrika 26, 1934), which bounds the mean with that share of the worst
// and the best. The ends of a score would give figures unrelated to the pairs (2048 has some 3.9
// million points to win): there, and without ends, no interval is given, and Lacks reports equal
// pairs and their number.
func (s *Moments) Estimate(independent int, in Span) Estimate {
	if s.n == 0 {
		return Estimate{Lacks: noPair}
	}
	e := Estimate{Value: s.mean, Known: true}
	sd := s.Deviation()
	switch {
	case independent < FewestPairs:
		e.Lacks = fmt.Sprintf("too few pairs: %d, want at least %d", independent, FewestPairs)
		if independent < s.n {
			e.Lacks = fmt.Sprintf("too few pairs: %d that differ among %d, want at least %d", independent, s.n, FewestPairs)
		}
		return e
	case sd > 1e-12*math.Abs(s.mean):
		half := TQuantile95(float64(independent-1)) * sd / math.Sqrt(float64(independent))
		e.Low, e.High = e.Value-half, e.Value+half
	case in.Finite() && !in.Score:
		e.Alike = true
		q := 1 - elementary.Pow((1-confidence)/2, 1/float64(independent))
		e.Low, e.High = e.Value-float64(q*(e.Value-in.Low)), e.Value+float64(q*(in.High-e.Value))
	default:
		e.Alike, e.Lacks = true, fmt.Sprintf("all %d pairs alike", s.n)
		return e
	}
	e.Low, e.High, e.Bounded = math.Max(e.Low, in.Low), math.Min(e.High, in.High), true
	return e
}

// MeanOf is the mean of independent observations (one a pair) with its 95% interval by Student's
// t.
func MeanOf(x []float64) Estimate {
	var s Moments
	for _, v := range x {
		s.Add(v)
	}
	return s.Estimate(s.n, Anywhere)
}

// MeanFrom is [MeanOf] from n, mean and standard deviation (with n-1 in the denominator) alone.
func MeanFrom(n int, mean, deviation float64) Estimate {
	s := Moments{n: n, mean: mean, m2: deviation * deviation * float64(max(0, n-1))}
	return s.Estimate(n, Anywhere)
}
