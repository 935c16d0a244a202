package search_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/search"
	"plyfit/search/internal/searchtest"
)

// lengths are the decisions that each of the mover's moves at s takes to force
// target on him or for him; depth+1 where it takes more.
func lengths(s game.State, by game.Player, target float64, depth int) []int {
	var all []int
	for _, m := range s.Moves(nil) {
		s.Play(m)
		all = append(all, 1+farthest(s, by, target, depth-1))
		s.Undo()
	}
	return all
}

// straight holds what a search chose at s, within depth decisions, to the fewest
// decisions of a win, the most of a loss.
func straight(t *testing.T, name string, s game.State, r search.Result, target float64, depth int) (decided bool) {
	t.Helper()
	p := s.Turn()
	chosen := -1
	for i, m := range s.Moves(nil) {
		if m == r.Move {
			chosen = i
		}
	}
	wins := lengths(s, p, target, depth)
	fewest := depth + 1
	for _, n := range wins {
		fewest = min(fewest, n)
	}
	if fewest <= depth {
		if wins[chosen] != fewest || !r.Exact || math.Abs(r.Value-target) > 1e-9 {
			t.Errorf("%s: %s: %s wins in %d (value %v, exact %v); a win in %d is there", name, s, s.MoveString(r.Move), wins[chosen], r.Value, r.Exact, fewest)
		}
		return true
	}
	losses := lengths(s, 1-p, target, depth)
	most := 0
	for _, n := range losses {
		most = max(most, n)
	}
	if most <= depth {
		if losses[chosen] != most || !r.Exact || math.Abs(r.Value+target) > 1e-9 {
			t.Errorf("%s: %s: %s loses in %d (value %v, exact %v); %d can be had", name, s, s.MoveString(r.Move), losses[chosen], r.Value, r.Exact, most)
		}
		return true
	}
	return false
}

// TestShortestWins holds every search, at every depth, to brute force: of certain
// wins the shortest is played, of certain losses the longest.
func TestShortestWins(t *testing.T) {
	positions := 250
	if testing.Short() {
		positions = 30
	}
	for _, c := range []struct {
		spec   string
		plies  int
		depths int
	}{{"tictactoe", 1, 6}, {"connect4:columns=5,rows=4", 5, 5}, {"connect4:columns=5,rows=4,dice=on", 20, 2}} {
		g := world(t, c.spec)
		for _, ties := range []search.Ties{search.First, search.Random} {
			for _, complete := range []bool{false, true} {
				r := rand.New(rand.NewPCG(21, 4))
				decided := 0
				for depth := 1; depth <= c.depths; depth++ {
					agents := everySearch(t, search.Options{Game: g, Eval: noise{g}, Fork: func() search.Evaluator { return noise{g} }, Depth: depth, Ties: ties, Complete: complete})
					delete(agents, "mcts") // it may prove more than it has searched
					for range positions / 10 {
						s := wander(g, r, c.plies+r.IntN(10))
						if s.Turn() < 0 {
							continue
						}
						for name, a := range agents {
							searched := depth
							if name == "greedy" {
								searched = 1
							}
							res, err := a.Search(context.Background(), s)
							if err != nil {
								t.Fatal(err)
							}
							if straight(t, fmt.Sprintf("%s, %s, depth %d, ties %d, complete %v", c.spec, name, depth, ties, complete), s, res, 1, searched) {
								decided++
							}
						}
						if t.Failed() {
							return
						}
					}
				}
				if decided < 20 {
					t.Errorf("%s: %d answers were decided", c.spec, decided)
				}
			}
		}
	}
}

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
				res, err := a.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				if !mates[res.Move] || res.Value != 1 || !res.Exact {
					t.Errorf("%s, depth %d: %s plays %s (value %v, exact %v)", fen, depth, name, s.MoveString(res.Move), res.Value, res.Exact)
				}
			}
		}
	}
}

// lone is an evaluation of endgames against a lone king that knows next to nothing.
type lone struct{}

func (lone) Evaluate(_ game.State, p game.Player) float64 { return .5 - float64(p) }

// TestMatesWithoutShuffling plays K+Q, K+R and two rooks against a king at depth 5,
// from positions in which a mate in at most three moves is there: it is given in
// the fewest plies, whatever the other side, which plays for the longest, does.
func TestMatesWithoutShuffling(t *testing.T) {
	games := 24
	if testing.Short() {
		games = 4
	}
	g := world(t, "chess")
	r := rand.New(rand.NewPCG(9, 9))
	square := func() string { return string(rune('a'+r.IntN(8))) + string(rune('1'+r.IntN(8))) }
	for _, pieces := range []string{"KQ", "KR", "KRR"} {
		found := 0
		for tries := 0; found < games; tries++ {
			if tries == 10000 {
				t.Fatalf("%s: %d positions with a mate in sight", pieces, found)
			}
			// The lone king stands at an edge, the other one near.
			board := map[string]rune{}
			king := string(rune('a'+r.IntN(8))) + "8"
			board[king] = 'k'
			for _, p := range pieces {
				at := square()
				if p == 'K' {
					at = string(rune(max('a', min('h', rune(king[0])+rune(r.IntN(3)-1))))) + "6"
				}
				board[at] = p
			}
			if len(board) != len(pieces)+1 {
				continue
			}
			var rows []string
			for rank := '8'; rank >= '1'; rank-- {
				row := ""
				for file := 'a'; file <= 'h'; file++ {
					if p, ok := board[string(file)+string(rank)]; ok {
						row += string(p)
					} else {
						row += "1"
					}
				}
				for n := 8; n > 1; n-- { // empty squares are counted
					row = strings.ReplaceAll(row, strings.Repeat("1", n), string(rune('0'+n)))
				}
				rows = append(rows, row)
			}
			s, err := g.Parse(strings.Join(rows, "/") + " w - - 0 1")
			if err != nil || s.Turn() != 0 {
				continue
			}
			plies := farthest(s, 0, 1, 5)
			if plies > 5 {
				continue
			}
			found++
			agents := make([]search.Agent, 2)
			for i := range agents {
				if agents[i], err = searchtest.AlphaBetaOf(search.Options{Game: g, Eval: lone{}, Depth: 5}); err != nil {
					t.Fatal(err)
				}
			}
			start, played := s.String(), 0
			for ; s.Turn() >= 0 && played <= 5; played++ {
				res, err := agents[s.Turn()].Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				s.Play(res.Move)
			}
			if played != plies || s.Turn() != game.Nobody || s.Utility(0) != 1 {
				t.Errorf("%s: %d plies, to %s; a mate in %d is there", start, played, s, plies)
			}
		}
	}
}
