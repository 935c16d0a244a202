package exact

import (
	"context"

	"plyfit/game"
	g2048 "plyfit/game/2048"
)

// PerfectValue is perfect knowledge of a small board, for any planner.
type PerfectValue struct {
	*grid
	togo map[uint64]float64 // after a move
}

func (e *PerfectValue) width() int                         { return perfect2048 }
func (e *PerfectValue) player(steps []step, row []float64) { solvePlayer(steps, row, nil) }
func (e *PerfectValue) after(b uint64, k []child, row []float64) {
	solveAfter(k, row, perfect2048)
	e.togo[b] = row[expected2048]
}

// Evaluate implements [search.Evaluator], after a move.
func (e *PerfectValue) Evaluate(s game.State, _ game.Player) float64 {
	st := s.(*g2048.State)
	return st.Score(0) + float64(grained(e.togo[e.least(st.Board())]))
}

func (b *Tiles) Exactly(ctx context.Context) (*PerfectValue, error) {
	t, err := b.all()
	if err != nil {
		return nil, err
	}
	e := &PerfectValue{b.Grid, map[uint64]float64{}}
	_, err = t.sweep(ctx, e)
	return e, err
}
