package online

import (
	"fmt"
	"math"
	"slices"

	"plyfit/internal/asm"
	"plyfit/internal/dense"
	"plyfit/internal/proc"
	"plyfit/models"
)

// Weights are those of a model while it learns, with their step sizes and
// averages. Where nothing is averaged and TC is off, they need no memory beside
// the model's; TC takes two numbers more for each, an average one.
type Weights struct {
	Model *models.Linear // as it plays: not averaged

	task        *Task
	tc, bounded bool // the task's, as is averageFrom
	averageFrom int
	alpha       float64 // of the present episode
	keep        []bool  // frozen, the bias last

	// By feature, the bias last of the dense ones. nil where not used.
	sum, total      []float64 // of TC: of changes and of their sizes
	changes         []asm.Changes
	late, tableLate []float64 // of averages: changes, each times the episodes averaged before it

	lengths, norm float64 // of vectors: squared, summed up; the mean before this episode
	updates       int64
	scratch       []float32 // of length, all zeros between its calls

	averaged int64 // episodes begun since averageFrom, the present one included
	episode  int64
}

// leastHuge is from how many bytes on a table gets large pages: below it, caches do as well.
const leastHuge = 1 << 24

// NewWeights takes the task's model over, and moves it by the task's settings.
func NewWeights(t *Task) *Weights {
	m := t.Model
	w := &Weights{Model: m, task: t, tc: t.TC, bounded: t.Bounded, averageFrom: t.AverageFrom(), alpha: t.Alpha, keep: make([]bool, len(m.Weights)+1)}
	for _, i := range t.Frozen {
		w.keep[w.slot(i)] = true
	}
	if t.TC {
		w.sum, w.total = make([]float64, len(w.keep)), make([]float64, len(w.keep))
		w.changes = make([]asm.Changes, len(m.Table))
	}
	proc.HugePages(m.Table, leastHuge, true)
	proc.HugePages(w.changes, leastHuge, true)
	if w.averageFrom >= 0 {
		w.late, w.tableLate = make([]float64, len(w.keep)), make([]float64, len(m.Table))
	}
	return w
}

// Frozen reports whether the weight of a feature outside of tables, or of models.Bias, stays.
func (w *Weights) Frozen(i int32) bool { return w.keep[w.slot(i)] }

// OnlyTables reports whether all weights outside of tables are frozen, and none is averaged.
func (w *Weights) OnlyTables() bool {
	return w.averageFrom < 0 && !slices.Contains(w.keep, false)
}

// Share is the same weights with a clock of its own, for another goroutine. Of the
// methods that change weights it may call AddAll alone, which loses a change now and
// then where two goroutines meet.
func (w *Weights) Share() *Weights {
	mate := *w
	return &mate
}

// Bytes is the memory of the weights and of all that is kept beside them.
func (w *Weights) Bytes() int64 {
	return 8*int64(len(w.Model.Weights)+len(w.sum)+len(w.total)+len(w.late)+len(w.tableLate)) +
		4*int64(len(w.Model.Table)+2*len(w.changes))
}

func (w *Weights) slot(i int32) int {
	if i == models.Bias {
		return len(w.Model.Weights)
	}
	return int(i)
}

// Episode tells that an episode begins; it is the clock of the averages.
func (w *Weights) Episode(e int) {
	w.episode = int64(e)
	w.alpha = w.task.StepSize(float64(e))
	if w.updates > 0 {
		w.norm = w.lengths / float64(w.updates)
	}
	if w.averageFrom >= 0 {
		w.averaged = max(0, int64(e-w.averageFrom)+1)
	}
}

// Update moves the sum over x, bias column included, by about Alpha times change: each weight by
// its share of the squared length that vectors have on average, times its own step where TC is on.
// The average is that of earlier episodes: by each vector's own length, those with few terms
// (backgammon's last rolls) would teach most. Where steps are Bounded the share is that of x's own
// length if it is greater.
func (w *Weights) Update(x models.Vector, change float64) {
	length := w.length(x)
	w.lengths += length
	w.updates++
	if w.norm == 0 {
		if w.norm = length; length == 0 {
			return
		}
	}
	norm := w.norm
	if w.bounded {
		norm = max(norm, length)
	}
	change /= norm
	for _, t := range x {
		w.Add(t.Index, change*float64(t.Value))
	}
}

// length is the square of the length of what x has of weights that move, terms of equal index added
// up: a weight that counts eight times moves the sum by 64 times what one does. A frozen term moves
// nothing: divided by a frozen score of thousands, too, steps would be smaller by its square.
func (w *Weights) length(x models.Vector) (norm float64) {
	if w.scratch == nil {
		w.scratch = make([]float32, len(w.keep))
	}
	dense := len(w.Model.Weights)
	for _, t := range x {
		if int(t.Index) < dense {
			w.scratch[w.slot(t.Index)] += t.Value
		} else {
			norm += float64(float64(t.Value) * float64(t.Value)) // twice the same of millions is rare
		}
	}
	for _, t := range x {
		if int(t.Index) < dense {
			slot := w.slot(t.Index)
			if v := float64(w.scratch[slot]); !w.keep[slot] {
				norm += float64(v * v)
			}
			w.scratch[slot] = 0
		}
	}
	return norm
}

// Add moves the weight of feature i by Alpha times change, less where TC is on;
// nothing where it is frozen.
func (w *Weights) Add(i int32, change float64) {
	m := w.Model
	dense := len(m.Weights)
	if k := int(i) - dense; k >= 0 {
		step := w.alpha * change
		if w.tc {
			step *= coherence(&w.changes[k].Sum, &w.changes[k].Size, change)
		}
		m.Table[k] += float32(step)
		if w.averaged > 1 {
			w.tableLate[k] += float64(float64(w.averaged-1) * step)
		}
		return
	}
	k := w.slot(i)
	if w.keep[k] {
		return
	}
	step := float64(w.alpha * change)
	if w.tc {
		step *= coherence(&w.sum[k], &w.total[k], change)
	}
	if k == dense {
		m.Bias += step
	} else {
		m.Weights[k] += step
	}
	if w.averaged > 1 {
		w.late[k] += float64(float64(w.averaged-1) * step)
	}
}

// AddAll is Add for weights of the tables, by their places there; averages are not kept. With
// again it returns their sum afterwards, else 0.
func (w *Weights) AddAll(at []int32, change float64, again bool) float32 {
	step := float32(w.alpha * change)
	if w.tc {
		return asm.AddCoherent(w.Model.Table, w.changes, at, step, float32(change), float32(math.Abs(change)), again)
	}
	return asm.AddAt(w.Model.Table, at, step, again)
}

// Prefetch asks the caches for what AddAll will want of these places soon.
func (w *Weights) Prefetch(at []int32) {
	asm.Prefetch(w.Model.Table, at)
	if w.tc {
		asm.PrefetchChanges(w.changes, at)
	}
}

// Averaged is the model of the mean weights since the task's AverageFrom, each episode's weights as
// they were at its end; the model itself where nothing was averaged yet.
//
// A change in the k-th of n episodes is in n-k+1 of the n samples, so the mean
// is the last weight less the sum of (k-1)/n of each change: one number more for
// each weight, changed only when the weight is.
func (w *Weights) Averaged() *models.Linear {
	if w.averaged < 1 {
		return w.Model
	}
	m := w.Model.Clone()
	n := float64(w.averaged)
	for i := range m.Weights {
		m.Weights[i] -= w.late[i] / n
	}
	m.Bias -= w.late[len(m.Weights)] / n
	for i := range m.Table {
		m.Table[i] = float32(float64(m.Table[i]) - w.tableLate[i]/n)
	}
	return m
}

// Persist names the weights and all that is kept beside them.
func (w *Weights) Persist(s *Snapshot) {
	s.Numbers(&w.episode, &w.averaged, &w.lengths, &w.norm, &w.updates)
	s.Weights(w.Model)
	s.Floats(w.sum, w.total)
	s.Singles(asm.Numbers(w.changes))
	s.Floats(w.late, w.tableLate)
}

// Average is the running mean of all weights, a sample at a time. Where few of
// millions change between two samples, [Weights] has a way that reads those alone.
type Average struct {
	Mean    []float64
	Samples int64
}

// Add adds a sample: n weights, number i being at(i).
func (a *Average) Add(at func(i int) float64) {
	a.Samples++
	for i := range a.Mean {
		a.Mean[i] += (at(i) - a.Mean[i]) / float64(a.Samples)
	}
}

// Weight is that of place i in m, the bias being the last.
func Weight(m *models.Linear, i int) float64 {
	if i == m.Len() {
		return m.Bias
	}
	return m.Weight(int32(i))
}

// Move adds d to the weight of place i in m, the bias being the last.
func Move(m *models.Linear, i int, d float64) {
	switch n := len(m.Weights); {
	case i == m.Len():
		m.Bias += d
	case i < n:
		m.Weights[i] += d
	default:
		m.Table[i-n] = float32(float64(m.Table[i-n]) + d)
	}
}

// DivergedError is what a learner says when its weights run away: an update then overshoots by more
// than the error that it answers to, and so does the next, until the numbers have no room left.
type DivergedError struct {
	What  string  // what is no finite number any more
	Value float64 // an infinity or NaN
	Alpha float64 // the step size as it was asked for
	Games int     // learned from so far
}

func (e *DivergedError) Error() string {
	games := "games"
	if e.Games == 1 {
		games = "game"
	}
	return fmt.Sprintf("learning diverges with alpha=%v: %s is %v after %d %s: want a smaller alpha, such as %.2g",
		e.Alpha, e.What, e.Value, e.Games, games, e.Alpha/10)
}

// CheckWeights finds numbers that are not finite any more, as a [DivergedError]: weights of m outside
// of tables, and the tally's sum of squared errors. A table's weight shows in an error as soon as a
// position reads it; [CheckTables] finds those that none has read since.
func CheckWeights(m *models.Linear, t *Tally, alpha float64) error {
	if !usable(t.Errors) {
		return &DivergedError{"the sum of squared errors", t.Errors, alpha, t.Episodes}
	}
	if !usable(m.Bias) {
		return &DivergedError{"the bias", m.Bias, alpha, t.Episodes}
	}
	for i, w := range m.Weights {
		if !usable(w) {
			return &DivergedError{WeightName(m, i), w, alpha, t.Episodes}
		}
	}
	return nil
}

// CheckTables is [CheckWeights] for the tables of m as well: it reads every weight,
// and is for moments at which all of them are written or copied anyway.
func CheckTables(m *models.Linear, t *Tally, alpha float64) error {
	if err := CheckWeights(m, t, alpha); err != nil {
		return err
	}
	if i := dense.NotFinite(m.Table); i >= 0 { // no finite one of 32 bits is beyond use
		return &DivergedError{WeightName(m, len(m.Weights)+i), float64(m.Table[i]), alpha, t.Episodes}
	}
	return nil
}

// usable reports whether x is a number that sums have room for: neither NaN nor beyond all use.
func usable(x float64) bool { return math.Abs(x) < 1e150 }

// WeightName is that of the weight at place i of m, the bias being the last.
func WeightName(m *models.Linear, i int) string {
	if i == m.Len() {
		return "the bias"
	}
	return "the weight of " + m.Name(int32(i))
}
