package gtp

import (
	"context"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/game/gogame"
	"plyfit/game/othello"
	"plyfit/protocol"
)

// TestRhino: games of GRhino against random moves, passes among them.
func TestRhino(t *testing.T) {
	c, err := protocol.ReadCommand("gtp-rhino --level=1")
	if err != nil {
		t.Skipf("%v: apt-get install grhino", err)
	}
	a, err := New(Config{Game: othelloGame(), Launcher: &protocol.Launcher{Command: c}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	rng := rand.New(rand.NewPCG(7, 9))
	passes, wins := 0, 0
	const games = 10
	for n := range games {
		a.Begin(1)
		s := newGame()
		for s.Turn() != game.Nobody {
			moves := s.Moves(nil)
			if moves[0] == othello.Pass {
				passes++
			}
			m := moves[rng.IntN(len(moves))]
			if s.Turn() == game.Player(n%2) {
				r, err := a.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				m = r.Move
			}
			s.Play(m)
		}
		if s.Utility(game.Player(n%2)) > 0 {
			wins++
		}
	}
	if wins < games-1 {
		t.Errorf("it won %d of %d games against random moves", wins, games)
	}
	if passes == 0 {
		t.Error("nobody passed")
	}
}

// TestGNUGo: games of go on 9x9 by GNU Go, which wins them all against random moves
// and counts what is left as we do.
func TestGNUGo(t *testing.T) {
	c, err := protocol.ReadCommand("gnugo --mode gtp --level 1 --chinese-rules --positional-superko --allow-suicide --capture-all-dead --never-resign")
	if err != nil {
		t.Skipf("%v: apt-get install gnugo", err)
	}
	g, err := gogame.New(game.NewOptions("go"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(Config{Game: g, Launcher: &protocol.Launcher{Command: c}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	rng := rand.New(rand.NewPCG(7, 9))
	for n := range 4 {
		a.Begin(1)
		s := g.New()
		for s.Turn() != game.Nobody {
			moves := s.Moves(nil)
			m := moves[rng.IntN(len(moves))]
			if s.Turn() == game.Player(n%2) {
				r, err := a.Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				m = r.Move
			}
			s.Play(m)
		}
		if s.Utility(game.Player(n%2)) <= 0 {
			t.Errorf("game %d: it lost against random moves: %s", n, s)
		}
	}
}
