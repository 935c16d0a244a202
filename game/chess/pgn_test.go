package chess

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	oracle "github.com/corentings/chess/v2"

	"plyfit/game"
	"plyfit/game/gametest"
)

// randomGame plays at most so many moves from a start.
func randomGame(t *testing.T, rng *rand.Rand, begin string, plies int) (*game.Transcript, *State) {
	t.Helper()
	s := read(t, begin)
	g := &game.Transcript{Event: "alphabeta:depth=2,eval=x.json against mix(0.5*random,0.5*greedy)", Round: "3.1", Names: []string{"one", "two"}, Sides: []int{0, 1}, Start: begin, End: game.Adjudicated, Utility: []float64{0, 0}}
	for s.Turn() != game.Nobody && len(g.Moves) < plies {
		all := s.Moves(nil)
		m := all[rng.IntN(len(all))]
		g.Moves = append(g.Moves, m)
		s.Play(m)
	}
	if s.Turn() == game.Nobody {
		g.End, g.Utility = game.Played, []float64{s.Utility(0), s.Utility(1)}
	}
	return g, s
}

// TestPGN: another library reads the file: as many games, every move, the tags,
// the position at the end, the result.
func TestPGN(t *testing.T) {
	world := gametest.New(t, New, "chess")
	starts := []string{
		startFEN,
		"r3k2r/pppq1ppp/2n2n2/3pp3/3PP3/2N2N2/PPPQ1PPP/R3K2R b KQkq - 4 8",
		"8/P6k/8/8/8/8/p6K/8 w - - 0 40",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves g1f3 g8f6 f3g1",
	}
	var file bytes.Buffer
	write := pgn.New(&file, world)
	rng := rand.New(rand.NewPCG(5, 9))
	var games []*game.Transcript
	var ends []*State
	for i := range 80 {
		g, s := randomGame(t, rng, starts[i%len(starts)], 1+rng.IntN(250))
		if err := write(g); err != nil {
			t.Fatal(err)
		}
		games, ends = append(games, g), append(ends, s)
	}
	for n, line := range strings.Split(file.String(), "\n") {
		if len(line) > 80 {
			t.Errorf("line %d has %d signs: %s", n+1, len(line), line)
		}
	}
	in := oracle.NewScanner(strings.NewReader(file.String()))
	finished := 0
	for i, g := range games {
		if !in.HasNext() {
			t.Fatalf("%d games read of %d", i, len(games))
		}
		theirs, err := in.ParseNext()
		if err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
		before := 0
		if i%4 == 3 {
			before = 3
		}
		if n := len(theirs.Moves()); n != before+len(g.Moves) {
			t.Fatalf("game %d: %d moves, want %d", i, n, before+len(g.Moves))
		}
		ours, other := strings.Fields(ends[i].FEN()), strings.Fields(theirs.Position().String())
		if ours[0] != other[0] || ours[1] != other[1] || ours[2] != other[2] || ours[5] != other[5] {
			t.Errorf("game %d ends at %v, want %v", i, other, ours)
		}
		if got := theirs.GetTagPair("Result"); got != g.Result() {
			t.Errorf("game %d: result %q, want %q", i, got, g.Result())
		}
		if got := theirs.GetTagPair("White"); got != "one" {
			t.Errorf("game %d: white is %q", i, got)
		}
		if g.End == game.Played && g.Utility[0] != 0 { // draws they leave to be claimed
			finished++
			if got := string(theirs.Outcome()); got != g.Result() {
				t.Errorf("game %d: they find %q, want %q", i, got, g.Result())
			}
		}
	}
	if in.HasNext() {
		t.Error("more games than were written")
	}
	if finished == 0 {
		t.Error("no game ended in mate")
	}
}
