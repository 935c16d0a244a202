package search_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// TestQuiescenceAlone checks Quiescence in chess. The value of a position must be the value after
// its best noisy move or, unless the mover is in check, the evaluation if that is higher. The line
// must lead to a position with that value. Quiet must report whether the value is at most the
// evaluation, but never if all moves are noisy.
func TestQuiescenceAlone(t *testing.T) {
	g := vectors.Must(chess.New(new(game.Options)))
	// The evaluation can be any function of the board.
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
	q := vectors.Must(search.NewQuiescence(g, eval))
	rng := rand.New(rand.NewPCG(4, 2))
	quiet, loud, checks := 0, 0, 0
	for i := range 40 {
		s := g.New()
		for n := 10 + rng.IntN(40); s.Turn() != game.Nobody; n-- {
			if n <= 0 && (i%4 > 0 || s.(*chess.State).Forced()) {
				break // the mover may be in check in only a quarter of the positions
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
		if s.(*chess.State).Forced() {
			want = math.Inf(-1)
			checks++
		}
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
	if checks < 2 {
		t.Errorf("%d positions in check: want some", checks)
	}
}

// TestQuiescenceSorts checks that the fast search orders noisy moves by the captured piece. With
// many captures, it must find the same value with a third of the nodes of the game's order, or
// fewer.
func TestQuiescenceSorts(t *testing.T) {
	g := vectors.Must(chess.New(new(game.Options)))
	// Kiwipete, from the Chess Programming Wiki.
	s := vectors.Must(g.Parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"))
	found := func(order search.Order) search.Result {
		r := searchtest.SearchOnce(t, search.NewAlphaBeta, search.Options{Game: g, Eval: material, Depth: 1, Quiescence: true, Order: order, Table: -1}, s)
		return r
	}
	sorted, natural := found(search.Auto), found(search.Natural)
	if sorted.Value != natural.Value {
		t.Errorf("value %v sorted, %v in the game's order", sorted.Value, natural.Value)
	}
	if 3*sorted.Nodes > natural.Nodes {
		t.Errorf("%d nodes sorted, %d in the game's order: want a third at most", sorted.Nodes, natural.Nodes)
	}
}

// TestStoppedInFirstDepth checks that a search stopped during its first iteration plays the best
// move searched so far rather than the first move in the game's order.
func TestStoppedInFirstDepth(t *testing.T) {
	g := vectors.Must(chess.New(new(game.Options)))
	for _, order := range []search.Order{search.Auto, search.Natural} {
		a := searchtest.MustAgent(t, search.NewAlphaBeta, search.Options{Game: g, Eval: material, Nodes: 12, Order: order, Table: -1})
		s := vectors.Must(g.Parse("4k3/8/8/8/3q4/5N2/8/Q3K2R w K - 0 1"))
		r := searchtest.Search(t, a, s)
		if r.Depth != 0 {
			t.Fatalf("depth %d in %d nodes: the test wants none", r.Depth, r.Nodes)
		}
		if name := s.MoveString(r.Move); name != "Nxd4" && name != "f3d4" {
			t.Errorf("order %v: %s, want the knight to take the queen", order, name)
		}
	}
}

// material evaluates a position by the usual piece values.
var material = evaluate(func(s game.State, p game.Player) float64 {
	v := 0.0
	worth := [...]float64{chess.Pawn: 1, chess.Knight: 3, chess.Bishop: 3, chess.Rook: 5, chess.Queen: 9}
	own, other := s.(*chess.State).Army(p), s.(*chess.State).Army(1-p)
	for kind, w := range worth {
		v += w * float64(bits.OnesCount64(own[kind])-bits.OnesCount64(other[kind])) / 200
	}
	return v
})

type evaluate func(s game.State, p game.Player) float64

func (f evaluate) Evaluate(s game.State, p game.Player) float64 { return f(s, p) }

// TestMateInOne checks that the searches play a mate in one at depths 1 to 5. If there are pawns,
// slow searches stop at depth 2. With -short, they stop at depth 4 in any case.
func TestMateInOne(t *testing.T) {
	g := world(t, "chess")
	for _, fen := range []string{
		"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",                                  // back-rank mate
		"7k/8/6K1/8/8/8/8/1Q6 w - - 0 1",                                     // king and queen
		"7k/8/6K1/8/8/8/8/1R6 w - - 0 1",                                     // king and rook
		"7k/1R6/8/8/8/8/8/R5K1 w - - 0 1",                                    // two rooks
		"8/8/8/8/8/2K5/7Q/k7 w - - 0 1",                                      // king and queen, mate from a distance
		"k7/8/1K6/8/8/8/8/7R w - - 98 80",                                    // king and rook, on the last move before a draw
		"1q6/8/8/8/8/6k1/8/7K b - - 0 1",                                     // king and queen, Black to move
		"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",      // fool's mate
		"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 4", // scholar's mate
	} {
		s := vectors.Must(g.Parse(fen))
		mates := map[game.Move]bool{}
		for _, m := range s.Moves(nil) {
			s.Play(m)
			if s.Turn() == game.Nobody && math.Abs(s.Utility(0)) == 1 {
				mates[m] = true
			}
			s.Undo()
		}
		if len(mates) == 0 {
			t.Fatalf("%s: no mate in one", fen)
		}
		few := !strings.ContainsAny(fen, "pP") // without pawns the whole tree to depth 5 has at most a million nodes
		for depth := 1; depth <= 5; depth++ {
			for name, a := range everySearch(t, search.Options{Game: g, Eval: noise{g}, Fork: func() search.Evaluator { return noise{g} }, Depth: depth}) {
				fast := strings.HasPrefix(name, "alphabeta") || name == "greedy" || name == "mcts" || name == "expectimax 0"
				if depth > 2 && !fast && !few || depth > 4 && !fast && testing.Short() {
					continue // the whole tree takes minutes
				}
				res := searchtest.Search(t, a, s)
				if !mates[res.Move] || res.Value != 1 || !res.Exact {
					t.Errorf("%s, depth %d: %s plays %s (value %v, exact %v)", fen, depth, name, s.MoveString(res.Move), res.Value, res.Exact)
				}
			}
		}
	}
}
