package features

import (
	"plyfit/game"
	"plyfit/models"
)

// Block is a run of features that belong together.
type Block = models.Block

// Set is a named set of features of one game. Its methods are safe for many goroutines.
type Set interface {
	// Name is what every model of the set carries: "othello/patterns".
	Name() string
	// Blocks are the features in order: block k begins where block k-1 ends.
	Blocks() []Block
	// View is the player whose view is taken: the mover; at nature's nodes the last mover.
	View(s game.State) game.Player
	// Extract appends to x the features of s in the view of p. s is a base state, never a wrapped
	// one; it may be a chance node. It is finished only with hidden information, in the view of the
	// last mover, who did not know the outcome when choosing. Terms of value 0 may be left out.
	Extract(s game.State, p game.Player, x models.Vector) models.Vector
}

// Outline is all of a [Set] but Extract, for types of sets to embed.
type Outline struct {
	Called  string
	Columns []Block
	Seen    func(s game.State) game.Player // the player whose view is taken; nil: who is to move, else the first
}

func (o *Outline) Name() string { return o.Called }

func (o *Outline) Blocks() []Block { return o.Columns }

func (o *Outline) View(s game.State) game.Player {
	if o.Seen == nil {
		return mover(s)
	}
	return o.Seen(s)
}

// mover is who is to move at s, the first player where none is.
func mover(s game.State) game.Player { return max(s.Turn(), 0) }

// Add appends blocks and returns where the first begins.
func (o *Outline) Add(blocks ...Block) (first int32) {
	for _, b := range o.Columns {
		first += int32(b.Len)
	}
	o.Columns = append(o.Columns, blocks...)
	return first
}

// Compiler is a Set that can evaluate a model faster than by Extract and a sum: row tables,
// incremental updates. It returns nil if it cannot for this model. The result is for one goroutine
// and gives z = bias + sum of w_i f_i as player 0 sees it (as p sees it for games of more than
// two), before the link. It agrees with the sum over Extract to 1e-9, except for the rounding of the
// vector's 32-bit values, which in chess is up to 2^-24 of each term.
type Compiler interface {
	Set
	Compile(g *game.Game, m *models.Linear) Compiled
}

// TupleIndexer is a Set with tables of which the same number of weights counts in every position,
// one for each placement. Learners of millions of weights use it without a vector.
type TupleIndexer interface {
	Set
	// Placements is how many weights of the tables count in a position.
	Placements() int
	// Indices writes into dst, of length Placements, which of the tables' weights count at s in the
	// view of p; 0 is the first of the first table. A weight that counts twice is listed twice.
	Indices(s game.State, p game.Player, dst []int32)
	// Dense appends the features outside of the tables: with those at Indices,
	// each with the value 1, they are what Extract appends.
	Dense(s game.State, p game.Player, x models.Vector) models.Vector
}

// AfterIndexer is a TupleIndexer of a game of one whose moves are looked up, not made: it
// tells of all positions that a position's moves lead to at once.
type AfterIndexer interface {
	TupleIndexer
	// After has in to the moves of s, at which the player is to decide, and what m's weights outside
	// of the tables say of the positions after them, none of which is an end. It equals playing
	// each move, asking, and undoing it. It asks the caches for the weights at the indices.
	After(s game.State, m *models.Linear, to *Afters)
}

// Afters is what [AfterIndexer.After] tells of each move. The next call uses its room again.
type Afters struct {
	Moves []game.Move
	Rest  []float64 // the bias and the weighted sum of what Dense appends
	At    []int32   // what Indices writes, one after the other
}

// Anchored is a Set with terms whose weights are known before anything is learned: the
// points collected so far, where the value is what comes at the end.
type Anchored interface {
	Set
	// Anchors are those weights, by the names of the terms.
	Anchors() map[string]float64
}

// Compiled is a compiled model: Sum computes its z of a base state.
type Compiled interface {
	Sum(s game.State, p game.Player) float64
}

// Tracked is a Compiled that is updated along a line of play instead of computed afresh at each
// leaf: Sum is that of the position after Reset and the moves since, whatever s is. A search uses
// it by [Evaluator.Tracking]; an [Evaluator] resets it before every Sum.
type Tracked interface {
	Compiled
	Reset(s game.State)             // begin at s
	Push(s game.State, m game.Move) // s is the position before m is played
	Pop()
}

// ExtractView appends to x the features of the base state s in the set's View, and returns their
// sign for player 0 in games of one and of two with a constant sum: -1 where the view is the second
// player's.
func ExtractView(set Set, s game.State, x models.Vector) (_ models.Vector, sign float32) {
	view := set.View(s)
	x = set.Extract(s, view, x)
	if view > 0 {
		return x, -1
	}
	return x, 1
}

// ExtractFirst appends features in player 0's view: those of [ExtractView] times their sign.
func ExtractFirst(set Set, s game.State, x models.Vector) models.Vector {
	from := len(x)
	x, sign := ExtractView(set, s, x)
	if sign < 0 {
		Negate(x[from:])
	}
	return x
}

// Negate is the other player's view: every value with the opposite sign.
func Negate(x models.Vector) {
	for i := range x {
		x[i].Value = -x[i].Value
	}
}

// Feature is one term, written as a function of the position in the view of p.
type Feature struct {
	Name  string
	Value func(s game.State, p game.Player) float64
}

// With is set and more features, each a line; name is the new set's. Models of the two do not fit
// each other, but their terms travel by name. The new terms come after set's dense ones, before its
// tables.
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
	dense  int32 // of the set inside; its tables' features move up by more
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
		if v := f.Value(s, p); v != 0 {
			x = append(x, models.Term{Index: e.dense + int32(i), Value: float32(v)})
		}
	}
	return x
}
