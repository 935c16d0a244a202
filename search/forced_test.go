package search_test

import (
	"math"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// TestMateInOne: every search, at every depth, mates at once.
func TestMateInOne(t *testing.T) {
	g := world(t, "chess")
	for _, fen := range []string{
		"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",                                  // a back rank
		"7k/8/6K1/8/8/8/8/1Q6 w - - 0 1",                                     // K+Q
		"7k/8/6K1/8/8/8/8/1R6 w - - 0 1",                                     // K+R
		"7k/1R6/8/8/8/8/8/R5K1 w - - 0 1",                                    // two rooks
		"8/8/8/8/8/2K5/7Q/k7 w - - 0 1",                                      // K+Q, from afar
		"k7/8/1K6/8/8/8/8/7R w - - 98 80",                                    // K+R, the last move before the draw
		"1q6/8/8/8/8/6k1/8/7K b - - 0 1",                                     // K+Q, Black's
		"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",      // the fool's
		"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 4", // the scholar's
	} {
		s := parse(t, g, fen)
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
		few := !strings.ContainsAny(fen, "pP") // the whole tree to depth 6 is a million nodes at most
		for depth := 1; depth <= 6; depth++ {
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
