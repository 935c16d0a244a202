package search_test

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// TestSelectiveClaims checks a selective search in most of the worlds and in three deeper searches.
// The move must be legal, the value inside the game's range and, if reported as exact, correct.
func TestSelectiveClaims(t *testing.T) {
	deep := map[string]int{"tictactoe": 9, "connect4:columns=4,rows=4": 16}
	proofs := 0
	for _, w := range slices.Concat(worlds, []struct {
		spec  string
		depth int
	}{{"tictactoe", 9}, {"connect4:columns=4,rows=4", 9}, {"chess", 4}}) {
		if w.spec == "tree" || w.depth < 2 {
			continue
		}
		g, r := world(t, w.spec), rand.New(rand.NewPCG(5, 3))
		guesses := searchtest.MustAgent(t, search.NewAlphaBeta, search.Options{Game: g, Eval: noise{g}, Depth: w.depth, Prune: search.Selective, Table: 1})
		truth := searchtest.MustAgent(t, search.NewAlphaBeta, search.Options{Game: g, Eval: noise{g}, Depth: max(w.depth, deep[w.spec]), Table: 1})
		for range 30 {
			s := wander(g, r, r.IntN(30))
			if s.Turn() < 0 {
				continue
			}
			got := searchtest.Search(t, guesses, s)
			if !slices.Contains(s.Moves(nil), got.Move) || got.Value < g.Min || got.Value > g.Max {
				t.Fatalf("%s: %s: move %d, value %v", w.spec, s, got.Move, got.Value)
			}
			if !got.Exact {
				continue
			}
			proofs++
			if want := searchtest.Search(t, truth, s); !searchtest.Near(want.Value, got.Value) {
				t.Errorf("%s: %s: %v said to be exact, it is %v", w.spec, s, got.Value, want.Value)
			}
		}
	}
	if proofs < 40 {
		t.Errorf("%d values were said to be exact, which shows little", proofs)
	}
}

// TestSelectiveChess checks that selective search saves nodes in chess when positions are evaluated
// by material, in 25 positions of a test suite. At the same depth, it must visit at most half as
// many nodes as a full search and solve at most three positions fewer. Two decisions deeper, it
// must solve more positions with at most twice as many nodes.
func TestSelectiveChess(t *testing.T) {
	lines := vectors.Lines(t, vectors.Shared(t, "chess/wac300.epd"))
	g := world(t, "chess")
	run := func(depth int, prune search.Prune) (solved int, nodes int64) {
		a := searchtest.MustAgent(t, search.NewAlphaBeta, search.Options{Game: g, Eval: material, Depth: depth, Quiescence: true, Prune: prune})
		for i := 0; i < len(lines); i += 12 {
			fen, rest, _ := strings.Cut(lines[i], " bm ")
			s := vectors.Must(g.Parse(fen + " 0 1"))
			best, _, _ := strings.Cut(rest, ";")
			a.Begin(1)
			r := searchtest.Search(t, a, s)
			nodes += r.Nodes
			for _, text := range strings.Fields(best) {
				if m, err := g.ParseMove(s, text); err == nil && m == r.Move {
					solved++
				}
			}
		}
		return solved, nodes
	}
	plain, all := run(4, search.PruneDefault)
	fast, few := run(4, search.Selective)
	deeper, some := run(6, search.Selective)
	t.Logf("depth 4: %d of 25 by %d nodes; on a guess %d by %d, at depth 6 %d by %d", plain, all, fast, few, deeper, some)
	if few*2 > all || fast < plain-3 {
		t.Errorf("depth 4: %d solved by %d nodes; on a guess %d by %d", plain, all, fast, few)
	}
	if deeper <= plain || some > 2*all {
		t.Errorf("depth 6 on a guess: %d solved by %d nodes; depth 4 %d by %d", deeper, some, plain, all)
	}
}

// fours is an evaluation for connect four. It counts the empty cells that complete a line and the
// stones in the centre.
type fours struct{}

func (fours) Evaluate(s game.State, p game.Player) float64 {
	st := connect4.Of(s)
	first, second := st.Stones()
	z := float64(bits.OnesCount64(st.Fours(first)) - bits.OnesCount64(st.Fours(second)))
	centre := st.Column(3)
	z += 0.2 * float64(bits.OnesCount64(first&centre)-bits.OnesCount64(second&centre))
	v := math.Tanh(0.3 * z)
	if p == 1 {
		return -v
	}
	return v
}

// wander plays up to n random moves from the start, including nature's. It stops early if the next
// move would end the game.
func wander(g *game.Game, r *rand.Rand, n int) game.State {
	s := g.New()
	for range n {
		moves := s.Moves(nil)
		m := moves[r.IntN(len(moves))]
		s.Play(m)
		if s.Turn() == game.Nobody {
			s.Undo()
			break
		}
	}
	return s.Clone()
}

// BenchmarkStarDice reports the percentage of nodes that Star1 and Star2 save compared with
// expectimax with the same table and order. It searches connect four with a die to depths 3 to 5.
func BenchmarkStarDice(b *testing.B) {
	g := world(b, "connect4:dice=on")
	r := rand.New(rand.NewPCG(5, 5))
	var positions []game.State
	for range 20 {
		positions = append(positions, wander(g, r, 2+r.IntN(24)))
	}
	count := func(c search.Options) (nodes float64, values []float64) {
		c.Game, c.Eval = g, fours{}
		a := searchtest.MustAgent(b, search.NewExpectimax, c)
		for _, s := range positions {
			a.Begin(0)
			res := vectors.Must(a.Search(context.Background(), s))
			nodes += float64(res.Nodes)
			values = append(values, res.Value)
		}
		return nodes, values
	}
	for b.Loop() {
		for depth := 3; depth <= 5; depth++ {
			d := string(rune('0' + depth))
			full, want := count(search.Options{Depth: depth, Prune: search.NoPrune})
			for name, p := range map[string]search.Prune{"star1": search.Star1, "star2": search.Star2} {
				nodes, values := count(search.Options{Depth: depth, Prune: p})
				for i := range values {
					if math.Abs(values[i]-want[i]) > 1e-12 {
						b.Fatalf("%s at depth %d: value %v, want %v", name, depth, values[i], want[i])
					}
				}
				b.ReportMetric(100*(1-nodes/full), name+"@"+d+"-%saved")
			}
			b.ReportMetric(full/float64(len(positions)), "plain@"+d+"-nodes")
		}
	}
}
