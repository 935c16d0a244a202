package td

import (
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/asm"
	"plyfit/learn/online"
	"plyfit/models"
)

// An extractor reads positions for an actor. It must not be used by several goroutines at the same
// time.
type extractor interface {
	// extract stores the features of a base state, from player p's point of view, in a slot.
	extract(s game.State, slot int, p game.Player)
	// sums appends the weighted sums of the first n slots.
	sums(n int, z []float64) []float64
	// keep appends the features in the slot to the episode as the features of its last step.
	keep(slot int, e *episode)
	// sum returns the weighted sum of step k with the current weights. The caller processes steps
	// from last to first.
	sum(w *online.Weights, e *episode, k int) float64
	// update moves the weighted sum of step k by about alpha times change. If again is set, it
	// returns the sum after the update.
	update(w *online.Weights, e *episode, k int, change float64, again bool) float64
}

// newExtractor returns the fastest extractor for m. If only tables are learned and the feature set
// can compute their indices, the extractor computes only these. The parameter apart reports whether
// players have separate values.
func newExtractor(set features.Set, m *models.Linear, w *online.Weights, apart bool) extractor {
	if p, ok := set.(features.TupleIndexer); ok && !apart && w.OnlyTables() {
		x := tableExtractor{set: p, model: m, n: p.Placements()}
		if a, ok := set.(features.AfterIndexer); ok {
			return &aheadExtractor{tableExtractor: x, after: a}
		}
		return &x
	}
	return &vectorExtractor{set: features.Own(set), model: m, apart: apart, bias: !w.Frozen(models.Bias)}
}

// vectorExtractor reads positions as vectors.
type vectorExtractor struct {
	set   features.Set
	model *models.Linear
	apart bool // players have separate values
	bias  bool // vectors contain the bias
	slots []models.Vector
}

func (x *vectorExtractor) extract(s game.State, slot int, p game.Player) {
	for slot >= len(x.slots) {
		x.slots = append(x.slots, nil)
	}
	v := x.slots[slot][:0]
	if x.bias {
		v = append(v, models.Term{Index: models.Bias, Value: 1})
	}
	if x.apart {
		x.slots[slot] = x.set.Extract(s, p, v)
		return
	}
	x.slots[slot] = features.ExtractFirst(x.set, s, v)
}

func (x *vectorExtractor) sums(n int, z []float64) []float64 {
	for slot := range n {
		if slot < len(x.slots) {
			z = append(z, x.dot(x.slots[slot]))
		} else {
			z = append(z, 0)
		}
	}
	return z
}

func (x *vectorExtractor) dot(v models.Vector) float64 {
	z := x.model.Dot(v)
	if !x.bias {
		z += x.model.Bias
	}
	return z
}

func (x *vectorExtractor) keep(slot int, e *episode) {
	s := &e.steps[len(e.steps)-1]
	s.from = int32(len(e.terms))
	e.terms = append(e.terms, x.slots[slot]...)
	s.to = int32(len(e.terms))
}

func (x *vectorExtractor) sum(_ *online.Weights, e *episode, k int) float64 {
	s := &e.steps[k]
	return x.dot(e.terms[s.from:s.to])
}

func (x *vectorExtractor) update(w *online.Weights, e *episode, k int, change float64, again bool) float64 {
	s := &e.steps[k]
	w.Update(e.terms[s.from:s.to], change)
	if !again {
		return 0
	}
	return x.sum(w, e, k)
}

// tableExtractor reads positions as table indices.
type tableExtractor struct {
	set    features.TupleIndexer
	model  *models.Linear
	n      int // number of placements
	slots  features.Afters
	turned []bool    // the slot was extracted from the second player's point of view
	tables []float32 // sum of the table weights for each slot
	x      models.Vector
}

func (x *tableExtractor) extract(s game.State, slot int, _ game.Player) {
	for slot >= len(x.slots.Rest) {
		x.slots.At, x.slots.Rest = append(x.slots.At, make([]int32, x.n)...), append(x.slots.Rest, 0)
	}
	for slot >= len(x.turned) {
		x.turned = append(x.turned, false)
	}
	view := x.set.View(s)
	at := x.slots.At[slot*x.n : slot*x.n+x.n]
	x.set.Indices(s, view, at)
	asm.Prefetch(x.model.Table, at)
	x.x = x.set.Dense(s, view, x.x[:0])
	rest := x.model.Dot(x.x)
	if view > 0 {
		rest = -rest
	}
	x.slots.Rest[slot], x.turned[slot] = rest+x.model.Bias, view > 0
}

func (x *tableExtractor) sums(n int, z []float64) []float64 {
	for len(x.tables) < n {
		x.tables = append(x.tables, 0)
	}
	known := min(n, len(x.slots.Rest))
	asm.SumsAt(x.model.Table, x.slots.At, x.n, x.tables[:known])
	for slot, sum := range x.tables[:n] {
		switch {
		case slot >= known:
			z = append(z, 0)
		case slot < len(x.turned) && x.turned[slot]:
			z = append(z, x.slots.Rest[slot]-float64(sum))
		default:
			z = append(z, x.slots.Rest[slot]+float64(sum))
		}
	}
	return z
}

func (x *tableExtractor) keep(slot int, e *episode) {
	s := &e.steps[len(e.steps)-1]
	s.rest, s.to = x.slots.Rest[slot], 0
	if slot < len(x.turned) && x.turned[slot] {
		s.to = -1
	}
	e.indices = append(e.indices, x.slots.At[slot*x.n:slot*x.n+x.n]...)
}

// whole returns the weighted sum of a step whose table weights have the given sum.
func (s *step) whole(sum float32) float64 {
	if s.to < 0 {
		sum = -sum
	}
	return s.rest + float64(sum)
}

// ahead is the prefetch distance: weights are loaded this many steps before the sweep needs them.
const ahead = 3

func (x *tableExtractor) sum(w *online.Weights, e *episode, k int) float64 {
	if soon := k - ahead; soon >= 0 {
		w.Prefetch(e.indices[soon*x.n : soon*x.n+x.n])
	}
	var sum [1]float32
	asm.SumsAt(x.model.Table, e.indices[k*x.n:k*x.n+x.n], x.n, sum[:])
	return e.steps[k].whole(sum[0])
}

// aheadExtractor is a tableExtractor that can extract the positions after moves without playing
// them.
type aheadExtractor struct {
	tableExtractor
	after features.AfterIndexer
	next  features.Afters
}

// find extracts the positions after the moves at s. They are stored for the next call to the method
// all.
func (x *aheadExtractor) find(s game.State) { x.after.After(s, x.model, &x.next) }

// all puts the results of find into the slots and appends their weighted sums to z. It also returns
// the moves.
func (x *aheadExtractor) all(z []float64) ([]game.Move, []float64) {
	x.slots, x.next = x.next, x.slots
	return x.slots.Moves, x.sums(len(x.slots.Moves), z)
}

func (x *tableExtractor) update(w *online.Weights, e *episode, k int, change float64, again bool) float64 {
	s := &e.steps[k]
	if s.to < 0 {
		change = -change
	}
	return s.whole(w.AddAll(e.indices[k*x.n:k*x.n+x.n], change/float64(x.n), again))
}
