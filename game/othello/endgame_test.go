package othello

import (
	"math"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
)

// best returns the mover's utility under best play, found by searching all moves.
func best(s *State) float64 {
	me := s.Turn()
	if me == game.Nobody {
		return s.Utility(s.mover())
	}
	v := math.Inf(-1)
	for _, m := range s.Moves(nil) {
		s.Play(m)
		u := best(s)
		if s.mover() != me {
			u = -u
		}
		v = max(v, u)
		s.Undo()
	}
	return v
}

func TestSolve(t *testing.T) {
	rng := uint64(11)
	tried := 0
	for i, text := range endgames(t) {
		s := vectors.Must(parsePosition(text))
		for s.Turn() != game.Nobody {
			// A full search takes a long time with many empty squares, so use fewer of these
			// positions.
			if n := s.Empties(); n <= 6 || n <= 8 && i%8 == 0 || n <= solved && i%40 == 0 {
				p := s.mover()
				want := best(s.Clone().(*State))
				tried++
				for _, alpha := range []float64{math.Inf(-1), want - 1, want, want + 0.5, math.Nextafter(want, -100), -10, 63} {
					for _, beta := range []float64{math.Inf(1), math.Nextafter(alpha, 100), alpha + 2} {
						if !(alpha < beta) {
							continue
						}
						v, nodes, ok := s.Solve(p, 60, alpha, beta)
						good := v == want || v <= alpha && want <= v || v >= beta && want >= v
						if !ok || nodes == 0 || !good {
							t.Fatalf("%s in (%v, %v): %v, %v; want %v", s, alpha, beta, v, ok, want)
						}
						if u, _, _ := s.Solve(1-p, 60, -beta, -alpha); u != -v {
							t.Fatalf("%s in (%v, %v): %v for the mover, %v for the other", s, alpha, beta, v, u)
						}
					}
				}
				if _, _, ok := s.Solve(p, 2*n-1, -64, 64); ok && n > 0 {
					t.Fatalf("%s: solved within %d moves, which may not be the end", s, 2*n-1)
				}
			} else if n > solved {
				if _, _, ok := s.Solve(0, 60, -64, 64); ok {
					t.Fatalf("%s: solved with %d squares empty", s, n)
				}
			}
			moves := s.Moves(nil)
			rng = game.Mix(rng)
			s.Play(moves[rng%uint64(len(moves))])
		}
	}
	if tried < 500 {
		t.Errorf("%d positions tried, want more", tried)
	}
}

// TestWarmup checks that a search is considered complete only if it reaches the end of the game
// even when every square requires a pass.
func TestWarmup(t *testing.T) {
	for _, text := range endgames(t) {
		s := vectors.Must(parsePosition(text))
		n := s.Empties()
		if _, ok := s.Warmup(2*n - 1); ok {
			t.Fatalf("%s: %d decisions reach the end by its claim", s, 2*n-1)
		}
		if d, ok := s.Warmup(2 * n); !ok || d < 1 || d > max(2, n) {
			t.Fatalf("%s: %d decisions of an evaluation before the %d squares to the end, %v", s, d, n, ok)
		}
	}
}

func TestOdd(t *testing.T) {
	seed := uint64(5)
	for range 1000 {
		seed = game.Mix(seed)
		empty := seed & game.Mix(seed+1)
		want := uint64(0)
		for _, q := range [4]uint64{0x0f0f0f0f, 0xf0f0f0f0, 0x0f0f0f0f << 32, 0xf0f0f0f0 << 32} {
			if popcount(empty&q)%2 != 0 {
				want |= empty & q
			}
		}
		if got := odd(empty); got != want {
			t.Fatalf("%x: %x, want %x", empty, got, want)
		}
	}
}
