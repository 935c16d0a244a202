package features

import (
	"fmt"

	"plyfit/game"
	"plyfit/models"
)

// Feature is one term, written as a function of the position in the view of p.
type Feature struct {
	Name  string
	Value func(s game.State, p game.Player) float64
}

// With is set and more features, each a line; name is the new set's. Models of
// the two do not fit each other, but their terms travel by name. The new terms
// stand after the dense ones of set, before its tables.
func With(name string, set Set, more ...Feature) Set {
	blocks := make([]Block, len(more))
	for i, f := range more {
		blocks[i] = Block{Name: f.Name, Len: 1}
	}
	return extend(name, set, blocks, func(s game.State, p game.Player, x models.Vector, from int, first int32) models.Vector {
		for i, f := range more {
			if v := f.Value(s, p); v != 0 {
				x = append(x, models.Term{Index: first + int32(i), Value: float32(v)})
			}
		}
		return x
	})
}

// Products is set and products of its terms, by name; the product of a and b is
// the term a*b, and a*a its square. The new set's name is name. It is an error
// to name a term that set does not have, or that stands in a table.
func Products(name string, set Set, pairs ...[2]string) (Set, error) {
	index := map[string]int{}
	for _, b := range set.Blocks() {
		for i := 0; i < b.Len && !b.Table; i++ {
			index[b.FeatureName(i)] = len(index)
		}
	}
	// The factors that occur are numbered, so that a few values on the stack
	// hold all that the products need.
	number := make([]int32, len(index)) // 0: no factor
	factors := int32(0)
	blocks := make([]Block, len(pairs))
	products := make([][2]int32, len(pairs))
	for i, pair := range pairs {
		for k, term := range pair {
			at, ok := index[term]
			if !ok {
				return nil, fmt.Errorf("product %s*%s: want terms of %s%s, found %q", pair[0], pair[1], set.Name(), similar(term, index), term)
			}
			if number[at] == 0 {
				factors++
				number[at] = factors
			}
			products[i][k] = number[at]
		}
		blocks[i] = Block{Name: pair[0] + "*" + pair[1], Len: 1}
	}
	return extend(name, set, blocks, func(_ game.State, _ game.Player, x models.Vector, from int, first int32) models.Vector {
		var stack [64]float32
		values := stack[:]
		if int(factors) >= len(stack) {
			values = make([]float32, factors+1)
		}
		for _, t := range x[from:] {
			if int(t.Index) < len(number) {
				values[number[t.Index]] += t.Value
			}
		}
		for i, f := range products {
			if v := values[f[0]] * values[f[1]]; v != 0 {
				x = append(x, models.Term{Index: first + int32(i), Value: v})
			}
		}
		return x
	}), nil
}

// extended is a set with more dense features.
type extended struct {
	Set
	name   string
	blocks []Block
	dense  int32 // of the set inside; its tables' features move up by more
	more   int32
	add    addition
}

// addition appends the new features, from index first on, to x, in which those
// of the set inside begin at from.
type addition func(s game.State, p game.Player, x models.Vector, from int, first int32) models.Vector

func extend(name string, set Set, more []Block, add addition) Set {
	e := &extended{Set: set, name: name, more: int32(len(more)), add: add}
	inside := set.Blocks()
	k := 0
	for ; k < len(inside) && !inside[k].Table; k++ {
		e.dense += int32(inside[k].Len)
	}
	e.blocks = append(append(append(e.blocks, inside[:k]...), more...), inside[k:]...)
	return e
}

func (e *extended) Name() string    { return e.name }
func (e *extended) Blocks() []Block { return e.blocks }

func (e *extended) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	from := len(x)
	x = e.Set.Extract(s, p, x)
	end := len(x)
	x = e.add(s, p, x, from, e.dense)
	for i := from; i < end; i++ {
		if x[i].Index >= e.dense {
			x[i].Index += e.more
		}
	}
	return x
}
