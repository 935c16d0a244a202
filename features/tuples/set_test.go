package tuples_test

import (
	"testing"

	"plyfit/catalog"
	"plyfit/features/featuretest"
	"plyfit/features/tuples"
	"plyfit/internal/vectors"
)

// boards lists games with boards of various kinds.
var boards = []string{
	"2048", "2048:size=3", "2048:size=2", "connect4", "connect4:columns=5", "connect4:rows=4,columns=4", "connect4:dice=on", "connect4:score=distance",
	"othello", "checkers", "tictactoe",
	"backgammon", "pig", "pig:target=30", "pig:players=3", "doudizhu", "doudizhu:bid=on",
}

func TestLaw(t *testing.T) {
	for _, spec := range boards {
		t.Run(spec, func(t *testing.T) {
			w := vectors.Must(catalog.All().World(spec))
			s := tuples.Set(w.Game)
			n := 0
			for _, b := range s.Blocks() {
				n += b.Len
			}
			t.Log(len(s.Blocks()), n)
			featuretest.Law(t, w.Game, s)
		})
	}
}
