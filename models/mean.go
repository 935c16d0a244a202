package models

import (
	"fmt"
	"math"
	"slices"
)

// Mean is the model whose weights are the means of those of several models, two at least, of the
// same game, features, kind of link and leaves, in the scale of the first: a weight counts as what
// it adds before the link. A missing term weighs nothing. Weights found by several runs of a noisy
// learner err in different directions, and their mean often plays better than any of them (Breiman,
// "Bagging predictors", Machine Learning 24, 1996: for sums of the same features the mean of the
// predictions is the prediction of the mean).
//
// The result has no standard errors, since the cause of the differences is unknown. Models that do
// not match are a [FileError] that names the mismatch.
func Mean(files ...*File) (*File, error) {
	if len(files) < 2 {
		return nil, fmt.Errorf("%d models: want two at least", len(files))
	}
	first := files[0]
	out := &File{
		Game: first.Game, Features: first.Features, Fingerprint: first.Fingerprint, Link: first.Link, Leaves: first.Leaves, Range: first.Range,
		TableBlocks: slices.Clone(first.TableBlocks), Table: slices.Clone(first.Table),
		Provenance: &Provenance{Command: "plyfit model mean MODELS -o MODEL", Method: fmt.Sprintf("mean of %d models", len(files))},
	}
	place := map[string]int{}
	for _, f := range files {
		for _, d := range []struct{ key, want, found string }{
			{"game", first.Game, f.Game},
			{"features", first.Features, f.Features},
			{"link", string(first.Link.Kind), string(f.Link.Kind)},
			{"leaves", string(first.Leaves), string(f.Leaves)},
			{"range", told(first.Range), told(f.Range)},
			{"tables", fmt.Sprint(first.TableBlocks), fmt.Sprint(f.TableBlocks)},
		} {
			if d.want != d.found {
				return nil, f.Fault(d.key, fmt.Sprintf("%q, as in %s", d.want, first.Name), fmt.Sprintf("%q", d.found))
			}
		}
		switch {
		case out.Fingerprint == "":
			out.Fingerprint = f.Fingerprint
		case f.Fingerprint != "" && !SameFeatures(f.Fingerprint, out.Fingerprint):
			return nil, f.Fault("fingerprint", fmt.Sprintf("%q, as the others", out.Fingerprint), fmt.Sprintf("%q", f.Fingerprint))
		case len(f.Fingerprint) > len(out.Fingerprint): // of names alone until now
			out.Fingerprint = f.Fingerprint
		}
		unit, _ := f.Link.Times(first.Link)
		out.Bias += float64(f.Bias * unit)
		for _, t := range f.Terms {
			i, ok := place[t.Name]
			if !ok {
				i = len(out.Terms)
				place[t.Name] = i
				out.Terms = append(out.Terms, NamedWeight{Name: t.Name, Error: math.NaN()})
			}
			out.Terms[i].Weight += float64(t.Weight * unit)
		}
		p := f.Provenance
		if p == nil {
			out.Provenance.Notes = append(out.Provenance.Notes, "of one without a provenance")
			continue
		}
		out.Provenance.Episodes += p.Episodes
		out.Provenance.Notes = append(out.Provenance.Notes, "of: "+p.Command)
	}
	n := float64(len(files))
	out.Bias /= n
	for i := range out.Terms {
		out.Terms[i].Weight /= n
	}
	for i := range out.Table {
		sum := 0.0
		for _, f := range files {
			unit, _ := f.Link.Times(first.Link)
			sum += float64(float64(f.Table[i]) * unit)
		}
		out.Table[i] = float32(sum / n)
	}
	return out, nil
}

// told is a range in words, where it is given.
func told(r *Range) string {
	if r == nil {
		return "that of the game's default options"
	}
	return r.String()
}

// halvesMagic begins a table file of 16-bit weights. Then come the count of weights (uint64), and
// of each block its step (float32) and its weights in steps (int16), all little-endian.
const halvesMagic = "plyfitW2"

// halfSteps is the largest weight of a block of 16-bit weights, in steps.
const halfSteps = math.MaxInt16

// Halved is f with tables of 16-bit weights, half the bytes on file and the same in memory: in each
// block the weights are rounded to multiples of a step, so that none moves by more than half of it.
// The step is the least power of two that keeps the block's largest weight within 32,767 steps,
// which makes every multiple a float32: reading and rewriting changes nothing.
func (f *File) Halved() (*File, error) {
	if len(f.TableBlocks) == 0 || len(f.Table) == 0 {
		return nil, f.Fault("table", "a model with tables", "")
	}
	out := *f
	out.Bits, out.tableSum, out.tableFile = 16, "", ""
	out.Table = slices.Clone(f.Table)
	for _, block := range out.parts() {
		step := stepOf(block)
		for i, w := range block {
			block[i] = float32(math.RoundToEven(float64(w)/step) * step)
		}
	}
	return &out, nil
}

// parts are the weights of each block.
func (f *File) parts() (out [][]float32) {
	at := 0
	for _, b := range f.TableBlocks {
		out = append(out, f.Table[at:at+b.Len])
		at += b.Len
	}
	return out
}

// leastStep is the exponent of the least float32 above 0, of which all are multiples.
const leastStep = -149

// stepOf is a block's step.
func stepOf(block []float32) float64 {
	most := 0.0
	for _, w := range block {
		most = max(most, math.Abs(float64(w)))
	}
	_, exponent := math.Frexp(most / halfSteps) // of 2^exponent a half, at least
	step := math.Ldexp(1, max(leastStep, exponent-1))
	for most > float64(halfSteps*step) {
		step *= 2
	}
	return step
}

// checkHalves finds a weight that 16 bits do not hold.
func (f *File) checkHalves() error {
	if f.Bits != 16 || f.Table == nil {
		return nil
	}
	at := 0
	for _, block := range f.parts() {
		step := stepOf(block)
		for i, w := range block {
			if n := float64(w) / step; n-n != 0 || n != math.Trunc(n) {
				return f.Fault(fmt.Sprintf("table weight %d", at+i), fmt.Sprintf("a multiple of %v, as tables of 16 bits have", step), fmt.Sprint(w))
			}
		}
		at += len(block)
	}
	return nil
}
