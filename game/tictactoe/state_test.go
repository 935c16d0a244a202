package tictactoe

import (
	"strconv"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

func TestLaw(t *testing.T) { gametest.Law(t, gametest.New(t, New, "tictactoe")) }

func lines(t testing.TB, name string) (out [][]string) {
	t.Helper()
	for _, line := range vectors.Lines(t, "testdata/"+name) {
		out = append(out, strings.Fields(line))
	}
	return out
}

// A census contains the number of positions and the numbers of games by length and result.
type census struct {
	perft  [10]int64
	ends   [10]int64    // number of games, by length
	byEnd  [3]int64     // numbers of games won by O, drawn, and won by X
	seen   [10][]uint64 // distinct hashes at each ply
	known  map[uint64]bool
	finals int64
}

func (c *census) walk(s game.State, ply int) {
	c.perft[ply]++
	fresh := !c.known[s.Hash()]
	if fresh {
		c.known[s.Hash()] = true
		c.seen[ply] = append(c.seen[ply], s.Hash())
	}
	if s.Turn() == game.Nobody {
		c.ends[ply]++
		c.byEnd[int(s.Utility(0))+1]++
		if fresh {
			c.finals++
		}
	}
	for _, m := range s.Moves(nil) {
		s.Play(m)
		c.walk(s, ply+1)
		s.Undo()
	}
}

func TestFacts(t *testing.T) {
	c := &census{known: map[uint64]bool{}}
	c.walk(gametest.New(t, New, "tictactoe").New(), 0)
	games, distinct := int64(0), make([]int64, 10)
	for ply, n := range c.ends {
		games += n
		distinct[ply] = int64(len(c.seen[ply]))
	}
	got := map[string][]int64{
		"games": {games}, "x_wins": {c.byEnd[2]}, "o_wins": {c.byEnd[0]}, "draws": {c.byEnd[1]},
		"games_len5": c.ends[5:6], "games_len6": c.ends[6:7], "games_len7": c.ends[7:8], "games_len8": c.ends[8:9], "games_len9": c.ends[9:10],
		"reachable_positions": {int64(len(c.known))}, "terminal_positions": {c.finals},
		"distinct_at_ply": distinct, "perft": c.perft[:],
	}
	checked := 0
	for _, f := range lines(t, "facts.txt") {
		counts, ok := got[f[0]]
		if !ok {
			continue // a fact about searches
		}
		checked++
		for i, want := range f[1:] {
			if n, err := strconv.ParseInt(want, 10, 64); err != nil || i >= len(counts) || counts[i] != n {
				t.Errorf("%s is %d, want %s", f[0], counts, f[1:])
			}
		}
	}
	if checked != len(got) {
		t.Errorf("%d facts of %d were in the file", checked, len(got))
	}
	for ply := range 9 {
		if n := game.Perft(gametest.New(t, New, "tictactoe").New(), ply+1, nil); n != c.perft[ply+1] {
			t.Errorf("perft %d is %d, want %d", ply+1, n, c.perft[ply+1])
		}
	}
}

func TestFaults(t *testing.T) {
	g := gametest.New(t, New, "tictactoe")
	for _, text := range []string{"", "X", "......... O", "........X X", "OX....... -", "XX....... O", "XXX...OOO -", "XXXOO.... O", "XXXOO.... X", "OOOXX.X.. X",
		".........X", "......... X ", "........é X", "........x O"} {
		if s, err := g.Parse(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, gametest.New(f, New, "tictactoe"), true, nil, "......... X", "XXXOO.... -", "XOXXOOOXX -", "X........ O")
}
