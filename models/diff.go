package models

import (
	"fmt"
	"math"
	"slices"
)

// Difference contains the differences between two models a and b, matched by name. Weights are in
// the unit of b: the weights of a are multiplied by Times. For example, a weight of 3 with the link
// tanh corresponds to a weight of 6 with the link logistic. If the models have no common unit (for
// example, with the links identity and tanh), Times is 0, each weight is in the unit of its own
// model, and Z is 0.
type Difference struct {
	Head  []HeadDiff `json:"head"`  // properties that differ, such as game, features and link
	Terms []TermDiff `json:"terms"` // bias, the terms of a in order, and the terms found only in b
	// Tables compares the pattern tables by name, including tables that only one model has.
	Tables []TableDiff `json:"tables"`
	Times  float64     `json:"times"`
}

// HeadDiff is a property that differs between two models.
type HeadDiff struct {
	Key string `json:"key"`
	A   string `json:"a"`
	B   string `json:"b"`
}

// TermDiff is a term of two models. If a model lacks the term, its weight there is 0.
type TermDiff struct {
	Name string  `json:"name"`
	A    float64 `json:"a"`
	B    float64 `json:"b"`
	InA  bool    `json:"in_a"`
	InB  bool    `json:"in_b"`
	// Z is B-A divided by the standard error of the difference, which assumes independent
	// estimates. Z is 0 if neither model has a standard error for the term.
	Z float64 `json:"z"`
}

// TableDiff is a pattern table of two models.
type TableDiff struct {
	Name    string  `json:"name"`
	Changed int     `json:"changed"` // number of weights that differ
	RMS     float64 `json:"rms"`     // root mean square of the differences
	InA     bool    `json:"in_a"`
	InB     bool    `json:"in_b"`
}

// Diff compares two models of the same game by the names of their terms. The result includes terms
// that are equal. A weight missing from a table counts as 0, as do the weights of a table that was
// not read. If the games differ, Diff returns a [FileError].
func Diff(a, b *File) (Difference, error) {
	var d Difference
	if a.Game != b.Game {
		return d, b.Fault("game", fmt.Sprintf("%q, the game of the other model", a.Game), fmt.Sprintf("%q", b.Game))
	}
	times, alike := a.Link.Times(b.Link)
	if alike = alike && (a.Link.Bounded() || rangeText(a.Range) == rangeText(b.Range)); alike {
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
	head("range", rangeText(a.Range), rangeText(b.Range))
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

// Text describes the unit of the weights for two models called a and b. It returns an empty string
// if both models' weights have the same unit.
func (d *Difference) Text(a, b string) string {
	switch d.Times {
	case 0:
		return fmt.Sprintf("The links of %s and %s have no unit in common. Each weight is in the unit of its own model, and no differences are given.", a, b)
	case 1:
		return ""
	}
	return fmt.Sprintf("All weights are in the unit of %s's link. The weights of %s are multiplied by %.6g.", b, a, d.Times)
}

// standardized divides x by the standard error of a difference between two estimates. A standard
// error of NaN is ignored. The result is 0 if both are missing.
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
		if inX && i >= len(a.TableBlocks) { // already compared when a's tables were visited
			continue
		}
		d := TableDiff{Name: t.Name, InA: inX, InB: inY}
		d.Changed, d.RMS = difference(x, y, times)
		out = append(out, d)
	}
	return out
}

// difference multiplies the weights a by the factor times and counts how many of them differ from
// the weights b. The shorter slice is extended with zeros. The result rms is the root mean square
// of the differences.
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

// rangeText formats a range, which may be nil.
func rangeText(r *Range) string {
	if r == nil {
		return "the utility range of the game's default options"
	}
	return r.String()
}
