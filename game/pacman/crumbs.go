package pacman

import "math/bits"

// Crumbs describes the distribution of the remaining food.
type Crumbs struct {
	Tree     int // length of the minimum spanning tree of all dots, a lower bound for any path that visits them
	Islands  int // number of groups of adjacent dots
	Isolated int // number of dots without an adjacent dot
}

// cachedCrumbs is a cache entry. A search visits many positions with the same food.
type cachedCrumbs struct {
	food uint64 // hash of the food; 0 if the entry is empty
	Crumbs
}

// crumbSlots is the number of cache entries, a power of two.
const crumbSlots = 64

// Crumbs returns the distribution of the food in the current position. Dots that cannot be reached
// from other dots count as islands, but do not contribute to the tree.
func (s *State) Crumbs() Crumbs {
	key := uint64(1)
	for _, w := range s.words {
		key = fold(key^w, 0xa0761d6478bd642f)
	}
	key |= 1
	if s.crumbs == nil {
		s.crumbs = make([]cachedCrumbs, crumbSlots)
		s.scratch = make([]crumb, len(s.foods))
	}
	slot := &s.crumbs[key>>32%crumbSlots]
	if slot.food != key {
		*slot = cachedCrumbs{key, s.survey()}
	}
	return slot.Crumbs
}

type crumb struct {
	cell     Cell
	distance int16
}

// survey builds the minimum spanning tree by adding one dot at a time (Prim 1957).
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
				c.Isolated++
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
