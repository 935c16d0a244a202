package ask

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/study"
	"plyfit/study/evaluation"
)

// A board contains all positions of a small two-player game, with successors numbered first. A
// single pass over the positions is enough to compute the exact values, the choices of a planner of
// any depth, or the score of a match, for any slip.
type board struct {
	Subject *evaluation.Subject
	Eval    string    // digest of the evaluation, or "exact"
	X       []float64 // argument of the link at each position; see evaluation.Subject.Argument
	root    int32

	first []int32 // first[i] and first[i+1] are the start and the end of position i's successors in Next
	Next  []int32
	hash  []uint64
	mover []int8
	end   []int16 // grade of a finished game for player 0
	lo    []int16 // lower bound of the grade at the end of the game
	hi    []int16 // upper bound of the grade at the end of the game
	ply   []int8
	reach []float64 // probability that a random game reaches the position

	mu    sync.Mutex
	clean map[string][][]uint8 // policies of the undamaged evaluation by slip and depth
}

// solveBoard solves a game without chance moves. The user chooses the evaluation; by default, it
// consists of the exact values for slip 0.2.
func solveBoard(ctx context.Context, s *study.Session, spec string) (*board, error) {
	u, err := evaluation.LoadSubject(ctx, s, spec)
	if err != nil {
		return nil, err
	}
	if u.Base.Chancy() {
		return nil, fmt.Errorf("%s: the game has chance moves, but slips must be the only source of chance in this experiment; want a game without chance moves", u.Base.Spec)
	}
	b, err := solveGame(ctx, u)
	if err != nil {
		return nil, err
	}
	if err := u.Pool(ctx); err != nil || s.Over.Eval != "" {
		return b, err
	}
	b.Eval = "exact"
	at := make(map[uint64]int, len(b.hash))
	for i, v := range b.Values(0.2) {
		b.X[i] = elementary.Atanh(math.Max(-0.9999, math.Min(0.9999, v)))
		at[b.hash[i]] = i
	}
	for i := range u.Leaves {
		u.Leaves[i].X = b.X[at[u.Leaves[i].Hash]]
	}
	u.Rank()
	return b, nil
}

// CleanPolicies returns the policies of the undamaged evaluation.
func (g *board) CleanPolicies(ctx context.Context, slip float64, depth int) [][]uint8 {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := fmt.Sprint(slip, depth)
	if g.clean[key] == nil {
		g.clean[key] = g.Policies(ctx, g.Subject.Damaged(evaluation.Damage{}), slip, depth)
	}
	return g.clean[key]
}

const (
	mostPlies  = 120  // maximum length of a game, in plies, that can be solved
	mostStates = 20e6 // maximum number of positions that fit into the memory of a small machine
	underWay   = -2   // marks a position whose successors have not been numbered yet
)

// solveGame numbers all positions of the subject's game, which must not have chance moves.
func solveGame(ctx context.Context, u *evaluation.Subject) (*board, error) {
	g := &board{Subject: u, Eval: u.Digest, clean: map[string][][]uint8{}}
	known := map[uint64]int32{} // number by hash
	arg := u.Argument(u.Model)
	s := u.Base.New()
	bounds, bounded := game.As[game.Bounder](s)
	var moves []game.Move
	var pending []int32
	var fail error
	var visit func(ply int) int32
	visit = func(ply int) int32 {
		h := s.Hash()
		i, ok := known[h]
		switch {
		case fail != nil || ok && i != underWay:
			return i
		case ok:
			fail = fmt.Errorf("%s: positions can repeat, but this experiment solves games backwards from their ends; want a game without repetitions", u.Base.Spec)
		case len(g.hash)&0xffff == 0 && ctx.Err() != nil:
			fail = ctx.Err()
		case len(g.hash) > mostStates:
			fail = fmt.Errorf("%s: more than %.0f positions; want a smaller game", u.Base.Spec, float64(mostStates))
		case ply > mostPlies:
			fail = fmt.Errorf("%s: more than %d decisions; want a smaller game", u.Base.Spec, mostPlies)
		}
		if fail != nil {
			return 0
		}
		known[h] = underWay
		turn, from := s.Turn(), len(pending)
		end, x, lo, hi := 0, 0.0, -evaluation.Grades, evaluation.Grades
		if turn == game.Nobody {
			end = u.Terminal(s.Utility(0))
		} else {
			if bounded {
				low, high := bounds.Bounds(0)
				lo, hi = u.Terminal(low), u.Terminal(high)
			}
			x = arg.Of(s)
			low := len(moves)
			moves = s.Moves(moves)
			for k, high := low, len(moves); k < high; k++ {
				s.Play(moves[k])
				pending = append(pending, visit(ply+1))
				s.Undo()
			}
			moves = moves[:low]
		}
		i = int32(len(g.hash))
		g.first = append(g.first, int32(len(g.Next)))
		g.Next = append(g.Next, pending[from:]...)
		pending = pending[:from]
		g.hash, g.mover, g.end = append(g.hash, h), append(g.mover, int8(turn)), append(g.end, int16(end))
		g.X, g.ply = append(g.X, x), append(g.ply, int8(ply))
		g.lo, g.hi = append(g.lo, int16(lo)), append(g.hi, int16(hi))
		known[h] = i
		return i
	}
	if g.root = visit(0); fail != nil {
		return nil, fail
	}
	g.first = append(g.first, int32(len(g.Next)))
	g.reach = make([]float64, len(g.hash))
	g.reach[g.root] = 1
	for i := len(g.hash) - 1; i >= 0; i-- {
		moves := g.moves(i)
		for _, k := range moves {
			g.reach[k] += float64(g.reach[i] * (1 / float64(len(moves))))
		}
	}
	return g, nil
}

func (g *board) moves(i int) []int32 { return g.Next[g.first[i]:g.first[i+1]] }

// fold computes the values one decision earlier. Each is the value of the mover's best move, mixed
// with the mean of all moves; the weight of the mean is slip. Player 0 maximises if sign is 1 and
// minimises if it is -1.
func (g *board) fold(values, out []float64, slip float64, sign int) {
	for i := range out {
		moves := g.moves(i)
		if len(moves) == 0 {
			out[i] = values[i]
			continue
		}
		maximize := (g.mover[i] == 0) == (sign > 0)
		best := values[moves[0]]
		for _, k := range moves {
			if v := values[k]; maximize == (v > best) && v != best {
				best = v
			}
		}
		out[i] = slipped(best, values, moves, slip)
	}
}

// slipped returns the value of a move that may slip. It mixes the intended value with the mean; the
// weight of the mean is slip.
func slipped(intended float64, values []float64, moves []int32, slip float64) float64 {
	if slip == 0 {
		return intended
	}
	sum := 0.0
	for _, k := range moves {
		sum += values[k]
	}
	return float64((1-slip)*intended) + float64(slip*(sum/float64(len(moves))))
}

// Values returns the exact values of all positions for player 0, in half ranges of utility.
func (g *board) Values(slip float64) []float64 {
	v := make([]float64, len(g.hash))
	for i := range v {
		v[i] = float64(g.end[i]) / evaluation.Grades
	}
	// Successors come first, so folding in place yields perfect play.
	g.fold(v, v, slip, 1)
	return v
}

// Policies returns the choices of planners that search 1, 2, ..., depth decisions ahead and assume
// the given slip. Each consists of the index of the chosen move at every position.
func (g *board) Policies(ctx context.Context, l *evaluation.Damaged, slip float64, depth int) [][]uint8 {
	n := len(g.hash)
	out := make([][]uint8, depth)
	for d := range out {
		out[d] = make([]uint8, n)
	}
	now, next := make([]float64, n), make([]float64, n)
	for _, root := range []int8{0, 1} {
		sign := 1 - 2*int(root)
		for i := range now {
			if g.mover[i] == int8(game.Nobody) {
				now[i] = l.Terminal(int(g.end[i]), sign)
			} else {
				now[i] = l.Leaf(g.hash[i], 0, g.X[i], int(g.lo[i]), int(g.hi[i]), sign)
			}
		}
		for d := range depth {
			if ctx.Err() != nil {
				return out
			}
			near := 0.0
			if slip > 0 && d > 0 {
				near = 1e-12 // averages that differ by less are considered equal
			}
			for i := range n {
				if g.mover[i] == root {
					out[d][i] = firstOf(now, g.moves(i), near)
				}
			}
			if d < depth-1 {
				g.fold(now, next, slip, sign)
				now, next = next, now
			}
		}
	}
	return out
}

// firstOf returns the first move whose value is within near of the best value.
func firstOf(values []float64, moves []int32, near float64) uint8 {
	best := math.Inf(-1)
	for _, k := range moves {
		best = math.Max(best, values[k])
	}
	return uint8(slices.IndexFunc(moves, func(k int32) bool { return values[k] >= best-near }))
}

// Score returns the fraction of the points that a policy is expected to score against another
// policy, averaged over both seats.
func (g *board) Score(policy, other []uint8, slip float64) float64 {
	return (g.match(policy, other, slip) + 1 - g.match(other, policy, slip)) / 2
}

// match returns the fraction of the points that the first player is expected to score, over all
// openings of four decisions.
func (g *board) match(first, second []uint8, slip float64) float64 {
	v := make([]float64, len(g.hash))
	for i := range v {
		moves := g.moves(i)
		if len(moves) == 0 {
			v[i] = 0.5
			if g.end[i] != 0 {
				v[i] += math.Copysign(0.5, float64(g.end[i]))
			}
			continue
		}
		policy := first
		if g.mover[i] == 1 {
			policy = second
		}
		v[i] = slipped(v[moves[policy[i]]], v, moves, slip)
	}
	var sum, weight float64
	for i, p := range g.ply {
		if p == 4 && g.mover[i] >= 0 {
			sum += float64(g.reach[i] * v[i])
			weight += g.reach[i]
		}
	}
	return sum / weight
}
