// Package g2048 provides the feature sets of 2048.
//
// A term of the default set is a sum over the rows and columns of the board. Each summand depends
// on only one row or column (line.go). Two tables of all 65,536 rows, for outer and inner lines,
// can therefore represent a whole model, and evaluating a position takes eight lookups. Other sets
// use tables of tuples of cells, for learning with millions of weights (tuples.go). The score is a
// separate term, so that the other terms learn the points still to come.
package g2048

import (
	"sync"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/2048"
	"plyfit/internal/asm"
	"plyfit/models"
)

// sets returns the feature sets of 2048, beginning with the default, 2048/lines. The set 2048/basic
// contains only the score and the number of empty cells. For 4x4 boards, sets also returns 2048/4x6
// and 2048/4x5, which consist of tables.
func sets(g *game.Game) []features.Set {
	size := game.Base(g.New()).(*board.State).Size()
	sets := []features.Set{
		newTermSet("2048/lines", size, lineTerms, &lineRows[size]),
		newTermSet("2048/basic", size, lineTerms[:1], &basicRows[size]),
	}
	if size == 4 {
		sets = append(sets, newTuples(), newFives())
	}
	return sets
}

// termSet contains the score and sums over lines. Its terms are the same for all board sizes.
type termSet struct {
	features.Documented
	size  int
	terms []term
	rows  *rows
}

func newTermSet(name string, size int, terms []term, rows *rows) *termSet {
	s := &termSet{size: size, terms: terms, rows: rows}
	list := []features.Term[*board.State]{{Name: "score", Doc: "current score, with weight 1 in a model that predicts the final score"}}
	for _, t := range terms {
		list = append(list, features.Term[*board.State]{Name: t.name, Doc: t.doc})
	}
	s.Documented = features.Terms[*board.State]{
		Name:    name,
		Prepare: func(b **board.State, st game.State, _ game.Player) { *b = st.(*board.State) },
		Append:  func(b **board.State, x models.Vector) models.Vector { return s.append(*b, x) },
		List:    list,
	}.Set().(features.Documented)
	return s
}

// rows contains the terms of every possible row, in order. With k terms, row r begins at r*k. The
// rows for a board size are computed on first use.
type rows struct {
	once   sync.Once
	values []float32
}

var lineRows, basicRows [5]rows // rows for each board size

var _ features.Compiler = (*termSet)(nil)

func (s *termSet) append(b *board.State, x models.Vector) models.Vector {
	rows := s.measured()
	k := len(s.terms)
	x = append(x, models.Term{Index: 0, Value: float32(b.Score(0))})
	from := len(x)
	for i := range k {
		x = append(x, models.Term{Index: int32(i + 1)})
	}
	sums := x[from:]
	across := b.Board()
	down := asm.Transpose(across)
	for i := range s.size {
		inside := i > 0 && i < s.size-1
		for _, row := range [2]uint16{uint16(across >> (16 * i)), uint16(down >> (16 * i))} {
			for j, v := range rows[int(row)*k : int(row)*k+k] {
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

// measured returns the terms of all possible rows.
func (s *termSet) measured() []float32 {
	s.rows.once.Do(func() {
		k := len(s.terms)
		values := make([]float32, k<<(4*s.size))
		l := &line{n: s.size}
		for row := range 1 << (4 * s.size) {
			for i := range s.size {
				l.cells[i] = row >> (4 * i) & 15
			}
			for i, t := range s.terms {
				values[row*k+i] = float32(t.of(l))
			}
		}
		s.rows.values = values
	})
	return s.rows.values
}

// Profile describes the game to the catalog.
var Profile = features.Profile{
	Sets:  sets,
	Depth: 2,
	Goal:  func(s game.State) bool { return s.(*board.State).Largest() >= 11 },
	Recipe: features.Recipe{
		Minutes:  2,
		Why:      "five-cell tables score two to three times as many points as line terms",
		Training: []features.Training{{Set: "2048/4x5", Episodes: 12000, Alpha: 1, Lambda: 0.5, TC: true}},
		Long:     []features.Training{{Set: "2048/4x6", Episodes: 100000, Alpha: 1, Lambda: 0.5, TC: true}},
		Rounds:   8, Episodes: 1000, First: "random", Planner: "expectimax:depth=1",
		Method: "lstd", Lambda: 0.5, Penalty: 0.01, Leaves: models.Afterstate, Frozen: map[string]float64{"score": 1},
		Pairs: 200, TwinPairs: 100, Nature: "alphabeta:depth=2",
	},
}
