package session_test

import (
	"fmt"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/game/gametest"
	"plyfit/game/minesweeper"
	"plyfit/game/othello"
	"plyfit/game/poker"
	"plyfit/game/tictactoe"
	"plyfit/game/tree"
	"plyfit/internal/session"
	"plyfit/internal/vectors"
)

// TestOutcome checks the description of results: with one, two and three players, with points if
// they vary, and in a game that is neither won nor lost.
func TestOutcome(t *testing.T) {
	for _, end := range []struct {
		make          gametest.Maker
		spec, at, end string
	}{
		{tictactoe.New, "tictactoe", "XXXOO.... -", "X wins"},
		{tictactoe.New, "tictactoe", "XOXXOOOXX -", "a draw"},
		{connect4.New, "connect4", "1213141", "Red wins"},
		{othello.New, "othello", strings.Repeat("X", 40) + strings.Repeat("O", 24) + " -", "Black wins by 16 points"},
		{poker.NewKuhn, "kuhn", "2 0 bp", "player 0 wins by 1 point"},
		{poker.NewKuhn, "kuhn:players=3", "2 0 1 bpb", "player 0 wins: player 0 gets 3, player 1 gets -1, player 2 gets -2"},
		{minesweeper.New, "minesweeper:rows=1,columns=2,mines=1", "", "won"},
		{tree.New, "tree", "(max <1,2>)", "Max gets 1, Min gets 2"},
	} {
		g := gametest.New(t, end.make, end.spec)
		s, err := session.Position(g, end.at)
		if err != nil {
			t.Errorf("%s: %v", end.spec, err)
			continue
		}
		for moves := s.Moves(nil); len(moves) > 0; moves = s.Moves(nil) { // play unfinished games to the end
			s.Play(moves[0])
		}
		if got := session.Outcome(g, s, g.Side, func(x float64) string { return fmt.Sprint(x) }); got != end.end {
			t.Errorf("%s at %q: %q, want %q", end.spec, end.at, got, end.end)
		}
	}
}

// TestWords checks the descriptions of a line of play and of a slip.
func TestWords(t *testing.T) {
	base := vectors.Must(tictactoe.New(new(game.Options)))
	g := vectors.Must(game.WithSlip(base, 0.5))
	s := vectors.Must(session.New(g, "", 1))
	moves := s.State.Moves(nil)
	s.Play(moves[0])
	for _, m := range s.State.Moves(nil) {
		want := "no slip: 1"
		if m != moves[0] {
			want = "slip: " + s.State.MoveString(m) + " instead of 1"
		}
		if got := session.DescribeChance(s.State, m, true); got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
	s = vectors.Must(session.New(base, "XX.OO.... X", 1))
	was := s.State.String()
	if got := session.Line(s.State, s.State.Moves(nil)[1:3], game.State.MoveString); strings.Join(got, " ") != "6 7" || s.State.String() != was {
		t.Errorf("a line %v, and the position %s, want 6 7 and %s", got, s.State, was)
	}
	s.Play(s.State.Moves(nil)[0])
	if _, err := session.New(base, "nonsense", 1); err == nil {
		t.Error("a position that is none was taken")
	}
}
