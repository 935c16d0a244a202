package connect4

import (
	"math"
	"testing"

	"plyfit/game"
)

// textbook is alpha-beta as the books have it, over the interface: what the
// game itself costs a search.
type textbook struct {
	s     game.State
	moves []game.Move
	nodes int64
}

func (t *textbook) search(depth int, alpha, beta float64, me game.Player) float64 {
	t.nodes++
	turn := t.s.Turn()
	if turn == game.Nobody {
		return t.s.Utility(me)
	}
	if depth == 0 {
		return 0
	}
	from := len(t.moves)
	t.moves = t.s.Moves(t.moves)
	to := len(t.moves)
	best := math.Inf(-1)
	for i := from; i < to; i++ {
		t.s.Play(t.moves[i])
		v := -t.search(depth-1, -beta, -alpha, 1-me)
		t.s.Undo()
		if v > best {
			best = v
			if v > alpha {
				if alpha = v; alpha >= beta {
					break
				}
			}
		}
	}
	t.moves = t.moves[:from]
	return best
}

// nodes11 is what everyone counts at depth 11 in natural order without a table.
const nodes11 = 1692129

func TestTextbookNodes(t *testing.T) {
	b := &textbook{s: make4(t, "connect4").New()}
	if v := b.search(11, math.Inf(-1), math.Inf(1), 0); v != 0 || b.nodes != nodes11 {
		t.Errorf("value %v in %d nodes, want 0 in %d", v, b.nodes, nodes11)
	}
}

func BenchmarkTextbook(b *testing.B) {
	t := &textbook{s: make4(b, "connect4").New()}
	for b.Loop() {
		t.nodes = 0
		t.search(11, math.Inf(-1), math.Inf(1), 0)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(t.nodes), "ns/node")
}

func TestPerft(t *testing.T) {
	s := make4(t, "connect4").New()
	depth := 8
	if testing.Short() {
		depth = 6
	}
	for d, want := range []int64{7, 49, 343, 2401, 16807, 117649, 823536, 5673234}[:depth] {
		if got := game.Perft(s, d+1, nil); got != want {
			t.Errorf("perft %d is %d, want %d", d+1, got, want)
		}
	}
}

func BenchmarkPerft(b *testing.B) {
	s := make4(b, "connect4").New()
	for b.Loop() {
		game.Perft(s, 8, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/5673234, "ns/leaf")
}

func midgame(b *testing.B) game.State {
	s, err := make4(b, "connect4").Parse("444333253")
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func BenchmarkPlayTurnUndo(b *testing.B) {
	s := midgame(b)
	over := 0
	for b.Loop() {
		s.Play(5)
		if s.Turn() == game.Nobody {
			over++
		}
		s.Undo()
	}
}

func BenchmarkMoves(b *testing.B) {
	s := midgame(b)
	var moves []game.Move
	for b.Loop() {
		moves = s.Moves(moves[:0])
	}
}

func BenchmarkHash(b *testing.B) {
	s := midgame(b)
	for b.Loop() {
		s.Hash()
	}
}

func BenchmarkRank(b *testing.B) {
	s := midgame(b)
	r := s.(game.Ranker)
	for b.Loop() {
		r.Rank(5)
	}
}
