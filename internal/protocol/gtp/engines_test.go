package gtp

import (
	"testing"

	"plyfit/game"
	"plyfit/game/gogame"
	"plyfit/game/othello"
	"plyfit/internal/protocol"
	"plyfit/internal/protocol/protocoltest"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// TestRhino: games of GRhino against random moves, passes among them.
func TestRhino(t *testing.T) {
	a := program(t, othelloGame(), "gtp-rhino --level=1", "grhino")
	passes := 0
	const games = 10
	wins := protocoltest.Play(t, othelloGame(), a, games, func(_ game.State, m game.Move, _ *search.Result) {
		if m == othello.Pass {
			passes++
		}
	})
	if wins < games-1 || passes == 0 {
		t.Errorf("it won %d of %d games against random moves, with %d passes", wins, games, passes)
	}
}

// TestGNUGo: games of go on 5x5 by GNU Go, which wins them all against random moves
// and counts what is left as we do.
func TestGNUGo(t *testing.T) {
	g := vectors.Must(gogame.New(game.NewOptions("go", "size=5")))
	a := program(t, g, "gnugo --mode gtp --level 1 --chinese-rules --positional-superko --allow-suicide --capture-all-dead --never-resign", "gnugo")
	if wins := protocoltest.Play(t, g, a, 4, nil); wins != 4 {
		t.Errorf("it won %d of 4 games against random moves", wins)
	}
}

// program is an agent that plays by a program of others.
func program(t *testing.T, g *game.Game, command, pack string) *protocol.Player {
	t.Helper()
	a := vectors.Must(New(Config{Game: g, Launcher: &protocol.Launcher{Command: protocoltest.Engine(t, command, pack)}}))
	t.Cleanup(func() { a.Close() })
	return a
}
