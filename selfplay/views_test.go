package selfplay

import (
	"math/rand/v2"
	"testing"

	"plyfit/game"
	"plyfit/search"
)

// TestViews: a data set of a game with hidden cards has what the mover knew beside
// each position, which does not depend on what he cannot see; others have nothing.
func TestViews(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"kuhn", "leduc", "doudizhu", "connect4"} {
		cfg := config(t, name, 20)
		cfg.Agents = []search.Factory{random(cfg.Game)}
		run(t, cfg)
		others := 0
		for _, r := range records(t, cfg.Dir) {
			s, err := cfg.Game.Parse(r.Position)
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			if cfg.Game.Hidden {
				drawn := s.(game.HiddenState).Sample(r.Mover, rng)
				if drawn.String() != r.Position {
					others++
				}
				want = drawn.(game.HiddenState).Info(r.Mover)
			}
			if r.View != want {
				t.Fatalf("%+v: want the view %q", r, want)
			}
		}
		if cfg.Game.Hidden && others == 0 {
			t.Errorf("%s: no position was another than the true one", name)
		}
	}
}
