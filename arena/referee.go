package arena

import (
	"context"
	"io"

	"plyfit/game"
)

// Referee plays pairs of a game that may be anyone's: a program with rules of its own. One goroutine
// uses it at a time.
type Referee interface {
	// Pair plays two games of A and B, who change seats, and returns A's points in each: 1, 1/2 or
	// 0. The same seed, from 0 to 2^31-1, gives the same games.
	Pair(ctx context.Context, seed uint64) (points [2]float64, err error)
	io.Closer
}

// refereed is the layout of a referee's pairs.
var refereed = layout{
	mode: Duel, shape: game.Shape{Players: 2, Min: -1, Max: 1, Sum: game.Zero}, seats: [][]int{{sideA, sideB}, {sideB, sideA}},
	loss: -1, win: 1, least: -1, most: 1,
}

// refereed plays a pair by the referee. Its games count as different, since they differ by seed.
func (w *worker) refereed(ctx context.Context, k int) (PairRecord, error) {
	if w.referee == nil {
		var err error
		if w.referee, err = w.m.cfg.Referee(); err != nil {
			return PairRecord{}, err
		}
	}
	seed := game.Seed(w.m.cfg.Seed, uint64(k), streamReferee)
	r := PairRecord{Pair: k, From: Hash(seed)}
	points, err := w.referee.Pair(ctx, seed>>33)
	if err != nil {
		return r, err
	}
	for i, seats := range w.m.layout.seats {
		utility := make([]float64, len(seats))
		for p, side := range seats {
			utility[p] = (float64(2*points[i]) - 1) * float64(1-2*side)
		}
		r.Games = append(r.Games, GameRecord{Seats: seats, Utility: utility, Luck: 1, Hash: Hash(game.Seed(seed, uint64(i)))})
	}
	return r, nil
}
