package connect4

import (
	"math"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
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
	b := &textbook{s: gametest.New(t, New, "connect4").New()}
	if v := b.search(11, math.Inf(-1), math.Inf(1), 0); v != 0 || b.nodes != nodes11 {
		t.Errorf("value %v in %d nodes, want 0 in %d", v, b.nodes, nodes11)
	}
}

func TestPerft(t *testing.T) {
	s := gametest.New(t, New, "connect4").New()
	for d, want := range []int64{7, 49, 343, 2401, 16807, 117649, 823536, 5673234} {
		if got := game.Perft(s, d+1, nil); got != want {
			t.Errorf("perft %d is %d, want %d", d+1, got, want)
		}
	}
}
