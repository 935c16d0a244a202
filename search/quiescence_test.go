package search_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/search"
)

// TestQuiescenceAlone: its value at a position is the best of the evaluation and
// of one more noisy move, its line leads to a position of that value, and quiet
// is where the evaluation stands.
func TestQuiescenceAlone(t *testing.T) {
	g, err := chess.New(new(game.Options))
	if err != nil {
		t.Fatal(err)
	}
	// Any function of the board will do.
	eval := evaluate(func(s game.State, p game.Player) float64 {
		v := 0.0
		for k, c := range s.(*chess.State).FEN() {
			if c == ' ' {
				break
			}
			v += math.Sin(float64(7*k)) * 0.001
			for i, worth := range []float64{1, 3, 3.1, 5, 9} {
				switch byte(c) {
				case "PNBRQ"[i]:
					v += worth
				case "pnbrq"[i]:
					v -= worth
				}
			}
		}
		if p == 1 {
			return -v
		}
		return v
	})
	q, err := search.NewQuiescence(g, eval)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 2))
	quiet, loud := 0, 0
	for range 40 {
		s := g.New()
		for range 10 + rng.IntN(40) {
			if s.Turn() == game.Nobody {
				break
			}
			moves := s.Moves(nil)
			s.Play(moves[rng.IntN(len(moves))])
		}
		if s.Turn() == game.Nobody {
			continue
		}
		p := s.Turn()
		value, line := q.Search(s)
		line = append([]game.Move(nil), line...)
		still := eval.Evaluate(s, p)
		want := still
		noisy := s.(game.Noisy).Noisy(nil)
		for _, m := range noisy {
			s.Play(m)
			v, _ := q.Search(s)
			if s.Turn() == game.Nobody {
				v = s.Utility(p)
			} else {
				v = -v
			}
			want = max(want, v)
			s.Undo()
		}
		if value != want {
			t.Errorf("%s: value %v, want %v", s, value, want)
		}
		for _, m := range line {
			s.Play(m)
		}
		end := 0.0
		if s.Turn() == game.Nobody {
			end = s.Utility(p)
		} else {
			end = eval.Evaluate(s, p)
		}
		for range line {
			s.Undo()
		}
		if end != value {
			t.Errorf("%s: the line leads to %v, want %v", s, end, value)
		}
		forced := len(noisy) > 0 && len(noisy) == len(s.Moves(nil))
		if got := q.Quiet(s); got != (!forced && value <= still+1e-9*math.Max(1, math.Abs(still))) {
			t.Errorf("%s: quiet %v, evaluation %v, value %v", s, got, still, value)
		} else if got {
			quiet++
		} else {
			loud++
		}
	}
	if quiet < 5 || loud < 5 {
		t.Errorf("%d quiet positions and %d others: want some of both", quiet, loud)
	}
}

type evaluate func(s game.State, p game.Player) float64

func (f evaluate) Evaluate(s game.State, p game.Player) float64 { return f(s, p) }
