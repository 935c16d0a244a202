// Package stats computes figures of paired games with their uncertainty: means with intervals,
// also for pairs with shared openings, Elo, sequential tests and joint ratings. It knows numbers,
// never games.
//
// [OpeningCounts] counts pairs by opening; [Clustered] and [Pentanomial] gather their scores. A
// [Sample] holds figures by unit, such as losses by draw of an error. An [Estimate] is a figure with
// its interval, or the reason for its lack; an [SPRT] decides between two hypotheses as pairs arrive;
// [Rate] fits ratings to several matches at once.
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
// never a NaN or an infinity; Lacks is then the reason in words. An exact figure is bounded by
// itself: Low equals High, see [Exactly]. The interval of a [Sample] always has a width unless the
// sample is exact.
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

// Exactly is a figure without sampling error: its interval begins and ends at x.
func Exactly(x float64) Estimate { return Around(x, 0) }

// Around is a figure whose interval extends by half to either side.
func Around(x, half float64) Estimate {
	return Estimate{Value: x, Known: true, Low: x - half, High: x + half, Bounded: true}
}

// Exact reports whether the figure has no sampling error.
func (e Estimate) Exact() bool { return e.Bounded && e.Low == e.High }

// Above reports whether the whole interval lies above x. It is false without an interval.
func (e Estimate) Above(x float64) bool { return e.Bounded && e.Low > x }

// Below reports whether the whole interval lies below x. It is false without an interval.
func (e Estimate) Below(x float64) bool { return e.Bounded && e.High < x }

// Ends returns the ends of the interval, and the value twice without one.
func (e Estimate) Ends() (low, high float64) {
	if !e.Bounded {
		return e.Value, e.Value
	}
	return e.Low, e.High
}

// P returns the two-sided p-value of a level by the normal distribution, whose standard error
// follows from the width of the interval (Altman and Bland, BMJ 343:d2304, 2011). It is 0 for an
// exact figure and 1 without an interval.
func (e Estimate) P(level float64) float64 {
	switch {
	case !e.Bounded:
		return 1
	case e.Exact():
		return 0
	}
	return elementary.Erfc(math.Abs((e.Value-level)/(e.Error()/NormalQuantile95)) / math.Sqrt2)
}

// Map returns factor*e + shift.
func (e Estimate) Map(factor, shift float64) Estimate {
	at := func(x float64) float64 { return float64(factor*x) + shift }
	if factor < 0 {
		e.Low, e.High = e.High, e.Low
	}
	e.Value, e.Low, e.High = at(e.Value), at(e.Low), at(e.High)
	return e
}

// Widened returns e with an independent error of half added to its own; without an interval, the
// error alone.
func (e Estimate) Widened(half float64) Estimate {
	own := e.Error()
	return Around(e.Value, math.Sqrt(float64(own*own)+float64(half*half)))
}

// Less returns the difference of two independent estimates.
func (e Estimate) Less(o Estimate) Estimate {
	if !e.Bounded || !o.Bounded {
		return Estimate{Value: e.Value - o.Value, Known: e.Known && o.Known, Lacks: e.Lacks + o.Lacks}
	}
	return e.Widened(o.Error()).Map(1, -o.Value)
}

// Times returns the product of two independent estimates, by the variances of both factors.
func (e Estimate) Times(o Estimate) Estimate {
	product := Estimate{Value: float64(e.Value * o.Value), Known: e.Known && o.Known, Lacks: e.Lacks + o.Lacks}
	if !e.Bounded || !o.Bounded {
		return product
	}
	x, y := e.Error(), o.Error()
	return Exactly(product.Value).Widened(x * o.Value).Widened(y * e.Value).Widened(x * y)
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
	return e.text(format, scale, e.Lopsided())
}

// Range prints the figure and the ends of its interval, "57.25 (55.15 to 59.35)", in the way of
// [Estimate.Format]. An exact figure is the number alone.
func (e Estimate) Range(format string, scale float64) string { return e.text(format, scale, true) }

func (e Estimate) text(format string, scale float64, ends bool) string {
	print := func(x float64) string { return Number(format, float64(scale*x)) }
	value := print(e.Value)
	switch {
	case !e.Known:
		return "unknown: " + e.Lacks
	case e.Exact() && ends:
		return value
	case e.Bounded && ends:
		return fmt.Sprintf("%s (%s to %s)", value, print(e.Low), print(e.High))
	case e.Bounded:
		return value + " ± " + strings.TrimPrefix(print(e.Error()), "+")
	case e.Alike:
		return fmt.Sprintf("%s (%s)", value, e.Lacks)
	case e.Lacks != "":
		return fmt.Sprintf("%s (no interval: %s)", value, e.Lacks)
	}
	return value
}

// Number prints x in the format of one number. Zero has no sign.
func Number(format string, x float64) string {
	text := fmt.Sprintf(format, x)
	if strings.Trim(text, "-0.%") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return text
}

// Percent prints a share of the points.
func (e Estimate) Percent() string {
	if e.Known && !e.Bounded {
		e.Alike, e.Lacks = false, ""
	}
	return e.Format("%.1f%%", 100)
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
	// Reach is how far an observation may lie from the mean in a span without ends; 0: any distance.
	Reach float64
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
	if independent < FewestPairs {
		e := Estimate{Value: s.mean, Known: true, Lacks: fmt.Sprintf("too few pairs: %d, want at least %d", independent, FewestPairs)}
		if independent < s.n {
			e.Lacks = fmt.Sprintf("too few pairs: %d that differ among %d, want at least %d", independent, s.n, FewestPairs)
		}
		return e
	}
	return s.student(independent, in)
}

// student is [Moments.Estimate] of at least two independent observations.
func (s *Moments) student(independent int, in Span) Estimate {
	e := Estimate{Value: s.mean, Known: true}
	switch sd := s.Deviation(); {
	case sd > 1e-12*math.Abs(s.mean):
		half := TQuantile95(float64(independent-1)) * sd / math.Sqrt(float64(independent))
		e.Low, e.High = e.Value-half, e.Value+half
	case in.Finite() && !in.Score:
		e.Alike = true
		q := 1 - elementary.Pow((1-confidence)/2, 1/float64(independent))
		e.Low, e.High = e.Value-float64(q*(e.Value-in.Low)), e.Value+float64(q*(in.High-e.Value))
	case in.Reach > 0:
		e.Alike = true
		half := float64(in.Reach * ruleOfThree(independent))
		e.Low, e.High = e.Value-half, e.Value+half
	default:
		e.Alike, e.Lacks = true, fmt.Sprintf("all %d pairs alike", s.n)
		return e
	}
	e.Low, e.High, e.Bounded = math.Max(e.Low, in.Low), math.Min(e.High, in.High), true
	return e
}

// MeanOf is the mean of independent observations (one a pair) with its 95% interval by Student's t.
func MeanOf(x []float64) Estimate {
	s := momentsOf(x)
	return s.Estimate(s.n, Anywhere)
}

// MeanFrom is [MeanOf] from n, mean and standard deviation (with n-1 in the denominator) alone.
func MeanFrom(n int, mean, deviation float64) Estimate {
	s := Moments{n: n, mean: mean, m2: deviation * deviation * float64(max(0, n-1))}
	return s.Estimate(n, Anywhere)
}
