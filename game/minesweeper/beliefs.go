package minesweeper

import (
	"plyfit/internal/elementary"
)

// Beliefs contains what can be inferred about the hidden cells.
type Beliefs struct {
	Mine     []float64 // probability of a mine in each cell; 0 for a number
	Frontier []bool    // whether each cell is hidden and next to a number
	Groups   int       // number of groups of frontier cells that are connected by numbers
	Layouts  float64   // number of layouts consistent with the shown cells
	// Guesses is the sum over the groups of -ln(1-p), where p is the lowest probability of a mine
	// in the group. It is the cost of opening one cell in each group. Groups that consist only of
	// mines cost nothing.
	Guesses float64
	hash    uint64
}

// Beliefs returns the beliefs in the current position. They are valid until Beliefs is called in
// another position, and must not be modified.
func (s *State) Beliefs() *Beliefs {
	h := s.hash
	if s.belief == nil {
		s.belief = &Beliefs{Mine: make([]float64, s.cells), Frontier: make([]bool, s.cells)}
	} else if s.belief.hash == h {
		return s.belief
	}
	s.count.believe(s, s.belief)
	s.belief.hash = h
	return s.belief
}

// believe computes the expected number of mines in each box with a backward sweep of the box's
// group. The weight of a final state is the number of layouts of the rest of the board that are
// consistent with the state's number of mines.
func (c *counter) believe(s *State, b *Beliefs) {
	c.build(s, -1, -1, false)
	b.Layouts, b.Groups, b.Guesses = c.total(0), len(c.groups), 0
	for i := range c.groups {
		g := &c.groups[i]
		c.back(g, c.joined(i, 0), b.Layouts)
		least := 1.0
		for _, k := range c.order[g.first:g.last] {
			least = min(least, c.boxes[k].expect/float64(c.boxes[k].size))
		}
		if least < 1-1e-9 {
			b.Guesses -= elementary.Log1p(-least)
		}
	}
	// Cells outside the groups share the remaining mines.
	outside := 0.0
	if c.outside > 0 {
		for mines, ways := range c.joined(-1, 0) {
			outside += float64(ways * c.r.choose(c.outside-1, c.mines-mines-1))
		}
		outside /= b.Layouts
	}
	for cell, shows := range s.shown {
		i := c.boxOf[cell]
		b.Frontier[cell] = shows == Hidden && i >= 0
		switch {
		case shows == Mine:
			b.Mine[cell] = 1
		case shows != Hidden:
			b.Mine[cell] = 0
		case i < 0:
			b.Mine[cell] = outside
		default:
			b.Mine[cell] = min(c.boxes[i].expect/float64(c.boxes[i].size), 1)
		}
	}
}

func (c *counter) back(g *group, rest []float64, layouts float64) {
	n := g.last - g.first
	for i := g.begins[n]; i < g.begins[n+1]; i++ {
		at := &c.states[i]
		at.back = 0
		for mines, ways := range rest {
			at.back += float64(ways * c.r.choose(c.outside, c.mines-mines-int(at.mines)))
		}
	}
	for k := n - 1; k >= 0; k-- {
		b := &c.boxes[c.order[g.first+k]]
		b.expect = 0
		for i := g.begins[k]; i < g.begins[k+1]; i++ {
			c.states[i].back = 0
		}
		for _, t := range c.steps[g.trans[k]:g.trans[k+1]] {
			w := float64(c.r.choose(int(b.size), int(t.mines)) * c.states[t.to].back)
			c.states[t.from].back += w
			b.expect += float64(float64(t.mines) * w * c.states[t.from].ways)
		}
		b.expect /= layouts
	}
}
