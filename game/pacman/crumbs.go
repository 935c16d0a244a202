package pacman

import "math/bits"

// Crumbs tell how the food left lies.
type Crumbs struct {
	Tree    int // steps of the shortest tree of ways that joins all dots: no walk over them is shorter
	Islands int // groups of dots in which each lies beside another of the group
	Lonely  int // dots without another beside them
}

// remembered crumbs; a search visits many positions with the same food.
type remembered struct {
	food uint64 // hash; 0: none
	Crumbs
}

// recollection is a power of two.
const recollection = 64

// Crumbs are those of the present position. Dots that no way joins to the others
// count as islands, and not in the tree.
func (s *State) Crumbs() Crumbs {
	key := uint64(1)
	for _, w := range s.words {
		key = fold(key^w, 0xa0761d6478bd642f)
	}
	key |= 1
	if s.crumbs == nil {
		s.crumbs = make([]remembered, recollection)
		s.scratch = make([]crumb, len(s.foods))
	}
	slot := &s.crumbs[key>>32%recollection]
	if slot.food != key {
		*slot = remembered{key, s.survey()}
	}
	return slot.Crumbs
}

type crumb struct {
	cell     Cell
	distance int16
}

// survey grows the tree dot by dot (Prim 1957).
func (s *State) survey() (c Crumbs) {
	out := s.scratch[:0]
	for i, w := range s.words {
		for ; w != 0; w &= w - 1 {
			cell := Cell(64*i + bits.TrailingZeros64(w))
			out = append(out, crumb{cell, Apart})
			alone := true
			for _, to := range s.Neighbors(cell) {
				if to >= 0 && s.words[to>>6]&(1<<(to&63)) != 0 {
					alone = false
				}
			}
			if alone {
				c.Lonely++
			}
		}
	}
	if len(out) == 0 {
		return c
	}
	c.Islands = 1
	for last := len(out) - 1; last > 0; last-- {
		from := out[last].cell
		row := s.distance[int(from)*s.n : (int(from)+1)*s.n]
		next := 0
		for i := range out[:last] {
			d := min(out[i].distance, row[out[i].cell])
			out[i].distance = d
			if d < out[next].distance {
				next = i
			}
		}
		if d := out[next].distance; d > 1 {
			c.Islands++
			if d < Apart {
				c.Tree += int(d)
			}
		} else {
			c.Tree++
		}
		out[next], out[last-1] = out[last-1], out[next]
	}
	return c
}
