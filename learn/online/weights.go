package online

import (
	"fmt"
	"math"
	"slices"

	"plyfit/internal/asm"
	"plyfit/internal/dense"
	"plyfit/internal/elementary"
	"plyfit/internal/proc"
	"plyfit/models"
)

// Weights contains the weights of a model during learning, with their step sizes and averages.
// Without averaging and TC, it takes hardly any memory beyond the model's. TC takes two more
// numbers per weight, and averaging one more.
type Weights struct {
	Model *models.Linear // current weights, not averaged

	task        *Task
	tc, bounded bool // copied from the task, like averageFrom
	averageFrom int
	alpha       float64 // step size of the current episode
	keep        []bool  // frozen weights; the bias comes last

	// These slices are indexed by feature. The bias comes after the dense features. Unused slices
	// are nil.
	sum, total      []float64 // for TC: sums of changes and of their absolute values
	changes         []asm.Changes
	late, tableLate []float64 // for averages: sums of changes, each multiplied by the number of episodes averaged before it

	lengths, norm float64 // lengths is the sum of the squared lengths of vectors; norm is the mean before this episode
	updates       int64
	scratch       []float32 // used by length; all zeros between calls

	averaged int64 // number of episodes since averageFrom, including the current one
	episode  int64
}

// leastHuge is the minimum size in bytes at which a table uses huge pages. Smaller tables do not
// benefit from them.
const leastHuge = 1 << 24

// NewWeights returns Weights that update the task's model in place, according to the task's
// settings.
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

// Frozen reports whether the weight of a feature outside tables, or of models.Bias, is frozen.
func (w *Weights) Frozen(i int32) bool { return w.keep[w.slot(i)] }

// OnlyTables reports whether all weights outside tables are frozen and no weights are averaged.
func (w *Weights) OnlyTables() bool {
	return w.averageFrom < 0 && !slices.Contains(w.keep, false)
}

// Share returns Weights that share the same weights but have a separate clock, for use by another
// goroutine. Of the methods that change weights, that goroutine may call only AddAll. If two
// goroutines change the same weight at the same time, one change may be lost.
func (w *Weights) Share() *Weights {
	mate := *w
	return &mate
}

// Bytes returns the memory used by the weights and their step sizes and averages.
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

// Episode starts episode number e. The number determines the step size and the averages.
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

// Update moves the weighted sum of x, including the bias column, by about Alpha times change. To do
// so, it divides the change by the mean squared length of the vectors in earlier episodes and
// distributes it among the weights in proportion to their terms. With TC, each weight has its own
// step size. If each vector were scaled by its own length instead, vectors with few terms, such as
// the last rolls in backgammon, would have the largest effect. If steps are Bounded, Update uses
// the length of x if it is greater than the mean.
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

// length returns the squared length of x, ignoring terms whose weights are frozen. Terms with the
// same index are added first, because a feature that occurs eight times moves the sum by 64 times
// as much as one that occurs once. Frozen terms do not move the sum. If they were included, a
// frozen score in the thousands would make the steps far too small.
func (w *Weights) length(x models.Vector) (norm float64) {
	if w.scratch == nil {
		w.scratch = make([]float32, len(w.keep))
	}
	dense := len(w.Model.Weights)
	for _, t := range x {
		if int(t.Index) < dense {
			w.scratch[w.slot(t.Index)] += t.Value
		} else {
			norm += float64(float64(t.Value) * float64(t.Value)) // equal indices are rare among millions, so such terms are not added first
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

// Add moves the weight of feature i by Alpha times change, or by less with TC. It does nothing if
// the weight is frozen.
func (w *Weights) Add(i int32, change float64) {
	m := w.Model
	dense := len(m.Weights)
	if k := int(i) - dense; k >= 0 {
		step := w.alpha * change
		if w.tc {
			step *= w.factor(coherence(&w.changes[k].Sum, &w.changes[k].Size, change))
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
		step *= w.factor(coherence(&w.sum[k], &w.total[k], change))
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

// factor returns the factor by which TC reduces the step of a weight with coherence c.
func (w *Weights) factor(c float64) float64 {
	if b := w.task.Coherence; b > 0 {
		return elementary.Exp(b * (c - 1))
	}
	return c
}

// AddAll is like Add for weights in tables. The slice at contains the weights' indices in the
// tables. AddAll does not update averages. If again is set, it returns the sum of the weights after
// the change, otherwise 0.
func (w *Weights) AddAll(at []int32, change float64, again bool) float32 {
	step := float32(w.alpha * change)
	switch {
	case w.tc && w.task.Coherence > 0:
		for _, i := range at {
			c := &w.changes[i]
			w.Model.Table[i] += float32(float64(step) * w.factor(coherence(&c.Sum, &c.Size, change)))
		}
		return asm.AddAt(w.Model.Table, at, 0, again)
	case w.tc:
		return asm.AddCoherent(w.Model.Table, w.changes, at, step, float32(change), float32(math.Abs(change)), again)
	}
	return asm.AddAt(w.Model.Table, at, step, again)
}

// Prefetch loads the data that AddAll will need for the given indices into the processor's caches.
func (w *Weights) Prefetch(at []int32) {
	asm.Prefetch(w.Model.Table, at)
	if w.tc {
		asm.PrefetchChanges(w.changes, at)
	}
}

// Averaged returns a model with the mean of the weights since the task's AverageFrom. The mean is
// taken over the weights at the end of each episode. If nothing has been averaged yet, Averaged
// returns the model itself.
//
// A change in the k-th of n episodes is contained in n-k+1 of the n samples. The mean is therefore
// the last weight minus the sum of (k-1)/n times each change. This takes a single additional number
// per weight, which changes only when the weight does.
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

// Persist reads or writes the weights, their step sizes and averages.
func (w *Weights) Persist(s *Snapshot) {
	s.Numbers(&w.episode, &w.averaged, &w.lengths, &w.norm, &w.updates)
	s.Weights(w.Model)
	s.Floats(w.sum, w.total)
	s.Singles(asm.Numbers(w.changes))
	s.Floats(w.late, w.tableLate)
}

// Average is the running mean of all weights, updated one sample at a time. If there are millions
// of weights and only a few of them change between two samples, the method used by [Weights] is
// faster, because it reads only those that change.
type Average struct {
	Mean    []float64
	Samples int64
}

// Add adds a sample of all weights. The function at returns the weight with a given index.
func (a *Average) Add(at func(i int) float64) {
	a.Samples++
	for i := range a.Mean {
		a.Mean[i] += (at(i) - a.Mean[i]) / float64(a.Samples)
	}
}

// Weight returns the weight with index i in m. The bias has the last index.
func Weight(m *models.Linear, i int) float64 {
	if i == m.Len() {
		return m.Bias
	}
	return m.Weight(int32(i))
}

// Move adds d to the weight with index i in m. The bias has the last index.
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

// A DivergedError is returned by a learner whose weights diverge. This means that each update
// overshoots by more than the error that it corrects, until the numbers overflow.
type DivergedError struct {
	What  string  // name of the value that is no longer finite
	Value float64 // an infinity or NaN
	Alpha float64 // configured step size
	Games int     // number of games so far
}

func (e *DivergedError) Error() string {
	games := "games"
	if e.Games == 1 {
		games = "game"
	}
	return fmt.Sprintf("learning diverges with alpha=%v: %s is %v after %d %s; use a smaller alpha, such as %.2g",
		e.Alpha, e.What, e.Value, e.Games, games, e.Alpha/10)
}

// CheckWeights returns a [DivergedError] if a weight of m outside tables, or the tally's sum of
// squared errors, is not finite. A weight in a table affects an error only after a position has
// read it. [CheckTables] also finds weights that no position has read.
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

// CheckTables is like [CheckWeights] but also checks the tables of m. Since it reads every weight,
// it should be called only when all weights are written or copied anyway.
func CheckTables(m *models.Linear, t *Tally, alpha float64) error {
	if err := CheckWeights(m, t, alpha); err != nil {
		return err
	}
	if i := dense.NotFinite(m.Table); i >= 0 { // every finite 32-bit number is usable
		return &DivergedError{WeightName(m, len(m.Weights)+i), float64(m.Table[i]), alpha, t.Episodes}
	}
	return nil
}

// usable reports whether x is not NaN and small enough for sums.
func usable(x float64) bool { return math.Abs(x) < 1e150 }

// WeightName returns the name of the weight with index i in m. The bias has the last index.
func WeightName(m *models.Linear, i int) string {
	if i == m.Len() {
		return "the bias"
	}
	return "the weight of " + m.Name(int32(i))
}
