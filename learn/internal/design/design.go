// Package design reads samples as the rows of a design matrix, adds up what fits need of
// them, and says how sure the fitted weights are.
//
//  1. [New] gives features their columns ([Matrix]); [OpenRows] checks the rows of a store and tells
//     training rows from held-out ones ([Split]); [Scan] does so for rows that are read once.
//  2. [Rows.Sum] adds up what least squares and Newton's method need, in an order that does not
//     depend on who adds: rows fill leaves of a fixed size, in their order, each leaf has its own
//     sums, and these are the leaves of a binary tree. Equal rows give equal bits. [Rows.Read] hands
//     out rows a [Chunk] at a time, [Gather] sums least squares up by fold ([Sums]).
//  3. [Clusters] are standard errors clustered by groups of episodes, [Sides] finds
//     weights that have no finite estimate, [ShiftOf] how far a penalty moved the others.
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

// MaxColumns is the most that solvers with features squared take on: 4,096
// columns are 128 MB of sums.
const MaxColumns = 4096

// ErrNoRows is returned where nothing is left to train on.
var ErrNoRows = errors.New("learn: no training rows")

// Matrix maps the features of a model to the columns of a design matrix: the
// bias first, so that constant features are found to repeat it and not the
// other way round; frozen features have no column.
type Matrix struct {
	Model   *models.Linear // frozen weights are read from it
	Feature []int32        // of each column
	Column  []int32        // of feature i at i+1; -1 where frozen
	Bias    int            // column of the bias, -1 where frozen
	Frozen  int            // features that have none

	cols []int32 // the last row
	vals []float64
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
		return nil, fmt.Errorf("learn: %d features, expected at most %d for a solver that needs features squared; use LBFGS", len(d.Feature), limit)
	}
	return d, nil
}

func (d *Matrix) Width() int { return len(d.Feature) }

// Row splits x into columns and the part that frozen weights contribute.
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

// Priors are the prior weights by column; those of a nil model are zeros.
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

// Names are the full names of columns.
func (d *Matrix) Names(columns []int) []string {
	return list.Map(columns, func(c int) string { return d.Model.Name(d.Feature[c]) })
}

// Store writes weights by column into m.
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

// Variances are v_j of learn's Options.Penalty: second moments about the bias, 0 for the bias itself.
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

// variance is a column's second moment about the bias, whose own is ones, 0 without a bias.
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

// Scan walks over the rows, checks them, and tells the training rows from the
// held-out ones. Rows of weight zero are passed over.
func Scan(ctx context.Context, data datasets.Samples, m *models.Linear, sp *Split, visit func(s *datasets.Sample, held bool) error) error {
	return Walk(ctx, data.All(), sp, func(s *datasets.Sample, n int64) (uint64, error) { return s.Episode, CheckRow(s, m, n) }, func(s *datasets.Sample, held bool) error {
		if s.Weight == 0 {
			return nil
		}
		return visit(s, held)
	})
}

// Walk visits rows and reports whether their episode is held out. It calls check on each row first,
// with its number from 1; check returns its episode.
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

// CheckRow is an error where row number n cannot be of a model.
func CheckRow(s *datasets.Sample, m *models.Linear, n int64) error {
	if err := CheckTerms(s.X, m, "row", n, s.Episode); err != nil {
		return err
	}
	if s.Y-s.Y != 0 {
		return fmt.Errorf("learn: row %d (episode %d): label %v, expected a finite number", n, s.Episode, s.Y)
	}
	return CheckWeight(s.Weight, "row", n, s.Episode)
}

// CheckTerms is an error where x, of row or step number n, cannot be of a model.
func CheckTerms(x models.Vector, m *models.Linear, what string, n int64, episode uint64) error {
	size := int32(m.Len())
	for _, t := range x {
		if t.Index < models.Bias || t.Index >= size {
			return fmt.Errorf("learn: %s %d (episode %d) has feature %d, expected less than %d", what, n, episode, t.Index, size)
		}
		if t.Value-t.Value != 0 {
			return fmt.Errorf("learn: %s %d (episode %d): feature %s is %v, expected a finite number", what, n, episode, m.Name(t.Index), t.Value)
		}
	}
	return nil
}

// CheckWeight returns an error if the weight of row or step number n is invalid.
func CheckWeight(weight float64, what string, n int64, episode uint64) error {
	if !(weight >= 0) || math.IsInf(weight, 0) {
		return fmt.Errorf("learn: %s %d (episode %d): weight %v, expected a number >= 0", what, n, episode, weight)
	}
	return nil
}

// Tally counts what a first pass over the training rows saw.
type Tally struct {
	Rows      int64
	Weight    float64
	Label     float64 // weighted sum, in the view in which the bias is +1
	Support   []int64 // by column
	Episodes  *episodeSet
	last      uint64
	Scattered bool // an episode's samples do not stand together
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

// BiasOf is the value of the bias column, 1 where x carries none.
func BiasOf(x models.Vector) float64 {
	for k := len(x) - 1; k >= 0; k-- {
		if x[k].Index == models.Bias {
			return float64(x[k].Value)
		}
	}
	return 1
}

// Finite reports a weight that is no number as an error.
func Finite(d *Matrix, w []float64) error {
	for j, v := range w {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("learn: the weight of %s came out as %v", d.Model.Name(d.Feature[j]), v)
		}
	}
	return nil
}

// Split says which rows are trained on and what they have to do with one another, by the fields of
// learn's Options. The zero value holds nothing out.
type Split struct {
	HeldOut  func(episode uint64) bool
	Group    func(episode uint64) (id uint64, alone bool)
	Seen     func(position uint64) bool
	KeepSeen bool
}

// Where a row counts: a held-out row whose position stands among the training
// rows, too, tells what was remembered and not what was learned.
const (
	Training = iota
	Unseen
	Seen
	Parts
)

// Held reports whether an episode is kept from training.
func (s *Split) Held(episode uint64) bool { return s.HeldOut != nil && s.HeldOut(episode) }

// Side is where a row counts.
func (s *Split) Side(held bool, position uint64) int {
	switch {
	case !held:
		return Training
	case s.Seen != nil && s.Seen(position):
		return Seen
	}
	return Unseen
}

// GroupOf is the number of an episode's group, and whether it has no other one.
func (s *Split) GroupOf(episode uint64) (id uint64, alone bool) {
	if s.Group == nil {
		return episode, true
	}
	return s.Group(episode)
}

// Bounded is the loss of a sample whose label may be only a bound: a prediction
// on the right side of it costs nothing.
func Bounded(criterion loss.Function, z float64, s *datasets.Sample) (l, grad, hess float64) {
	l, grad, hess = criterion.Loss(z, s.Y)
	if Satisfied(s.Kind, grad) {
		return 0, 0, 0
	}
	return l, grad, hess
}

// Satisfied reports whether a prediction keeps a bound: a positive gradient means that
// it lies above the label.
func Satisfied(kind game.Bound, grad float64) bool {
	return kind == game.Lower && grad > 0 || kind == game.Upper && grad < 0
}
