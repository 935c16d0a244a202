package othello

import (
	"testing"

	"plyfit/game"
	rules "plyfit/game/othello"
	"plyfit/internal/spec"
)

func othelloGame(t testing.TB) *game.Game {
	t.Helper()
	g, err := rules.New(spec.NewOptions("othello"))
	if err != nil {
		t.Fatal(err)
	}
	return g
}
