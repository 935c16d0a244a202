package g2048

import (
	board "plyfit/game/2048"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// rowTables are a model of line terms, computed for every row: the weighted sum of
// a row's terms, by row, for the lines on the rim and for those inside.
type rowTables struct {
	rim, inside []float64
	score       float64
	bias        float64
}

var _ features.Compiled = (*rowTables)(nil)

// Compile implements [features.Compiler].
func (s *termSet) Compile(_ *game.Game, m *models.Linear) features.Compiled {
	t := &rowTables{rim: make([]float64, 1<<16), inside: make([]float64, 1<<16), score: m.Weights[0], bias: m.Bias}
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
		t.rim[row], t.inside[row] = rim, inside
	}
	if s.size < 4 {
		return &smallTable{t, s.size}
	}
	return t
}

// Sum implements [features.Compiled].
func (t *rowTables) Sum(st game.State, _ game.Player) float64 {
	b := st.(*board.State)
	a := b.Board()
	d := board.Transpose(a)
	rim, inside := (*[1 << 16]float64)(t.rim), (*[1 << 16]float64)(t.inside)
	rows := (rim[uint16(a)] + rim[uint16(a>>48)]) + (inside[uint16(a>>16)] + inside[uint16(a>>32)])
	columns := (rim[uint16(d)] + rim[uint16(d>>48)]) + (inside[uint16(d>>16)] + inside[uint16(d>>32)])
	return t.bias + float64(t.score*b.Score(0)) + (rows + columns)
}

// smallTable is rowTables for boards of fewer lines.
type smallTable struct {
	table *rowTables // not embedded: it foresees boards of four lines only
	size  int
}

// Sum implements [features.Compiled].
func (t *smallTable) Sum(st game.State, _ game.Player) float64 {
	b := st.(*board.State)
	a := b.Board()
	d := board.Transpose(a)
	sum := t.table.bias + float64(t.table.score*b.Score(0))
	for i := range t.size {
		rows := t.table.rim
		if i > 0 && i < t.size-1 {
			rows = t.table.inside
		}
		sum += rows[uint16(a>>(16*i))] + rows[uint16(d>>(16*i))]
	}
	return sum
}
