package connect4

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"plyfit/game"
)

// Two solvers that share a table find what one does, and each visits little more than
// half as many positions: at most .6 of them, where it is .63 without marks. They go on
// in step, a few positions at a time, so that what else the machine does is no part of it.
func TestSolversShare(t *testing.T) {
	const step = 32
	g := make4(t, "connect4:score=distance")
	s, err := g.Parse("44453262")
	if err != nil {
		t.Fatal(err)
	}
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
