package features

import (
	"plyfit/game"
	"plyfit/models"
)

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
