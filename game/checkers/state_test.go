package checkers

import (
	"strconv"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

func positions(t testing.TB) (out []string) {
	for _, line := range vectors.Lines(t, "testdata/perft_positions.txt") {
		fen, _, _ := strings.Cut(line, " ;")
		out = append(out, fen)
	}
	return out
}

func TestLaw(t *testing.T) {
	more := append(positions(t),
		"B:WK1:BK32:H79:F70",
		"W:WK1:BK32:H0:F9 moves 1-5 32-27 5-1 27-32 1-5 32-27 5-1",
		"B:W:B1", "W:W:B1",
	)
	gametest.Law(t, gametest.New(t, New, "checkers"), gametest.Options{Positions: more, Playouts: 800})
}

func TestOptions(t *testing.T) { gametest.Refuse(t, New, "checkers:size=10") }

func TestPerftStart(t *testing.T) {
	deepest := 9
	if vectors.Long() {
		deepest = 12
	}
	checked := 0
	for _, line := range vectors.Lines(t, "testdata/perft_start.txt") {
		f := strings.Fields(line)
		depth, _ := strconv.Atoi(f[0])
		if f[2] != "all" || depth > deepest {
			continue
		}
		want := vectors.Must(strconv.ParseInt(f[1], 10, 64))
		s := gametest.New(t, New, "checkers").New()
		if got := game.Perft(s, depth, nil); got != want {
			t.Errorf("depth %d: %d paths, want %d", depth, got, want)
		}
		checked++
	}
	if checked != deepest {
		t.Errorf("%d depths checked, want %d", checked, deepest)
	}
}

func TestPerftPositions(t *testing.T) {
	for _, line := range vectors.Lines(t, "testdata/perft_positions.txt") {
		f := strings.Split(line, ";")
		s, err := parsePosition(strings.TrimSpace(f[0]))
		if err != nil {
			t.Error(err)
			continue
		}
		for i, text := range strings.Fields(f[1]) {
			want, _ := strconv.ParseInt(text, 10, 64)
			if got := game.Perft(s, i+1, nil); got != want {
				t.Errorf("%s, depth %d: %d paths, want %d", f[0], i+1, got, want)
			}
		}
	}
}

func TestThirdRepetitionDraws(t *testing.T) {
	s := vectors.Must(parsePosition("W:WK1:BK32"))
	const round = "1-5 32-27 5-1 27-32 "
	gametest.Play(t, parseMove, s, round+"1-5 32-27 5-1")
	if s.Turn() == game.Nobody {
		t.Fatalf("%s is over", s)
	}
	late := s.Hash()
	gametest.Play(t, parseMove, s, "27-32")
	if s.Turn() != game.Nobody || s.Utility(0) != 0 || s.Utility(1) != 0 {
		t.Errorf("%s: turn %d, utility %v; want a draw", s, s.Turn(), s.Utility(0))
	}
	if m := s.Moves(nil); len(m) != 0 {
		t.Errorf("%s: moves %v after a draw", s, m)
	}
	fresh := vectors.Must(parsePosition("B:WK1:BK27:H7:F4"))
	if fresh.Hash() == late {
		t.Error("the hash does not tell a position that will repeat from one that will not")
	}
	// The same board after the same number of plies, but without repetition, is not a draw.
	s = vectors.Must(parsePosition("W:WK1:BK32"))
	gametest.Play(t, parseMove, s, "1-5 32-27 5-9 27-24 9-6 24-27 6-1 27-32")
	if s.Turn() != 1 {
		t.Errorf("%s: turn %d, want 1", s, s.Turn())
	}
}

func TestWithoutDraws(t *testing.T) {
	const fen = "W:WK1:BK32"
	s := vectors.Must(parsePosition(fen))
	// In paths of nine steps, only a draw can make a difference.
	with, without := game.Perft(s, 9, nil), game.Perft(s.WithoutDraws(), 9, nil)
	if with >= without {
		t.Errorf("%d paths with draws, %d without", with, without)
	}
	d := vectors.Must(parsePosition(fen + ":H80")).WithoutDraws()
	if d.Turn() != 1 || d.Clone().Turn() != 1 {
		t.Errorf("%s: turn %d without draws, want 1", d, d.Turn())
	}
}

func TestQuietMovesDraw(t *testing.T) {
	s := vectors.Must(parsePosition("W:WK1:BK32:H79:F60"))
	if s.Turn() != 1 {
		t.Fatalf("%s: turn %d", s, s.Turn())
	}
	gametest.Play(t, parseMove, s, "1-5")
	if s.Turn() != game.Nobody || s.Utility(1) != 0 {
		t.Errorf("%s: turn %d, want a draw", s, s.Turn())
	}
	s = vectors.Must(parsePosition("W:WK1,21:BK32:H79:F60"))
	gametest.Play(t, parseMove, s, "21-17")
	if s.Turn() != 0 || s.line[s.ply].clock != 0 {
		t.Errorf("%s: a man's move does not count anew", s)
	}
	// A player who cannot move has lost, even at the limit of quiet plies.
	if s = vectors.Must(parsePosition("W:W:BK32:H80:F60")); s.Turn() != game.Nobody || s.Utility(0) != 1 {
		t.Errorf("%s: turn %d, utility %v, want black's win", s, s.Turn(), s.Utility(0))
	}
}

func TestCrowningEndsTheMove(t *testing.T) {
	// A man jumps into the last row next to another piece that a king could jump over.
	s := vectors.Must(parsePosition("B:W26,27:B22"))
	want := []string{"22x31"}
	var got []string
	for _, m := range s.Moves(nil) {
		got = append(got, s.MoveString(m))
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Fatalf("moves %v, want %v", got, want)
	}
	gametest.Play(t, parseMove, s, "22x31")
	if s.Kings(0) == 0 || s.Turn() != 1 {
		t.Errorf("%s: want a king on 31, white to move", s)
	}
	if s = vectors.Must(parsePosition("B:W26,27:BK22")); len(s.Moves(nil)) != 1 || s.MoveString(s.Moves(nil)[0]) != "22x31x24" {
		t.Errorf("%s: want 22x31x24, since a king jumps on", s)
	}
}

func TestRankFindsTheJumps(t *testing.T) {
	for _, text := range positions(t) {
		s := vectors.Must(parsePosition(text))
		noisy := s.Noisy(nil)
		for _, m := range noisy {
			if jumpsOf(m) == 0 {
				t.Errorf("%s: %s is noisy", text, s.MoveString(m))
			}
			if s.Rank(m) < 100 {
				t.Errorf("%s: %s has rank %d", text, s.MoveString(m), s.Rank(m))
			}
		}
		if jumps := s.Jumps(s.Turn()); jumps != (len(noisy) > 0) {
			t.Errorf("%s: jumps %v, %d noisy moves", text, jumps, len(noisy))
		}
	}
}
