package models

import (
	"fmt"
	"math"
	"slices"
)

// Difference lists the differences of two models a and b, aligned by name. Weights are in b's unit:
// those of a are multiplied by Times, since a weight of 3 on the link tanh is one of 6 on logistic.
// Where the links have no common unit, as identity and tanh, Times is 0, each weight is in its
// model's own unit, and Z is 0.
type Difference struct {
	Head  []HeadDiff `json:"head"`  // what they say of themselves: game, features, link, ...
	Terms []TermDiff `json:"terms"` // the bias first, then a's terms in their order, then those of b alone
	// Tables compares the weights of pattern tables that both have.
	Tables []TableDiff `json:"tables"`
	Times  float64     `json:"times"`
}

// HeadDiff is one thing that two models say differently of themselves.
type HeadDiff struct {
	Key string `json:"key"`
	A   string `json:"a"`
	B   string `json:"b"`
}

// TermDiff is one term in two models. A missing term weighs 0.
type TermDiff struct {
	Name string  `json:"name"`
	A    float64 `json:"a"`
	B    float64 `json:"b"`
	InA  bool    `json:"in_a"`
	InB  bool    `json:"in_b"`
	// Z is (B-A) in standard errors of the difference, taken as independent; 0
	// where neither model has one for the term.
	Z float64 `json:"z"`
}

// TableDiff is one pattern table in two models.
type TableDiff struct {
	Name    string  `json:"name"`
	Changed int     `json:"changed"` // weights that differ
	RMS     float64 `json:"rms"`     // root of the mean squared difference
	InA     bool    `json:"in_a"`
	InB     bool    `json:"in_b"`
}

// Diff compares two models of one game by the names of their terms, equal ones included. A weight
// missing from one table counts as 0, as does a table that was not read. A model of another game is
// a [FileError].
func Diff(a, b *File) (Difference, error) {
	var d Difference
	if a.Game != b.Game {
		return d, b.Fault("game", fmt.Sprintf("%q, the game of what it is compared with", a.Game), fmt.Sprintf("%q", b.Game))
	}
	times, alike := a.Link.Times(b.Link)
	if alike = alike && (a.Link.Bounded() || told(a.Range) == told(b.Range)); alike {
		d.Times = times
	} else {
		times = 1
	}
	head := func(key, x, y string) {
		if x != y {
			d.Head = append(d.Head, HeadDiff{key, x, y})
		}
	}
	head("features", a.Features, b.Features)
	head("fingerprint", a.Fingerprint, b.Fingerprint)
	head("link", string(a.Link.kind()), string(b.Link.kind()))
	head("scale", number(a.Link.scale()), number(b.Link.scale()))
	head("range", told(a.Range), told(b.Range))
	head("temperature", number(a.Softmax.Temperature), number(b.Softmax.Temperature))
	head("random", number(a.Softmax.Random), number(b.Softmax.Random))
	head("leaves", string(a.leaves()), string(b.leaves()))

	add := func(x TermDiff, a, b NamedWeight) {
		x.A, x.B = float64(times*a.Weight), b.Weight
		if alike {
			x.Z = standardized(x.B-x.A, times*a.Error, b.Error)
		}
		d.Terms = append(d.Terms, x)
	}
	add(TermDiff{Name: "bias", InA: true, InB: true}, NamedWeight{Weight: a.Bias, Error: a.BiasError}, NamedWeight{Weight: b.Bias, Error: b.BiasError})
	inB := make(map[string]NamedWeight, len(b.Terms))
	for _, t := range b.Terms {
		inB[t.Name] = t
	}
	seen := make(map[string]bool, len(a.Terms))
	for _, t := range a.Terms {
		other, ok := inB[t.Name]
		add(TermDiff{Name: t.Name, InA: true, InB: ok}, t, other)
		seen[t.Name] = true
	}
	for _, t := range b.Terms {
		if !seen[t.Name] {
			add(TermDiff{Name: t.Name, InB: true}, NamedWeight{}, t)
		}
	}
	d.Tables = diffTables(a, b, times)
	return d, nil
}

// Text describes the unit of the weights of two named models; "" for a common link.
func (d *Difference) Text(a, b string) string {
	switch d.Times {
	case 0:
		return fmt.Sprintf("The links of %s and %s have no unit in common: weights are each in their own, and there are no differences.", a, b)
	case 1:
		return ""
	}
	return fmt.Sprintf("All weights are in the unit of %s's link: those of %s are multiplied by %.6g.", b, a, d.Times)
}

// standardized is x over the standard error of a difference of two estimates, NaN as none.
func standardized(x, seA, seB float64) float64 {
	variance := 0.0
	for _, se := range []float64{seA, seB} {
		if se == se {
			variance += float64(se * se)
		}
	}
	if variance == 0 {
		return 0
	}
	return x / math.Sqrt(variance)
}

func diffTables(a, b *File, times float64) []TableDiff {
	split := func(f *File) map[string][]float32 {
		all, from := map[string][]float32{}, 0
		for _, t := range f.TableBlocks {
			if all[t.Name] = nil; f.Table != nil {
				all[t.Name] = f.Table[from : from+t.Len]
			}
			from += t.Len
		}
		return all
	}
	inA, inB := split(a), split(b)
	var out []TableDiff
	for i, t := range slices.Concat(a.TableBlocks, b.TableBlocks) {
		x, inX := inA[t.Name]
		y, inY := inB[t.Name]
		if inX && i >= len(a.TableBlocks) { // it was told with a's
			continue
		}
		d := TableDiff{Name: t.Name, InA: inX, InB: inY}
		d.Changed, d.RMS = difference(x, y, times)
		out = append(out, d)
	}
	return out
}

// difference counts the weights of a, taken so many times, and of b that differ, what one
// lacks being 0.
func difference(a, b []float32, times float64) (changed int, rms float64) {
	n := max(len(a), len(b))
	at := func(w []float32, i int) float64 {
		if i < len(w) {
			return float64(w[i])
		}
		return 0
	}
	sum := 0.0
	for i := range n {
		if d := at(b, i) - float64(times*at(a, i)); d != 0 {
			changed++
			sum += float64(d * d)
		}
	}
	if n == 0 {
		return 0, 0
	}
	return changed, math.Sqrt(sum / float64(n))
}
