// Package stats computes estimates for paired games with their uncertainty. It implements means
// with intervals (also for pairs that share openings), Elo, sequential tests and joint ratings. It
// is independent of any particular game.
//
// [OpeningCounts] counts pairs by opening. [Clustered] and [Pentanomial] collect their scores. A
// [Sample] contains observations grouped by independent unit. An [Estimate] is a value with its
// interval, or with the reason why there is none. An [SPRT] decides between two hypotheses while
// pairs are played. [Rate] fits ratings to several matches jointly.
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

// confidence is the nominal coverage of all intervals in this package.
const confidence = 0.95

// FewestPairs is the minimum number of independent pairs for an interval. With fewer pairs, there
// is no interval, and Estimate.Lacks contains the reason.
const FewestPairs = 4

// NormalQuantile95 is the half-width of a 95% interval in standard errors if the standard error is
// known. It is the limit of [TQuantile95].
const NormalQuantile95 = 1.959963984540054

// TQuantile95 returns the two-sided 95% quantile of Student's t distribution with the given degrees
// of freedom.
func TQuantile95(freedom float64) float64 {
	const p = 0.5 + confidence/2
	y := mathext.InvRegIncBeta(freedom/2, 0.5, 2*(1-p))
	return elementary.Round(math.Sqrt(freedom * (1 - y) / y))
}

// Above returns the probability that Student's t with the given degrees of freedom exceeds t, which
// may be infinite. For t >= 0 it is half the regularised incomplete beta function I_y(freedom/2,
// 1/2) with y = freedom/(freedom + t^2); for t < 0 it is 1 minus that value.
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

// An Estimate is a value with its 95% interval. If the value is unknown, Known is false and Lacks
// contains the reason. In that case, JSON output does not contain the value, which is never NaN or
// infinite. An exact value has Low equal to High; see [Exactly]. The interval of a [Sample] has a
// positive width unless the sample is exact.
type Estimate struct {
	Value     float64
	Known     bool // whether Value is valid
	Low, High float64
	Bounded   bool   // whether Low and High are valid
	Lacks     string // reason why Value or the interval is missing
	// Alike means that all observations were equal. In that case, Low and High only bound the
	// effect of outcomes that did not occur in so few observations. If there is no such bound,
	// Lacks contains the reason.
	Alike bool
}

// Exactly returns an estimate without sampling error, whose interval is the point x.
func Exactly(x float64) Estimate { return Around(x, 0) }

// Around returns an estimate whose interval extends from x-half to x+half.
func Around(x, half float64) Estimate {
	return Estimate{Value: x, Known: true, Low: x - half, High: x + half, Bounded: true}
}

// Exact reports whether the estimate has no sampling error.
func (e Estimate) Exact() bool { return e.Bounded && e.Low == e.High }

// Above reports whether the whole interval lies above x. It returns false if there is no interval.
func (e Estimate) Above(x float64) bool { return e.Bounded && e.Low > x }

// Below reports whether the whole interval lies below x. It returns false if there is no interval.
func (e Estimate) Below(x float64) bool { return e.Bounded && e.High < x }

// Ends returns the ends of the interval. If there is no interval, it returns the value twice.
func (e Estimate) Ends() (low, high float64) {
	if !e.Bounded {
		return e.Value, e.Value
	}
	return e.Low, e.High
}

// P returns the two-sided p-value for the hypothesis that the true value is equal to level. It
// assumes a normal distribution whose standard error follows from the width of the interval (Altman
// and Bland, BMJ 343:d2304, 2011). It is 0 for an exact estimate and 1 if there is no interval.
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

// Widened returns e with an additional independent error, whose 95% interval has the given
// half-width. If e has no interval, only the additional error is used.
func (e Estimate) Widened(half float64) Estimate {
	own := e.Error()
	return Around(e.Value, math.Sqrt(float64(own*own)+float64(half*half)))
}

// Less returns the difference e - o of two independent estimates.
func (e Estimate) Less(o Estimate) Estimate {
	if !e.Bounded || !o.Bounded {
		return Estimate{Value: e.Value - o.Value, Known: e.Known && o.Known, Lacks: e.Lacks + o.Lacks}
	}
	return e.Widened(o.Error()).Map(1, -o.Value)
}

// Times returns the product of two independent estimates. Its interval follows from the variances
// of both factors.
func (e Estimate) Times(o Estimate) Estimate {
	product := Estimate{Value: float64(e.Value * o.Value), Known: e.Known && o.Known, Lacks: e.Lacks + o.Lacks}
	if !e.Bounded || !o.Bounded {
		return product
	}
	x, y := e.Error(), o.Error()
	return Exactly(product.Value).Widened(x * o.Value).Widened(y * e.Value).Widened(x * y)
}

// Error returns half the width of the interval, or 0 if there is none. If the interval is
// asymmetric, use Low and High.
func (e Estimate) Error() float64 {
	if !e.Bounded {
		return 0
	}
	return (e.High - e.Low) / 2
}

// String formats the estimate as "57.25 ± 2.1" or "98 (90 to 100)". If the value or the interval is
// unknown, it includes the reason.
func (e Estimate) String() string { return e.Format("%.4g", 1) }

// Lopsided reports whether the interval is so asymmetric that both ends should be printed.
func (e Estimate) Lopsided() bool {
	return e.Bounded && math.Abs(float64((e.Low+e.High)/2)-e.Value) > 0.1*e.Error()
}

// Format formats the estimate multiplied by scale, using the given format for each number. It
// prints half the width of the interval, or both ends if the interval is asymmetric.
func (e Estimate) Format(format string, scale float64) string {
	return e.text(format, scale, e.Lopsided())
}

// Range is like [Estimate.Format] but always prints the ends of the interval: "57.25 (55.15 to
// 59.35)". An exact estimate is printed as a single number.
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

// Number formats x. Zero is printed without a sign.
func Number(format string, x float64) string {
	text := fmt.Sprintf(format, x)
	if strings.Trim(text, "-0.%") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return text
}

// Percent formats a fraction of the points as a percentage.
func (e Estimate) Percent() string {
	if e.Known && !e.Bounded {
		e.Alike, e.Lacks = false, ""
	}
	return e.Format("%.1f%%", 100)
}

// Decimals returns a format whose number of decimal places is appropriate for the width of the
// interval.
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

// MarshalJSON encodes e as {"value", "low", "high", "lacks", "alike"} and omits missing values.
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

// UnmarshalJSON decodes the output of MarshalJSON.
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

// Moments computes a mean and its interval in a single pass by Welford's recurrence (Technometrics
// 4, 1962).
type Moments struct {
	n        int
	mean, m2 float64
}

// Add adds an observation.
func (s *Moments) Add(x float64) {
	s.n++
	d := x - s.mean
	s.mean += d / float64(s.n)
	s.m2 += float64(d * (x - s.mean))
}

// Mean returns the mean of the observations.
func (s *Moments) Mean() float64 { return s.mean }

// Deviation returns the standard deviation, with n-1 in the denominator.
func (s *Moments) Deviation() float64 {
	if s.n < 2 {
		return 0
	}
	return math.Sqrt(s.m2 / float64(s.n-1))
}

// Span is the range of possible values of a mean.
type Span struct {
	Low, High float64
	// Score means that Low and High are the theoretical limits of a score, which no game comes
	// close to. They limit intervals, but they do not bound the effect of outcomes that did not
	// occur.
	Score bool
	// Reach is the maximum distance of an observation from the mean if the span is infinite; 0
	// means no limit.
	Reach float64
}

// Anywhere is the span without limits.
var Anywhere = Span{Low: math.Inf(-1), High: math.Inf(1)}

// Finite reports whether both limits are finite.
func (s Span) Finite() bool { return !math.IsInf(s.Low, 0) && !math.IsInf(s.High, 0) }

// Estimate returns the mean of a quantity in the given span, with an interval based on Student's t.
// The parameter independent is the number of independent observations, which is at most s.n.
//
// Equal observations have no variance. However, an outcome that did not occur in n pairs has
// probability at most q = 1 - 0.025^(1/n) (Clopper and Pearson, Biometrika 26, 1934). If the span
// is finite, q bounds the mean: up to this fraction of the pairs may have the worst or the best
// outcome. The limits of a score would lead to meaningless intervals; for example, about 3.9
// million points are possible in 2048. For scores and for infinite spans without Reach, there is no
// interval, and Lacks contains the number of equal pairs.
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

// student is [Moments.Estimate] for at least two independent observations.
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

// MeanOf returns the mean of independent observations, one per pair, with its 95% interval based on
// Student's t.
func MeanOf(x []float64) Estimate {
	s := momentsOf(x)
	return s.Estimate(s.n, Anywhere)
}

// MeanFrom is like [MeanOf] but takes the number, the mean and the standard deviation (with n-1 in
// the denominator) of the observations.
func MeanFrom(n int, mean, deviation float64) Estimate {
	s := Moments{n: n, mean: mean, m2: deviation * deviation * float64(max(0, n-1))}
	return s.Estimate(n, Anywhere)
}
