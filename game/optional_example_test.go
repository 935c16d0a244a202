package game_test

import (
	"fmt"

	"plyfit/catalog"
	"plyfit/game"
)

// position is the position that text names in the game that spec names, which
// it returns too.
func position(spec, text string) (*game.Game, game.State) {
	w, err := catalog.All().World(spec)
	if err != nil {
		panic(err)
	}
	s, err := w.Parse(text)
	if err != nil {
		panic(err)
	}
	return w.Game, s
}

// A move that wins is tried first, one that blocks the opponent's four second.
func ExampleRanker() {
	_, s := position("connect4", "112233")
	r, _ := game.As[game.Ranker](s)
	best, at := int32(-1), game.NoMove
	for _, m := range s.Moves(nil) {
		if rank := r.Rank(m); rank > best {
			best, at = rank, m
		}
	}
	fmt.Println("first", s.MoveString(at), best == 1<<20)
	// Output: first 4 true
}

// What a game of 2048 can still bring: from nothing to the most that the rules
// allow.
func ExampleBounder() {
	_, s := position("2048", "0000/0000/0000/0000 chance 0")
	lo, hi := s.(game.Bounder).Bounds(0)
	fmt.Printf("%.0f to %.0f\n", lo, hi)
	// Output: 0 to 1769476
}

// Quiescence search follows the capture of a pawn, not the 30 quiet moves.
func ExampleNoisy() {
	_, s := position("chess", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
	for _, m := range s.(game.Noisy).Noisy(nil) {
		fmt.Println(s.MoveString(m), "of", len(s.Moves(nil)))
	}
	// Output: e4d5 of 31
}

// The knights come back: the board is the same, the history is not.
func ExampleBoardHasher() {
	_, start := position("chess", "startpos")
	_, again := position("chess", "startpos moves g1f3 g8f6 f3g1 f6g8")
	fmt.Println(start.Hash() == again.Hash(), game.BoardHash(start) == game.BoardHash(again))
	// Output: false true
}

// The fourth of the seven moves completes four in a row and ends the game. In
// pig the first of the two moves hands over to nature.
func ExampleMoveClassifier() {
	_, s := position("connect4", "112233")
	moves, over, chance := s.(game.MoveClassifier).ClassifyMoves(nil)
	fmt.Printf("%d moves, over %b, chance %b\n", len(moves), over, chance)
	_, s = position("pig", "34 57 turn 12 player 0")
	moves, over, chance = s.(game.MoveClassifier).ClassifyMoves(nil)
	fmt.Printf("%d moves, over %b, chance %b\n", len(moves), over, chance)
	// Output:
	// 7 moves, over 1000, chance 0
	// 2 moves, over 0, chance 1
}

// A tree brings its own number of players.
func ExampleShaper() {
	g, s := position("tree", "(p0 (p1 <1,2,-3> <0,0,0>) (p2 <4,1,1> <2,2,2>))")
	fmt.Println(game.ShapeOf(g, s).Players, "players in place of", g.Players)
	// Output: 3 players in place of 2
}
