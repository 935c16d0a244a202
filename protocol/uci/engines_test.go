package uci

import (
	"context"
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/protocol"
)

// TestEngines: a game each by engines that nobody here wrote, against random moves.
func TestEngines(t *testing.T) {
	for command, options := range map[string][]Option{
		"stockfish":      {{"hash", "16"}, {"Skill Level", "20"}},
		"toga2":          {{"OwnBook", "false"}},
		"gnuchess --uci": {{"OwnBook", "false"}},
	} {
		t.Run(command, func(t *testing.T) {
			c, err := protocol.ReadCommand(command)
			if err != nil {
				t.Skipf("%v: apt-get install stockfish toga2 gnuchess", err)
			}
			g := newGame(t, "chess")
			a, err := New(Config{Game: g, Launcher: &protocol.Launcher{Command: c}, Depth: 2, Options: options})
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			rng := rand.New(rand.NewPCG(5, 5))
			for seat := range 2 {
				a.Begin(1)
				s := g.New()
				mated := false
				for ply := 0; ply < 200 && s.Turn() != game.Nobody; ply++ {
					moves := s.Moves(nil)
					m := moves[rng.IntN(len(moves))]
					if s.Turn() == game.Player(seat) {
						r, err := a.Search(context.Background(), s)
						if err != nil {
							t.Fatal(err)
						}
						if r.Depth < 1 || len(r.Values) != 2 {
							t.Errorf("%s: depth %d, values %v", s, r.Depth, r.Values)
						}
						mated = r.Value == 1
						m = r.Move
					}
					s.Play(m)
				}
				if s.Turn() != game.Nobody || s.Utility(game.Player(seat)) != 1 {
					t.Errorf("it does not win against random moves: %s", s)
				} else if !mated {
					t.Error("it did not say that its last move mates")
				}
			}
		})
	}
}
