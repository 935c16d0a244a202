package features

import (
	"slices"

	"plyfit/game"
	"plyfit/models"
)

// Block is a sequence of related features.
type Block = models.Block

// A Set is a named set of features of one game. Its methods are safe for concurrent use.
type Set interface {
	// Name returns the name of the set, such as "othello/patterns", which is stored in its models.
	Name() string
	// Blocks returns the features in order. Block k begins after the end of block k-1.
	Blocks() []Block
	// View returns the player from whose point of view s is described: the mover or, at a chance
	// node, the last mover or the player to whom the node belongs.
	View(s game.State) game.Player
	// Extract appends to x the features of s from p's point of view. s is a base state and may be a
	// chance node. It may be finished only in games with hidden information, from the point of view
	// of the last mover, who did not know the outcome. Terms with value 0 may be omitted.
	Extract(s game.State, p game.Player, x models.Vector) models.Vector
}

// An Outline implements all methods of [Set] except Extract. Implementations of Set can embed it.
type Outline struct {
	Called  string
	Columns []Block
	Seen    func(s game.State) game.Player // returns the result of View; nil means the mover, or player 0 if no player moves
}

func (o *Outline) Name() string { return o.Called }

func (o *Outline) Blocks() []Block { return o.Columns }

func (o *Outline) View(s game.State) game.Player {
	if o.Seen == nil {
		return mover(s)
	}
	return o.Seen(s)
}

// mover returns the player to move at s, or player 0 if no player moves.
func mover(s game.State) game.Player { return max(s.Turn(), 0) }

// Add appends blocks and returns the index of the first feature of the first block.
func (o *Outline) Add(blocks ...Block) (first int32) {
	for _, b := range o.Columns {
		first += int32(b.Len)
	}
	o.Columns = append(o.Columns, blocks...)
	return first
}

// A Compiler is a Set that can evaluate a model faster than with Extract and a sum, for example
// with row tables or incremental updates. Compile returns nil if it cannot do this for the model.
//
// The result is not safe for concurrent use. It computes z = bias + sum of w_i f_i before the link,
// from player 0's point of view, or from p's if player 0's sum does not determine the values of all
// players. Apart from the rounding of the vector's 32-bit values, it differs from the sum over
// Extract by at most about 1e-9. In chess, the rounding error of each term is up to 2^-24 of its
// value.
type Compiler interface {
	Set
	Compile(g *game.Game, m *models.Linear) Compiled
}

// A Pruner is a Set that can leave out groups of terms without weights, so that they cost no time.
type Pruner interface {
	Set
	// Pruned returns a set for a single goroutine. It may leave out the features of all groups
	// ([models.Block]) that are not in used.
	Pruned(used map[string]bool) Set
}

// prune returns the pruned set, or set itself if it is not a Pruner, for a single goroutine.
func prune(set Set, used map[string]bool) Set {
	if p, ok := set.(Pruner); ok {
		return p.Pruned(used)
	}
	return Own(set)
}

// A TupleIndexer is a Set with tables in which the same number of weights is active in every
// position: one for each placement. Learners with millions of weights use it to avoid vectors.
type TupleIndexer interface {
	Set
	// Placements returns the number of active weights of the tables.
	Placements() int
	// Indices stores in dst, which has length Placements, the active weights of the tables at s
	// from p's point of view. The first weight of the first table has index 0. A weight that is
	// active twice is listed twice.
	Indices(s game.State, p game.Player, dst []int32)
	// Dense appends the features that are not in tables. Together with the features at Indices,
	// each with value 1, they are the features that Extract appends.
	Dense(s game.State, p game.Player, x models.Vector) models.Vector
}

// An AfterIndexer is a TupleIndexer of a single-player game that computes the active weights of all
// afterstates together, without playing the moves.
type AfterIndexer interface {
	TupleIndexer
	// After stores in to the moves at s, where the player is to move, and the active weights after
	// each of them. No move ends the game before nature moves. The result is the same as when
	// playing each move and calling Indices and Dense. After also prefetches the active weights.
	After(s game.State, m *models.Linear, to *Afters)
}

// Afters is the result of [AfterIndexer.After]. The next call reuses its memory.
type Afters struct {
	Moves []game.Move
	Rest  []float64 // bias plus the weighted sum of the Dense features
	At    []int32   // results of Indices, in succession
}

// An Anchored is a Set with terms whose weights are known before learning. An example is the term
// for the points collected so far, if the value is the final score.
type Anchored interface {
	Set
	// Anchors returns these weights by the names of the terms.
	Anchors() map[string]float64
}

// A Compiled is a compiled model. Sum returns z for a base state.
type Compiled interface {
	Sum(s game.State, p game.Player) float64
}

// A Tracked is a Compiled that is updated along a line of play. Sum ignores its argument s and
// returns the sum of the position reached by the moves since Reset. A search uses it through
// [Evaluator.Tracking]. An [Evaluator] calls Reset before every Sum.
type Tracked interface {
	Compiled
	Reset(s game.State)             // start at s
	Push(s game.State, m game.Move) // s is the position before m is played
	Pop()
}

// ExtractView appends to x the features of the base state s from the point of view of the player
// returned by set.View. In single-player games, and in two-player games with a constant sum, sign
// converts the features to player 0's view: it is -1 if they are from player 1's view, and
// otherwise 1.
func ExtractView(set Set, s game.State, x models.Vector) (_ models.Vector, sign float32) {
	view := set.View(s)
	x = set.Extract(s, view, x)
	if view > 0 {
		return x, -1
	}
	return x, 1
}

// ExtractFirst appends the features of [ExtractView] multiplied by their sign, that is, from player
// 0's point of view.
func ExtractFirst(set Set, s game.State, x models.Vector) models.Vector {
	from := len(x)
	x, sign := ExtractView(set, s, x)
	if sign < 0 {
		Negate(x[from:])
	}
	return x
}

// Negate changes the sign of every value, which gives the other player's point of view.
func Negate(x models.Vector) {
	for i := range x {
		x[i].Value = -x[i].Value
	}
}

// A Feature is a single term, given as a function of the position from p's point of view.
type Feature struct {
	Name  string
	Value func(s game.State, p game.Player) float64
}

// With returns a set called name that consists of the features of set and those in more. Models of
// one set cannot be used with the other, but their weights can be transferred by name. The new
// terms follow the dense terms of set and precede its tables.
func With(name string, set Set, more ...Feature) Set {
	e := &extended{Set: set, name: name, more: more}
	inside := set.Blocks()
	k := 0
	for ; k < len(inside) && !inside[k].Table; k++ {
		e.dense += int32(inside[k].Len)
	}
	e.blocks = append(e.blocks, inside[:k]...)
	for _, f := range more {
		e.blocks = append(e.blocks, Block{Name: f.Name, Len: 1})
	}
	e.blocks = append(e.blocks, inside[k:]...)
	return e
}

type extended struct {
	Set
	name   string
	blocks []Block
	dense  int32 // number of the inner set's dense features, after which the features of its tables are shifted
	more   []Feature
}

func (e *extended) Name() string    { return e.name }
func (e *extended) Blocks() []Block { return e.blocks }

func (e *extended) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	from := len(x)
	x = e.Set.Extract(s, p, x)
	for i := from; i < len(x); i++ {
		if x[i].Index >= e.dense {
			x[i].Index += int32(len(e.more))
		}
	}
	for i, f := range e.more {
		if f.Value == nil { // pruned
			continue
		}
		if v := f.Value(s, p); v != 0 {
			x = append(x, models.Term{Index: e.dense + int32(i), Value: float32(v)})
		}
	}
	return x
}

// Pruned implements [Pruner].
func (e *extended) Pruned(used map[string]bool) Set {
	out := *e
	out.Set, out.more = prune(e.Set, used), slices.Clone(e.more)
	for i := range out.more {
		if !used[out.more[i].Name] {
			out.more[i].Value = nil
		}
	}
	return &out
}
