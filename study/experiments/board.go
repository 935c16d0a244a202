package experiments

import (
	"context"
	"fmt"
	"math"
	"sync"

	"plyfit/internal/elementary"
	"plyfit/study"
	"plyfit/study/damage"
)

// calibratedAt is the slip whose exact values are the calibrated base.
const calibratedAt = 0.2

// board is a solved game with what its cells share.
type board struct {
	*solution
	Base    string          // its evaluation: exactBase or linearBase
	X       []float64       // what that says of each position, as damage.Argument has it
	Subject *damage.Subject // with the leaves' x

	mu    sync.Mutex
	clean map[string][][]uint8
}

// solveBoard solves the game, with the user's evaluation or the exact value with slip .2.
func solveBoard(ctx context.Context, s *study.Session, spec string) (*board, error) {
	u, err := damage.LoadSubject(ctx, s, spec)
	if err != nil {
		return nil, err
	}
	if u.Base.Chancy() {
		return nil, fmt.Errorf("%s: nature moves in it, and the only chance on these boards are slips: want a game without chance of its own", u.Base.Spec)
	}
	g, err := solveGame(ctx, u)
	if err != nil {
		return nil, err
	}
	if err := u.Pool(); err != nil {
		return nil, err
	}
	b := &board{solution: g, Base: linearBase, X: g.x, Subject: u, clean: map[string][][]uint8{}}
	if s.Over.Eval != "" {
		return b, nil
	}
	b.Base, b.X = exactBase, make([]float64, g.Len())
	for i, v := range b.Values(calibratedAt) {
		b.X[i] = elementary.Atanh(math.Max(-0.9999, math.Min(0.9999, v)))
	}
	at := make(map[uint64]int, len(u.Leaves))
	for i := range u.Leaves {
		at[u.Leaves[i].Hash] = -1
	}
	for i, h := range g.hash {
		if _, wanted := at[h]; wanted {
			at[h] = i
		}
	}
	for i := range u.Leaves {
		u.Leaves[i].X = b.X[at[u.Leaves[i].Hash]]
	}
	u.Rank()
	return b, nil
}

// CleanPolicies are those of the undamaged evaluation.
func (b *board) CleanPolicies(slip float64, depth int) [][]uint8 {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := fmt.Sprint(slip, depth)
	if b.clean[key] == nil {
		b.clean[key] = b.Policies(b.Sub.Damaged(damage.Damage{}), b.X, slip, depth)
	}
	return b.clean[key]
}

// smallBoard is connect four that is solved in seconds.
const smallBoard = "connect4:columns=5,rows=4"

// What the evaluation on a solved board is.
const (
	exactBase  = "exact"
	linearBase = "linear"
)
