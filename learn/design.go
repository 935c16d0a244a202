package learn

import (
	"context"
	"errors"
	"fmt"
	"math"

	"plyfit/datasets"
	"plyfit/models"
)

// maxColumns is the most that solvers with features squared take on: 4,096
// columns are 128 MB of sums.
const maxColumns = 4096

// ErrNoRows is returned where nothing is left to train on.
var ErrNoRows = errors.New("learn: no training rows")

// design maps the features of a model to the columns of a design matrix: the
// bias first, so that constant features are found to repeat it and not the
// other way round; frozen features have no column.
type design struct {
	m       *models.Linear // frozen weights are read from it
	feature []int32        // of each column
	column  []int32        // of feature i at i+1; -1 where frozen
	bias    int            // column of the bias, -1 where frozen

	cols []int32 // the last row
	vals []float64
}

func newDesign(m *models.Linear, frozen []int32, limit int) (*design, error) {
	d := &design{m: m, column: make([]int32, m.Len()+1), bias: -1}
	for _, f := range frozen {
		d.column[f+1] = -1
	}
	for i, c := range d.column {
		if c < 0 {
			continue
		}
		d.column[i] = int32(len(d.feature))
		d.feature = append(d.feature, int32(i-1))
	}
	if d.column[0] >= 0 {
		d.bias = 0
	}
	if len(d.feature) == 0 {
		return nil, errors.New("learn: every feature is frozen")
	}
	if len(d.feature) > limit {
		return nil, fmt.Errorf("learn: %d features, expected at most %d for a solver that needs features squared; use LBFGS or AdaGrad", len(d.feature), limit)
	}
	return d, nil
}

func (d *design) width() int { return len(d.feature) }

// row splits x into columns and the part that frozen weights contribute.
func (d *design) row(x models.Vector) (cols []int32, vals []float64, offset float64) {
	d.cols, d.vals = d.cols[:0], d.vals[:0]
	for _, t := range x {
		c := d.column[t.Index+1]
		if c < 0 {
			offset += float64(d.m.Weight(t.Index) * float64(t.Value))
			continue
		}
		d.cols = append(d.cols, c)
		d.vals = append(d.vals, float64(t.Value))
	}
	return d.cols, d.vals, offset
}

// priors are the prior weights by column; those of a nil model are zeros.
func (d *design) priors(prior *models.Linear) []float64 {
	p := make([]float64, d.width())
	if prior == nil {
		return p
	}
	for c, f := range d.feature {
		p[c] = prior.Weight(f)
	}
	return p
}

// names are the full names of columns.
func (d *design) names(columns []int) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = d.m.Name(d.feature[c])
	}
	return names
}

// store writes weights by column into m.
func (d *design) store(m *models.Linear, w []float64) {
	for c, f := range d.feature {
		setWeight(m, f, w[c])
	}
}

func setWeight(m *models.Linear, f int32, v float64) {
	switch n := int32(len(m.Weights)); {
	case f == models.Bias:
		m.Bias = v
	case f < n:
		m.Weights[f] = v
	default:
		m.Table[f-n] = float32(v)
	}
}

// variances are v_j of [Options].Penalty: second moments about the bias, 0 for
// the bias itself.
func (d *design) variances(xx []float64, total float64) []float64 {
	n := d.width()
	v := make([]float64, n)
	for j := range v {
		if j == d.bias {
			continue
		}
		v[j] = xx[j*n+j]
		if d.bias >= 0 && xx[d.bias*n+d.bias] > 0 {
			b := xx[j*n+d.bias]
			v[j] -= b * b / xx[d.bias*n+d.bias]
		}
		if v[j] <= 1e-12*xx[j*n+j] {
			v[j] = 0
		}
		v[j] /= total
	}
	return v
}

// scan walks over the rows, checks them, and tells the training rows from the
// held-out ones. Rows of weight zero are passed over.
func scan(ctx context.Context, data datasets.Samples, m *models.Linear, sp *split, visit func(s *datasets.Sample, held bool) error) error {
	return walk(ctx, data, m, sp, true, visit)
}

// rescan is scan over rows that a scan has already checked.
func rescan(ctx context.Context, data datasets.Samples, m *models.Linear, sp *split, visit func(s *datasets.Sample, held bool) error) error {
	return walk(ctx, data, m, sp, false, visit)
}

func walk(ctx context.Context, data datasets.Samples, m *models.Linear, sp *split, check bool, visit func(s *datasets.Sample, held bool) error) error {
	n := int64(0)
	last, held, first := uint64(0), false, true
	for s, err := range data.All() {
		if err != nil {
			return err
		}
		n++
		if n&1023 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if check {
			if err := checkRow(s, m, n); err != nil {
				return err
			}
		}
		if s.Weight == 0 {
			continue
		}
		if first || s.Episode != last {
			last, held, first = s.Episode, sp.held(s.Episode), false
		}
		if err := visit(s, held); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func checkRow(s *datasets.Sample, m *models.Linear, n int64) error {
	size := int32(m.Len())
	for _, t := range s.X {
		if t.Index < models.Bias || t.Index >= size {
			return fmt.Errorf("learn: row %d (episode %d) has feature %d, expected less than %d", n, s.Episode, t.Index, size)
		}
		if t.Value-t.Value != 0 {
			return fmt.Errorf("learn: row %d (episode %d): feature %s is %v, expected a finite number", n, s.Episode, m.Name(t.Index), t.Value)
		}
	}
	if s.Y-s.Y != 0 {
		return fmt.Errorf("learn: row %d (episode %d): label %v, expected a finite number", n, s.Episode, s.Y)
	}
	if !(s.Weight >= 0) || math.IsInf(s.Weight, 0) {
		return fmt.Errorf("learn: row %d (episode %d): weight %v, expected a number >= 0", n, s.Episode, s.Weight)
	}
	return nil
}

// tally counts what a first pass over the training rows saw.
type tally struct {
	rows      int64
	weight    float64
	label     float64 // weighted sum, in the view in which the bias is +1
	support   []int64 // by column
	episodes  *numbers
	last      uint64
	scattered bool // an episode's samples do not stand together
	bounds    int64
}

func newTally(columns int) *tally {
	return &tally{support: make([]int64, columns), episodes: newNumbers()}
}

func (t *tally) add(s *datasets.Sample, cols []int32, vals []float64, loss Loss) {
	t.addRow(s, biasOf(s.X), loss)
	for k, c := range cols {
		if vals[k] != 0 {
			t.support[c]++
		}
	}
}

// addRow is add without the support of columns.
func (t *tally) addRow(s *datasets.Sample, bias float64, loss Loss) {
	if t.rows == 0 || s.Episode != t.last {
		if !t.episodes.add(s.Episode) {
			t.scattered = true
		}
		t.last = s.Episode
	}
	t.rows++
	t.weight += s.Weight
	y := s.Y
	if a, ok := loss.(Averager); ok && bias < 0 {
		y = a.Mirror(y)
	}
	t.label += float64(s.Weight * y)
}

// biasOf is the value of the bias column, 1 where x carries none.
func biasOf(x models.Vector) float64 {
	for k := len(x) - 1; k >= 0; k-- {
		if x[k].Index == models.Bias {
			return float64(x[k].Value)
		}
	}
	return 1
}

// finite reports a weight that is no number as an error.
func finite(d *design, w []float64) error {
	for j, v := range w {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("learn: the weight of %s came out as %v", d.m.Name(d.feature[j]), v)
		}
	}
	return nil
}
