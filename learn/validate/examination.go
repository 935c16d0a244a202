package validate

import (
	"context"
	"maps"
	"slices"

	"plyfit/datasets"
	"plyfit/internal/elementary"
	"plyfit/learn"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/numeric"
	"plyfit/models"
)

// Examine evaluates the forecasts for rows. It reads the rows twice. It returns [learn.ErrNoRows]
// if no row has a positive weight.
func Examine(ctx context.Context, rows Forecasts, o Examining) (*Examination, error) {
	x := &examiner{Examining: o, split: design.Split{Group: o.Group}, said: make([]float64, len(o.Names)), plies: map[int32]int64{}}
	if err := x.each(ctx, rows, x.survey); err != nil {
		return nil, err
	}
	if !(x.weight > 0) {
		return nil, learn.ErrNoRows
	}
	x.prepare()
	if err := x.each(ctx, rows, x.measure); err != nil {
		return nil, err
	}
	return x.result(), nil
}

// ExamineModel evaluates the predictions of m for the samples selected by v.
func ExamineModel(ctx context.Context, m *models.Linear, data datasets.Samples, v Reading) (*Examination, error) {
	return Examine(ctx, ForecastsOf(ctx, m, data, v, nil), Examining{Names: []string{"model"}, Group: v.Group, Lo: v.Lo, Hi: v.Hi})
}

type examiner struct {
	Examining
	split design.Split

	// The following fields belong to the first pass: weighted sums, quantiles and counts of rows.
	// Except for whole, the sums exclude the known part if ToCome is set.
	weight, realised, whole float64
	said                    []float64 // by evaluation
	quantiles               quantiles
	plies                   map[int32]int64

	// The following fields are results of the first pass and sums of the second pass.
	edges      []float64
	ends       []int32
	measured   []*accuracy
	varied     float64 // sum of squared deviations of the realised values from their mean
	variedAll  float64 // the same with the known part included
	tenth      *strata
	stage      *strata
	constantly []float64 // predictions of "zero" and "constant", without the known part
}

type accuracy struct {
	mean                 float64 // mean of the evaluation's predictions
	squared, bias, less  clusteredMean
	entropy, lessEntropy clusteredMean
	probability, differs bool
	both, spread         float64 // sums of products of deviations from the means
	towards, own         float64 // sums of products of the values themselves
}

// each calls visit for the rows with a positive weight.
func (x *examiner) each(ctx context.Context, rows Forecasts, visit func(f *Forecast)) error {
	n := 0
	for f, err := range rows {
		if err != nil {
			return err
		}
		if n++; n&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if f.Weight > 0 {
			visit(f)
		}
	}
	return nil
}

// base returns the value that is subtracted from predictions and outcomes.
func (x *examiner) base(f *Forecast) float64 {
	if x.ToCome {
		return f.Known
	}
	return 0
}

func (x *examiner) survey(f *Forecast) {
	base := x.base(f)
	x.weight += f.Weight
	x.realised += float64(f.Weight * (f.Realised - base))
	x.whole += float64(f.Weight * f.Realised)
	for k, said := range f.Predicted {
		x.said[k] += float64(f.Weight * (said - base))
	}
	x.quantiles.add(f.Predicted[0] - base)
	x.plies[f.Ply]++
}

func (x *examiner) prepare() {
	zero := 0.0
	if !x.ToCome {
		zero = (x.Lo + x.Hi) / 2
	}
	x.realised, x.whole = x.realised/x.weight, x.whole/x.weight
	x.constantly = []float64{zero, x.realised}
	for k := range x.Names {
		x.measured = append(x.measured, &accuracy{mean: x.said[k] / x.weight, probability: x.Probabilities != nil && x.Probabilities[k]})
	}
	for _, c := range x.constantly {
		x.measured = append(x.measured, &accuracy{mean: c, probability: x.Hi > x.Lo && !x.ToCome})
	}
	for _, j := range x.measured {
		for _, m := range []*clusteredMean{&j.squared, &j.bias, &j.less, &j.entropy, &j.lessEntropy} {
			m.split = &x.split
		}
	}
	x.edges, x.ends = x.quantiles.edges(tenths), stageEnds(x.plies, stages)
	lo, hi := x.Lo, x.Hi
	if x.ToCome { // the bounds do not apply to the remaining score
		lo, hi = 0, 0
	}
	x.tenth, x.stage = newStrata(x.Group, lo, hi), newStrata(x.Group, lo, hi)
}

func (x *examiner) measure(f *Forecast) {
	base := x.base(f)
	realised := f.Realised - base
	x.varied += float64(f.Weight * (realised - x.realised) * (realised - x.realised))
	x.variedAll += float64(f.Weight * (f.Realised - x.whole) * (f.Realised - x.whole))
	first := f.Predicted[0] - base
	x.tenth.add(numeric.Rank(x.edges, first), f.Episode, f.Weight, first, realised)
	stage, _ := slices.BinarySearch(x.ends, f.Ply)
	x.stage.add(stage, f.Episode, f.Weight, first, realised)
	for k, j := range x.measured {
		prediction := 0.0
		if k < len(f.Predicted) {
			prediction = f.Predicted[k] - base
		} else {
			prediction = x.constantly[k-len(f.Predicted)]
		}
		j.add(f, prediction, first, realised, x)
	}
}

func (j *accuracy) add(f *Forecast, prediction, first, realised float64, x *examiner) {
	square := func(said float64) float64 { return float64((said - realised) * (said - realised)) }
	j.differs = j.differs || prediction != first
	j.squared.add(f.Episode, f.Weight, square(prediction))
	j.bias.add(f.Episode, f.Weight, prediction-realised)
	j.less.add(f.Episode, f.Weight, square(prediction)-square(first))
	j.both += float64(f.Weight * (prediction - j.mean) * (realised - x.realised))
	j.spread += float64(f.Weight * (prediction - j.mean) * (prediction - j.mean))
	j.towards += float64(f.Weight * prediction * realised)
	j.own += float64(f.Weight * prediction * prediction)
	if j.probability {
		entropy := x.entropy(prediction, realised)
		j.entropy.add(f.Episode, f.Weight, entropy)
		if x.measured[0].probability {
			j.lessEntropy.add(f.Episode, f.Weight, entropy-x.entropy(first, realised))
		}
	}
}

// entropy returns the cross-entropy of a prediction. It converts both values to fractions of a
// point.
func (x *examiner) entropy(prediction, realised float64) float64 {
	const off = 1e-12
	p, q := (prediction-x.Lo)/(x.Hi-x.Lo), min(max((realised-x.Lo)/(x.Hi-x.Lo), 0), 1)
	p = min(max(p, off), 1-off)
	return -float64(q*elementary.Log(p)) - float64((1-q)*elementary.Log(1-p))
}

func (x *examiner) result() *Examination {
	out := &Examination{Mean: x.realised, ToCome: x.ToCome, Calibration: x.tenth.done()}
	if len(x.ends) > 0 {
		plies := slices.Sorted(maps.Keys(x.plies))
		first, lasts := plies[0], append(slices.Clone(x.ends), plies[len(plies)-1])
		for i, s := range x.stage.done() {
			out.Stages = append(out.Stages, Stage{first, lasts[i], s})
			first = lasts[i] + 1
		}
	}
	names := append(slices.Clone(x.Names), "zero", "constant")
	for k, j := range x.measured {
		e := Examined{Name: names[k], Squared: j.squared.lossFigure(), Bias: j.bias.figure()}
		if j.probability {
			e.CrossEntropy = new(j.entropy.lossFigure())
		}
		if k == 0 {
			out.Rows, out.Episodes, out.Groups = j.squared.rows, j.squared.episodes, j.squared.groups
		} else {
			e.Less = j.difference(x.measured[0].probability)
		}
		x.explain(&e, j)
		out.Evaluations = append(out.Evaluations, e)
	}
	return out
}

// explain computes the fractions of the variance explained by the predictions in j.
func (x *examiner) explain(e *Examined, j *accuracy) {
	if x.varied > 0 {
		e.R2 = 1 - j.squared.total/x.varied
	}
	if x.varied > 0 && j.spread > 0 {
		e.LineR2 = j.both / x.varied * (j.both / j.spread)
	}
	if x.ToCome && x.variedAll > 0 {
		e.OutcomeR2 = new(1 - j.squared.total/x.variedAll)
	}
	if j.own > 0 {
		e.Factor = j.towards / j.own
	}
}

// difference returns the paired difference from the first evaluation. The parameter entropy reports
// whether the first evaluation has a cross-entropy.
func (j *accuracy) difference(entropy bool) *Difference {
	d := &Difference{Squared: j.less.figure(), Alike: !j.differs}
	if entropy && j.probability {
		d.CrossEntropy = new(j.lessEntropy.figure())
	}
	return d
}

func (c *clusteredMean) figure() Figure {
	f := Figure{Value: c.total / c.w}
	if half := halfWidth(c.error(f.Value)); half > 0 {
		f.Low, f.High = new(f.Value-half), new(f.Value+half)
	}
	return f
}

// lossFigure returns the mean of losses together with an interval suitable for losses.
func (c *clusteredMean) lossFigure() Figure {
	f := Figure{Value: c.total / c.w}
	err, freedom := c.error(f.Value)
	if low, high, ok := learn.LossInterval(f.Value, err, freedom); ok {
		f.Low, f.High = &low, &high
	}
	return f
}

// stageEnds divides the rows into n stages of about equal size. The map plies contains the number
// of rows at each ply. stageEnds returns the last ply of each stage except the final one, or nil if
// there are fewer than two plies.
func stageEnds(plies map[int32]int64, n int) (ends []int32) {
	if len(plies) < 2 {
		return nil
	}
	order, total, sum := slices.Sorted(maps.Keys(plies)), int64(0), int64(0)
	for _, rows := range plies {
		total += rows
	}
	for _, p := range order[:len(order)-1] {
		if sum += plies[p]; sum*int64(n) >= total*int64(len(ends)+1) && len(ends) < n-1 {
			ends = append(ends, p)
		}
	}
	return ends
}
