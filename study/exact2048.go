package study

import (
	"context"

	"plyfit/game"
	g2048 "plyfit/game/2048"
)

// exactly2048 is perfect knowledge of a small board, for any planner.
type exactly2048 struct {
	*grid
	togo map[uint64]float64 // after a move
}

func (e *exactly2048) width() int                         { return perfect2048 }
func (e *exactly2048) player(steps []step, row []float64) { solvePlayer(steps, row, nil) }
func (e *exactly2048) after(b uint64, k []kid, row []float64) {
	solveAfter(k, row, perfect2048)
	e.togo[b] = row[expected2048]
}

// Evaluate implements [search.Evaluator], after a move.
func (e *exactly2048) Evaluate(s game.State, _ game.Player) float64 {
	st := s.(*g2048.State)
	return st.Score(0) + grained(e.togo[e.least(st.Board())])
}

func (b *tilesBoard) exactly(ctx context.Context) (*exactly2048, error) {
	t, err := b.all()
	if err != nil {
		return nil, err
	}
	e := &exactly2048{b.grid, map[uint64]float64{}}
	_, err = t.sweep(ctx, e)
	return e, err
}
