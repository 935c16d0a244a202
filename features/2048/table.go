package g2048

import (
	board "plyfit/game/2048"

	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/asm"
	"plyfit/models"
)

// rowTables are a model of line terms, computed for every row: the weighted sum of a row's terms,
// by row, for the lines on the rim and then for those inside.
type rowTables struct {
	worths *[2 << 16]float64
	score  float64
	bias   float64
	size   int
}

func (s *termSet) Compile(_ *game.Game, m *models.Linear) features.Compiled {
	t := &rowTables{worths: new([2 << 16]float64), score: m.Weights[0], bias: m.Bias, size: s.size}
	// The values that Extract gives, so that both agree to the rounding of sums.
	rows := s.measured()
	k := len(s.terms)
	for row := range 1 << (4 * s.size) {
		rim, inside := 0.0, 0.0
		for i, v := range rows[row*k : row*k+k] {
			product := float64(m.Weights[i+1] * float64(v))
			rim += product
			if !s.terms[i].rim {
				inside += product
			}
		}
		t.worths[row], t.worths[1<<16|row] = rim, inside
	}
	if s.size < 4 {
		return t
	}
	return &foresight{rowTables: t, moves: board.Rows()}
}

func (f *foresight) Sum(st game.State, _ game.Player) float64 {
	b := st.(*board.State)
	a := b.Board()
	return f.bias + float64(f.score*b.Score(0)) + (f.sum(a) + f.sum(asm.Transpose(a)))
}

// sum is the worth of four lines.
func (t *rowTables) sum(a uint64) float64 {
	return (t.worths[a&0xffff] + t.worths[a>>48]) + (t.worths[1<<16|a>>16&0xffff] + t.worths[1<<16|a>>32&0xffff])
}

// Sum implements [features.Compiled] on boards of fewer lines.
func (t *rowTables) Sum(st game.State, _ game.Player) float64 {
	b := st.(*board.State)
	a := b.Board()
	d := asm.Transpose(a)
	sum := t.bias + float64(t.score*b.Score(0))
	for i := range t.size {
		at := uint64(0)
		if i > 0 && i < t.size-1 {
			at = 1 << 16
		}
		sum += t.worths[at|a>>(16*i)&0xffff] + t.worths[at|d>>(16*i)&0xffff]
	}
	return sum
}
