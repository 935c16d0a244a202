package exact

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"plyfit/internal/elementary"
	"plyfit/study"
	"plyfit/study/damage"
)

// calibratedAt is the slip whose exact values are the calibrated base.
const calibratedAt = 0.2

// Board is a solved game with what its cells share.
type Board struct {
	*Solved
	X        map[string][]float64       // x at each position, by base
	Subjects map[string]*damage.Subject // with the leaves' x of the base

	mu    sync.Mutex
	exact map[float64][]float64
	clean map[string][][]uint8
}

// SolveBoard solves the game, and puts two evaluations on it: the exact value with
// slip .2, and the linear one of the subject.
func SolveBoard(ctx context.Context, s *study.Session, spec string) (*Board, error) {
	u, err := damage.LoadSubject(ctx, s, spec)
	if err != nil {
		return nil, err
	}
	if u.Base.Chancy() {
		return nil, fmt.Errorf("%s: nature moves in it, and the only chance on these boards are slips: want a game without chance of its own", u.Base.Spec)
	}
	g, err := Solve(ctx, u)
	if err != nil {
		return nil, err
	}
	if err := u.Pool(); err != nil {
		return nil, err
	}
	b := &Board{Solved: g, X: map[string][]float64{LinearBase: g.x}, Subjects: map[string]*damage.Subject{LinearBase: u}, exact: map[float64][]float64{}, clean: map[string][][]uint8{}}
	calibrated := make([]float64, g.Len())
	for i, v := range b.ExactValues(calibratedAt) {
		calibrated[i] = elementary.Atanh(math.Max(-0.9999, math.Min(0.9999, v)))
	}
	b.X[ExactBase] = calibrated
	at := make(map[uint64]int, len(u.Leaves))
	for i := range u.Leaves {
		at[u.Leaves[i].Hash] = -1
	}
	for i, h := range g.hash {
		if _, wanted := at[h]; wanted {
			at[h] = i
		}
	}
	exact := *u
	exact.Leaves = slices.Clone(u.Leaves)
	for i := range exact.Leaves {
		l := &exact.Leaves[i]
		l.X = calibrated[at[l.Hash]]
	}
	exact.Rank()
	b.Subjects[ExactBase] = &exact
	return b, nil
}

// ExactValues are those of perfect play with slip, worked out once.
func (b *Board) ExactValues(slip float64) []float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.exact[slip] == nil {
		b.exact[slip] = b.Solved.Values(slip)
	}
	return b.exact[slip]
}

// CleanPolicies are those of the undamaged evaluation.
func (b *Board) CleanPolicies(base string, slip float64, depth int) [][]uint8 {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := fmt.Sprint(base, slip, depth)
	if b.clean[key] == nil {
		b.clean[key] = b.Policies(b.Sub.Damaged(damage.Damage{}), b.X[base], slip, depth)
	}
	return b.clean[key]
}

// SmallBoard is connect four that is solved in seconds.
const SmallBoard = "connect4:columns=5,rows=4"

// bases of the evaluation on the solved board.
const (
	ExactBase  = "exact"
	LinearBase = "linear"
)
