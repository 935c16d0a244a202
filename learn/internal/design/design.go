// Package design reads samples as rows of a design matrix, computes the sums that fits need, and
// estimates the uncertainty of the fitted weights.
//
//  1. [New] assigns columns to features ([Matrix]). [OpenRows] checks the rows in a store and
//     separates training rows from held-out rows ([Split]). [Scan] does the same for rows that are
//     read only once.
//  2. [Rows.Sum] computes the sums for least squares and Newton's method. The order of summation
//     does not depend on the number of goroutines: rows fill leaves of fixed size in order, each
//     leaf has its own sums, and the leaves form a binary tree. Equal rows therefore give
//     bit-identical sums. [Rows.Read] reads rows one [Chunk] at a time, and [Gather] computes the
//     sums of least squares by fold ([Sums]).
//  3. [Clusters] computes standard errors clustered by groups of episodes. [Directions] finds weights
//     that have no finite estimate. [ShiftOf] measures how far a penalty moved the other weights.
package design

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/learn/loss"
	"plyfit/models"
)

// MaxColumns is the maximum number of columns for solvers whose memory grows with the square of
// this number. With 4,096 columns, the sums take 128 MB.
const MaxColumns = 4096

// ErrNoRows is returned if there are no rows to train on.
var ErrNoRows = errors.New("learn: no training rows")

// A Matrix maps the features of a model to the columns of a design matrix. The bias comes first, so
// that a constant feature is reported as a copy of the bias and not vice versa. Frozen features
// have no column.
type Matrix struct {
	Model   *models.Linear // source of the frozen features' weights
	Feature []int32        // feature of each column; the bias is -1
	Column  []int32        // Column[i+1] is the column of feature i, or -1 if frozen
	Bias    int            // column of the bias, or -1 if frozen
	Frozen  int            // number of frozen features, including the bias

	cols []int32   // columns of the last row
	vals []float64 // values of the last row
}

func New(m *models.Linear, frozen []int32, limit int) (*Matrix, error) {
	d := &Matrix{Model: m, Column: make([]int32, m.Len()+1), Bias: -1}
	for _, f := range frozen {
		d.Column[f+1] = -1
	}
	for i, c := range d.Column {
		if c < 0 {
			d.Frozen++
			continue
		}
		d.Column[i] = int32(len(d.Feature))
		d.Feature = append(d.Feature, int32(i-1))
	}
	if d.Column[0] >= 0 {
		d.Bias = 0
	}
	if len(d.Feature) == 0 {
		return nil, errors.New("learn: every feature is frozen")
	}
	if len(d.Feature) > limit {
		return nil, fmt.Errorf("learn: %d features; want at most %d for a solver with quadratic memory, or LBFGS", len(d.Feature), limit)
	}
	return d, nil
}

func (d *Matrix) Width() int { return len(d.Feature) }

// Row returns the columns and values of x, and the contribution of the frozen weights to the sum.
func (d *Matrix) Row(x models.Vector) (cols []int32, vals []float64, offset float64) {
	d.cols, d.vals = d.cols[:0], d.vals[:0]
	for _, t := range x {
		c := d.Column[t.Index+1]
		if c < 0 {
			offset += float64(d.Model.Weight(t.Index) * float64(t.Value))
			continue
		}
		d.cols = append(d.cols, c)
		d.vals = append(d.vals, float64(t.Value))
	}
	return d.cols, d.vals, offset
}

// Priors returns the prior weights by column. They are zero if prior is nil.
func (d *Matrix) Priors(prior *models.Linear) []float64 {
	p := make([]float64, d.Width())
	if prior == nil {
		return p
	}
	for c, f := range d.Feature {
		p[c] = prior.Weight(f)
	}
	return p
}

// Names returns the full names of the given columns.
func (d *Matrix) Names(columns []int) []string {
	return list.Map(columns, func(c int) string { return d.Model.Name(d.Feature[c]) })
}

// Store writes the weights w, which are indexed by column, to m.
func (d *Matrix) Store(m *models.Linear, w []float64) {
	for c, f := range d.Feature {
		SetWeight(m, f, w[c])
	}
}

func SetWeight(m *models.Linear, f int32, v float64) {
	switch n := int32(len(m.Weights)); {
	case f == models.Bias:
		m.Bias = v
	case f < n:
		m.Weights[f] = v
	default:
		m.Table[f-n] = float32(v)
	}
}

// Variances returns the v_j in Options.Penalty of package learn: second moments about the bias, and
// 0 for the bias itself.
func (d *Matrix) Variances(xx []float64, total float64) []float64 {
	n := d.Width()
	v := make([]float64, n)
	bias, ones := max(0, d.Bias), 0.0
	if d.Bias >= 0 {
		ones = xx[bias*n+bias]
	}
	for j := range v {
		if j != d.Bias {
			v[j] = variance(xx[j*n+j], xx[j*n+bias], ones, total)
		}
	}
	return v
}

// variance returns a column's second moment about the bias. The parameter ones is the second moment
// of the bias itself, or 0 without a bias.
func variance(square, cross, ones, total float64) float64 {
	v := square
	if ones > 0 {
		v -= cross * cross / ones
	}
	if v <= 1e-12*square {
		return 0
	}
	return v / total
}

// Scan checks the rows and calls visit for each of them. The argument held is set for held-out
// rows. Scan skips rows with weight zero.
func Scan(ctx context.Context, data datasets.Samples, m *models.Linear, sp *Split, visit func(s *datasets.Sample, held bool) error) error {
	return Walk(ctx, data.All(), sp, func(s *datasets.Sample, n int64) (uint64, error) { return s.Episode, CheckRow(s, m, n) }, func(s *datasets.Sample, held bool) error {
		if s.Weight == 0 {
			return nil
		}
		return visit(s, held)
	})
}

// Walk passes each row to visit, together with whether the row's episode is held out. Before that,
// it calls check with the row and the row's number, counted from 1. The function check returns the
// row's episode.
func Walk[T any](ctx context.Context, rows iter.Seq2[*T, error], sp *Split, check func(s *T, n int64) (episode uint64, err error), visit func(s *T, held bool) error) error {
	n := int64(0)
	last, held := uint64(0), false
	for s, err := range rows {
		if err != nil {
			return err
		}
		n++
		if n&1023 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		episode, err := check(s, n)
		if err != nil {
			return err
		}
		if n == 1 || episode != last {
			last, held = episode, sp.Held(episode)
		}
		if err := visit(s, held); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// CheckRow returns an error if row number n is invalid for the model m.
func CheckRow(s *datasets.Sample, m *models.Linear, n int64) error {
	if err := CheckTerms(s.X, m, "row", n, s.Episode); err != nil {
		return err
	}
	if s.Y-s.Y != 0 {
		return fmt.Errorf("learn: row %d (episode %d): label %v: want a finite number", n, s.Episode, s.Y)
	}
	return CheckWeight(s.Weight, "row", n, s.Episode)
}

// CheckTerms returns an error if x, which belongs to row or step number n, is invalid for the model
// m.
func CheckTerms(x models.Vector, m *models.Linear, what string, n int64, episode uint64) error {
	size := int32(m.Len())
	for _, t := range x {
		if t.Index < models.Bias || t.Index >= size {
			return fmt.Errorf("learn: %s %d (episode %d) has feature %d; want less than %d", what, n, episode, t.Index, size)
		}
		if t.Value-t.Value != 0 {
			return fmt.Errorf("learn: %s %d (episode %d): feature %s is %v; want a finite number", what, n, episode, m.Name(t.Index), t.Value)
		}
	}
	return nil
}

// CheckWeight returns an error if the weight of row or step number n is invalid.
func CheckWeight(weight float64, what string, n int64, episode uint64) error {
	if !(weight >= 0) || math.IsInf(weight, 0) {
		return fmt.Errorf("learn: %s %d (episode %d): weight %v: want a number of at least 0", what, n, episode, weight)
	}
	return nil
}

// A Tally counts the training rows in a first pass.
type Tally struct {
	Rows      int64
	Weight    float64
	Label     float64 // weighted sum of labels, from the point of view for which the bias is +1
	Support   []int64 // number of rows in which each column is not 0
	Episodes  *episodeSet
	last      uint64
	Scattered bool // the samples of an episode are not adjacent
	Bounds    int64
}

func NewTally(columns int) *Tally {
	return &Tally{Support: make([]int64, columns), Episodes: NewEpisodeSet()}
}

func (t *Tally) Add(s *datasets.Sample, cols []int32, vals []float64, criterion loss.Function) {
	t.addRow(s, BiasOf(s.X), criterion)
	for k, c := range cols {
		if vals[k] != 0 {
			t.Support[c]++
		}
	}
}

func (t *Tally) addRow(s *datasets.Sample, bias float64, criterion loss.Function) {
	if t.Rows == 0 || s.Episode != t.last {
		if !t.Episodes.Add(s.Episode) {
			t.Scattered = true
		}
		t.last = s.Episode
	}
	t.Rows++
	t.Weight += s.Weight
	y := s.Y
	if a, ok := criterion.(loss.Averager); ok && bias < 0 {
		y = a.Mirror(y)
	}
	t.Label += float64(s.Weight * y)
}

// BiasOf returns the value of the bias column in x, or 1 if x does not contain it.
func BiasOf(x models.Vector) float64 {
	for k := len(x) - 1; k >= 0; k-- {
		if x[k].Index == models.Bias {
			return float64(x[k].Value)
		}
	}
	return 1
}

// Finite returns an error if a weight is infinite or NaN.
func Finite(d *Matrix, w []float64) error {
	for j, v := range w {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("learn: the weight of %s is %v; want a finite number", d.Model.Name(d.Feature[j]), v)
		}
	}
	return nil
}

// A Split separates training rows from held-out rows and groups episodes. Its fields come from
// Options in package learn. The zero value does not hold out any rows.
type Split struct {
	HeldOut  func(episode uint64) bool
	Group    func(episode uint64) (id uint64, alone bool)
	Seen     func(position uint64) bool
	KeepSeen bool
}

// These are the parts of the data. Seen contains held-out rows whose position also occurs in a
// training row. The loss on these rows measures memorisation rather than generalisation.
const (
	Training = iota
	Unseen
	Seen
	Parts
)

// Held reports whether an episode is held out.
func (s *Split) Held(episode uint64) bool { return s.HeldOut != nil && s.HeldOut(episode) }

// Side returns the part to which a row belongs.
func (s *Split) Side(held bool, position uint64) int {
	switch {
	case !held:
		return Training
	case s.Seen != nil && s.Seen(position):
		return Seen
	}
	return Unseen
}

// GroupOf returns the number of an episode's group, and whether the group contains no other
// episode.
func (s *Split) GroupOf(episode uint64) (id uint64, alone bool) {
	if s.Group == nil {
		return episode, true
	}
	return s.Group(episode)
}

// Bounded returns the loss of a sample whose label may be a bound, together with its derivatives.
// All three are 0 if the prediction respects the bound.
func Bounded(criterion loss.Function, z float64, s *datasets.Sample) (l, grad, hess float64) {
	l, grad, hess = criterion.Loss(z, s.Y)
	if Satisfied(s.Kind, grad) {
		return 0, 0, 0
	}
	return l, grad, hess
}

// Satisfied reports whether a prediction respects a bound. A positive gradient means that the
// prediction is above the label.
func Satisfied(kind game.Bound, grad float64) bool {
	return kind == game.Lower && grad > 0 || kind == game.Upper && grad < 0
}
