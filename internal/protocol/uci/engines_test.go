package uci

import (
	"testing"

	"plyfit/game"
	"plyfit/internal/protocol"
	"plyfit/internal/protocol/protocoltest"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// TestEngines: a game each by engines that no one here wrote, against random moves.
func TestEngines(t *testing.T) {
	for command, options := range map[string][]Option{
		"stockfish":      {{"hash", "16"}, {"Skill Level", "20"}},
		"toga2":          {{"OwnBook", "false"}},
		"gnuchess --uci": {{"OwnBook", "false"}},
	} {
		t.Run(command, func(t *testing.T) {
			g := newGame(t, "chess")
			a := vectors.Must(New(Config{Game: g, Launcher: &protocol.Launcher{Command: protocoltest.Engine(t, command, "stockfish toga2 gnuchess")}, Depth: 2, Options: options}))
			defer a.Close()
			mates := 0
			wins := protocoltest.Play(t, g, a, 2, func(s game.State, _ game.Move, r *search.Result) {
				if r == nil {
					return
				}
				if r.Depth < 1 || len(r.Values) != 2 {
					t.Errorf("%s: depth %d, values %v", s, r.Depth, r.Values)
				}
				if s.Play(r.Move); s.Turn() == game.Nobody && r.Value == 1 {
					mates++
				}
				s.Undo()
			})
			if wins != 2 || mates != 2 {
				t.Errorf("it wins %d of 2 games against random moves, and says of %d last moves that they mate", wins, mates)
			}
		})
	}
}
