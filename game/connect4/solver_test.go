package connect4

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

// TestSolver compares the solver with plain minimax in open and null windows, for both players, and
// with small and shared tables. It also checks that the moves of Line lead to a position with the
// same value.
func TestSolver(t *testing.T) {
	x, lines := uint64(5), 0
	visits := func(int64) int64 { return 1 << 40 }
	for _, text := range []string{"connect4", "connect4:score=distance", "connect4:columns=5,rows=4,score=distance", "connect4:columns=4,rows=4", "connect4:columns=5,rows=5"} {
		g := gametest.New(t, New, text)
		solver := Of(g.New()).NewSolver(1)
		other := Of(g.New()).NewSolver(1).Fork(3)
		for i := range 130 {
			s := g.New()
			b := Of(s)
			for empty := 1 + i%13; b.ply < b.cells-empty && s.Turn() != game.Nobody; {
				moves := s.Moves(nil)
				x = game.Mix(x)
				s.Play(moves[x%uint64(len(moves))])
			}
			if s.Turn() == game.Nobody {
				continue
			}
			left, plain := b.cells-b.ply, minimax{}
			for p := range game.Player(2) {
				want := plain.worth(s, p)
				for _, c := range []game.Solver{solver, other} {
					c.Bind(s)
					v, n, ok := c.Solve(p, left, g.Min, g.Max, visits)
					if !ok || v != want || n != left {
						t.Fatalf("%s %v: %v for %d, %d moves left, %v; want %v and %d", text, s, v, p, n, ok, want, left)
					}
					for alpha := g.Min; alpha < g.Max; alpha++ {
						v, _, _ := c.Solve(p, left, alpha, alpha+1, visits)
						if want > alpha && !(v > alpha && v <= want) || want <= alpha && !(v <= alpha && v >= want) {
							t.Fatalf("%s %v: %v above %v, want a bound of %v", text, s, v, alpha, want)
						}
					}
					if _, _, ok := c.Solve(p, left-1, g.Min, g.Max, visits); ok {
						t.Fatalf("%s %v: solved in less than %d moves", text, s, left)
					}
					line := c.Line(nil, p, want)
					for _, m := range line {
						s.Play(m)
						lines++
					}
					if got := plain.worth(s, p); len(line) > 0 && got != want {
						t.Fatalf("%s %v: the line's end is worth %v, want %v", text, s, got, want)
					}
					for range line {
						s.Undo()
					}
				}
			}
		}
	}
	if lines < 400 {
		t.Errorf("%d moves of lines: too few to tell", lines)
	}
}

// minimax contains the mover's value in each position, indexed by the stones of both players.
type minimax map[[2]uint64]float64

// worth returns p's result at s under best play, computed by memoised minimax.
func (known minimax) worth(s game.State, p game.Player) float64 {
	if s.Turn() == game.Nobody {
		return s.Utility(p)
	}
	mover := s.Turn()
	first, second := Of(s).Stones()
	best, ok := known[[2]uint64{first, second}]
	if !ok {
		best = math.Inf(-1)
		for _, m := range s.Moves(nil) {
			s.Play(m)
			best = max(best, known.worth(s, mover))
			s.Undo()
		}
		known[[2]uint64{first, second}] = best
	}
	if mover != p {
		return -best
	}
	return best
}

// TestSolverStops checks that the callback can stop a solver and that Solve then returns no value.
func TestSolverStops(t *testing.T) {
	s := gametest.New(t, New, "connect4:score=distance").New()
	solver := Of(s).NewSolver(1)
	solver.Bind(s)
	visited, asked := int64(0), 0
	_, _, ok := solver.Solve(0, 42, -18, 18, func(n int64) int64 {
		visited += n
		if asked++; asked > 3 {
			return 0
		}
		return 1000
	})
	if ok || visited < 3000 || visited > 4000 {
		t.Errorf("ok: %v after %d positions, want a stop after 3000", ok, visited)
	}
}

// TestSolversShare checks that two solvers with a shared table find the same value, and that the
// one that finishes first visits at most 60% as many positions as a single solver (63% without
// marks). They proceed in lockstep, a few positions at a time, so that the machine's load has no
// influence.
func TestSolversShare(t *testing.T) {
	const step = 32
	g := gametest.New(t, New, "connect4:score=distance")
	s := vectors.Must(g.Parse("44453262"))
	p, depth := s.Turn(), g.MaxPlies
	one := Of(s).NewSolver(16)
	one.Bind(s)
	alone := int64(0)
	want, _, ok := one.Solve(p, depth, g.Min, g.Max, func(n int64) int64 {
		alone += n
		return 1 << 40
	})
	if !ok {
		t.Fatal("not solved")
	}
	first := Of(s).NewSolver(16)
	solvers := [2]game.Solver{first, first.Fork(1)}
	var (
		visited [2]atomic.Int64
		over    [2]atomic.Bool
		wait    sync.WaitGroup
	)
	for i, c := range solvers {
		c.Bind(s.Clone())
		wait.Add(1)
		go func() {
			defer wait.Done()
			defer over[i].Store(true)
			got, _, ok := c.Solve(p, depth, g.Min, g.Max, func(n int64) int64 {
				visited[i].Add(n)
				for !over[1-i].Load() && visited[i].Load() > visited[1-i].Load()+step {
					runtime.Gosched()
				}
				return step
			})
			if !ok || got != want {
				t.Errorf("solver %d: %v, %v; alone it is %v", i, got, ok, want)
			}
		}()
	}
	wait.Wait()
	if sooner := min(visited[0].Load(), visited[1].Load()); float64(sooner) > .6*float64(alone) {
		t.Errorf("the sooner of two visited %d positions, one alone %d", sooner, alone)
	}
}
