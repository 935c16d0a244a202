package models

import (
	"fmt"
	"math"
	"slices"
)

// Mean returns the average of at least two models. The models must have the same game, features,
// kind of link, leaves, range and tables, and matching fingerprints. Weights are converted to the
// scale of the first model's link before they are averaged. A missing term has weight 0.
//
// Weights from several runs of a noisy learner have different errors, which partly cancel out in
// their mean. For weighted sums of the same features, the mean of the predictions equals the
// prediction of the mean weights (Breiman, "Bagging predictors", Machine Learning 24, 1996).
//
// The result has no standard errors, because it is not known why the weights differ. Mean returns a
// [FileError] if the models do not match.
func Mean(files ...*File) (*File, error) {
	if len(files) < 2 {
		return nil, fmt.Errorf("%d models: want at least two", len(files))
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
			{"range", rangeText(first.Range), rangeText(f.Range)},
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
			return nil, f.Fault("fingerprint", fmt.Sprintf("%q, as in the other models", out.Fingerprint), fmt.Sprintf("%q", f.Fingerprint))
		case len(f.Fingerprint) > len(out.Fingerprint): // the previous one covers names only
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

// rangeText formats a range, which may be nil.
func rangeText(r *Range) string {
	if r == nil {
		return "the utility range of the game's default options"
	}
	return r.String()
}

// halvesMagic is at the beginning of a table file with 16-bit weights. It is followed by the number
// of weights (uint64) and, for each block, the step (float32) and the weights as multiples of the
// step (int16). All numbers are little-endian.
const halvesMagic = "plyfitW2"

// halfSteps is the largest absolute value of a 16-bit weight, as a multiple of the step.
const halfSteps = math.MaxInt16

// Halved returns a copy of f whose tables are stored as 16-bit weights. This halves the size of the
// file but not the memory. The weights of each block are rounded to multiples of a step, so that no
// weight changes by more than half a step. The step is the smallest power of two for which the
// block's largest weight is at most 32,767 steps. All multiples are exact float32 numbers, so
// reading and writing the file again does not change the weights.
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

// parts returns the weights of each block.
func (f *File) parts() (out [][]float32) {
	at := 0
	for _, b := range f.TableBlocks {
		out = append(out, f.Table[at:at+b.Len])
		at += b.Len
	}
	return out
}

// leastStep is the exponent of the smallest positive float32. All float32 numbers are multiples of
// it.
const leastStep = -149

// stepOf returns the step of a block.
func stepOf(block []float32) float64 {
	most := 0.0
	for _, w := range block {
		most = max(most, math.Abs(float64(w)))
	}
	_, exponent := math.Frexp(most / halfSteps) // at least half of 2^exponent
	step := math.Ldexp(1, max(leastStep, exponent-1))
	for most > float64(halfSteps*step) {
		step *= 2
	}
	return step
}

// checkHalves returns an error if the tables cannot be stored exactly as 16-bit weights.
func (f *File) checkHalves() error {
	if f.Bits != 16 || f.Table == nil {
		return nil
	}
	at := 0
	for _, block := range f.parts() {
		step := stepOf(block)
		for i, w := range block {
			if n := float64(w) / step; n-n != 0 || n != math.Trunc(n) {
				return f.Fault(fmt.Sprintf("table weight %d", at+i), fmt.Sprintf("a multiple of %v, as in all 16-bit tables", step), fmt.Sprint(w))
			}
		}
		at += len(block)
	}
	return nil
}
