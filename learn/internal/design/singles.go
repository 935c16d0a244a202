package design

import (
	"plyfit/internal/asm"
)

// A game of one row x has hess x x' for its part of the matrix: leaving it out moves the weights by
//
//	H^-1 x grad / (1 - hess x'H^-1 x)
//
// (Sherman and Morrison 1950), which takes columns squared where the factor of the rest
// takes their cube. H^-1 x is made of many games at a time.

// singlesAtOnce is how many.
const singlesAtOnce = 32

// singles are games of one row that wait.
type singles struct {
	block  []float64 // by fitted column: the games' values, and the column's row of H^-1
	stride int
	rows   []single
	moved  []float64 // by game, of stride - singlesAtOnce numbers: H^-1 x
}

type single struct {
	episode    uint64
	grad, hess float64
}

func newSingles(b *Bread) singles {
	k := len(b.Columns)
	wide := (k + asm.TileCols - 1) / asm.TileCols * asm.TileCols
	s := singles{stride: singlesAtOnce + wide, moved: make([]float64, singlesAtOnce*wide)}
	s.block = make([]float64, k*s.stride)
	for a := range k {
		copy(s.block[a*s.stride+singlesAtOnce:], b.Inverse[a*k:(a+1)*k])
	}
	return s
}

// add takes a game's row, whose column c is fitted as number at[c], and reports whether
// no more fit.
func (s *singles) add(at []int32, episode uint64, cols []int32, vals []float64, grad, hess float64) bool {
	n := len(s.rows)
	for k, c := range cols {
		if a := int(at[c]); a >= 0 {
			s.block[a*s.stride+n] += vals[k]
		}
	}
	s.rows = append(s.rows, single{episode, grad, hess})
	return n+1 == singlesAtOnce
}

// solve fills in what the matrix makes of the games.
func (s *singles) solve(columns int) {
	var acc [asm.TileRows * asm.TileCols]float64
	wide := s.stride - singlesAtOnce
	for i := 0; i < len(s.rows); i += asm.TileRows {
		for j := 0; j < wide; j += asm.TileCols {
			asm.Tile(&acc, s.block, s.stride, columns, i, singlesAtOnce+j)
			for a := range asm.TileRows {
				copy(s.moved[(i+a)*wide+j:][:asm.TileCols], acc[a*asm.TileCols:])
			}
		}
	}
}

func (s *singles) clear(columns int) {
	for a := range columns {
		clear(s.block[a*s.stride:][:singlesAtOnce])
	}
	s.rows = s.rows[:0]
}

// closeSingles adds what leaving out each of the games that wait would change. A row that
// alone says something of a weight leaves none behind: it goes the way of all games.
func (c *Clusters) closeSingles() {
	k, s := len(c.b.Columns), &c.singles
	s.solve(k)
	wide := s.stride - singlesAtOnce
	for n, row := range s.rows {
		moved, leverage := s.moved[n*wide:][:k], 0.0
		for a, v := range moved {
			leverage += float64(s.block[a*s.stride+n] * v)
		}
		rest := 1 - float64(row.hess*leverage)
		if !(rest > 1e-9) {
			last := lastRow{Episode: row.episode, Grad: row.grad, Hess: row.hess}
			for a, column := range c.b.Columns {
				last.Columns, last.Values = append(last.Columns, int32(column)), append(last.Values, s.block[a*s.stride+n])
			}
			c.alone(last)
			continue
		}
		c.count++
		size := row.grad / rest
		for a, v := range moved {
			if x := s.block[a*s.stride+n]; x != 0 {
				says := float64(float64(row.hess*x) * x)
				c.present[a]++
				c.weight[0][a] += says
				c.weight[1][a] += float64(says * says)
			}
			v *= size
			c.variance[a] += float64(v * v)
		}
	}
	s.clear(k)
}
