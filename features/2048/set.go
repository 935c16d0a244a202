// Package g2048 says what is good in 2048.
//
// The journey: a term of [Sets]' first set is a sum over the board's rows and
// columns of something that only that row or column has to do with (line.go);
// so a table of all 65,536 rows holds a model whole, and judging a position
// costs eight look-ups (table.go). The score is a term of its own, so that what
// is learned is what is still to come.
package g2048

import (
	"sync"

	board "plyfit/game/2048"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// Sets are the feature sets of 2048, the default first: 2048/lines, and
// 2048/basic, score and empty cells alone.
func Sets(g *game.Game) []features.Set {
	size := g.New().(*board.State).Size()
	return []features.Set{newSet("2048/lines", size, lineTerms), newSet("2048/basic", size, lineTerms[:1])}
}

// Set is the score and sums over lines. Its terms are the same for all sizes.
type Set struct {
	name  string
	size  int
	terms []term

	once sync.Once
	// rows holds the terms of every row, one after the other: those of row r
	// from r*len(terms). Made when the first position is extracted.
	rows []float32
}

var _ features.Compiler = (*Set)(nil)

func newSet(name string, size int, terms []term) *Set {
	return &Set{name: name, size: size, terms: terms}
}

// Name implements [features.Set].
func (s *Set) Name() string { return s.name }

// Blocks implements [features.Set]: score, then the terms of the lines.
func (s *Set) Blocks() []features.Block {
	blocks := []features.Block{{Name: "score", Len: 1}}
	for _, t := range s.terms {
		blocks = append(blocks, features.Block{Name: t.name, Len: 1})
	}
	return blocks
}

// View implements [features.Set]: there is only one player.
func (s *Set) View(game.State) game.Player { return 0 }

// Extract implements [features.Set].
func (s *Set) Extract(st game.State, _ game.Player, x models.Vector) models.Vector {
	s.once.Do(s.measure)
	b := st.(*board.State)
	k := len(s.terms)
	x = append(x, models.Term{Index: 0, Value: float32(b.Score(0))})
	from := len(x)
	for i := range k {
		x = append(x, models.Term{Index: int32(i + 1)})
	}
	sums := x[from:]
	across := b.Board()
	down := board.Transpose(across)
	for i := range s.size {
		inside := i > 0 && i < s.size-1
		for _, row := range [2]uint16{uint16(across >> (16 * i)), uint16(down >> (16 * i))} {
			for j, v := range s.rows[int(row)*k : int(row)*k+k] {
				if !inside || !s.terms[j].rim {
					sums[j].Value += v
				}
			}
		}
	}
	kept := x[:from]
	for _, t := range sums {
		if t.Value != 0 {
			kept = append(kept, t)
		}
	}
	return kept
}

// each calls f with every row of a board of this size.
func (s *Set) each(f func(row int, l *line)) {
	for row := range 1 << (4 * s.size) {
		l := &line{n: s.size}
		for i := range s.size {
			l.cells[i] = row >> (4 * i) & 15
		}
		f(row, l)
	}
}

func (s *Set) measure() {
	k := len(s.terms)
	s.rows = make([]float32, k<<(4*s.size))
	s.each(func(row int, l *line) {
		for i, t := range s.terms {
			s.rows[row*k+i] = float32(t.of(l))
		}
	})
}
