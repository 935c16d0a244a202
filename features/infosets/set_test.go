package infosets_test

import (
	"slices"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/features/infosets"
	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/game/kuhn"
	"plyfit/game/leduc"
)

// names are the columns of a set.
func names(set features.Set) (all []string) {
	for _, b := range set.Blocks() {
		all = append(all, b.Name)
	}
	return all
}

// TestColumns: there is a column for each line that a player is told, letters left out
// apart, and the position has its own and no other.
func TestColumns(t *testing.T) {
	for _, c := range []struct {
		make          gametest.Maker
		spec, without string
		columns       int
	}{
		{kuhn.New, "kuhn", "", 59},
		{leduc.New, "leduc", "sh", 1445},
	} {
		g := gametest.New(t, c.make, c.spec)
		set := infosets.New(c.spec+"/all", g, c.without)
		featuretest.Law(t, g, set)
		all := names(set)
		if len(all) != c.columns {
			t.Errorf("%s has %d columns, want %d", c.spec, len(all), c.columns)
		}
		for position, want := range map[string]string{"2 0 pb": "2 ? pb", "Ks Qh rc Jh cr": "K ? rc J cr", "0 1 pbp": "0 ? pbp"} {
			s, err := g.Parse(position)
			if err != nil {
				continue // of the other game
			}
			x := set.Extract(s, 0, nil)
			if len(x) != 1 || x[0].Value != 1 || all[x[0].Index] != want {
				t.Errorf("%s: %v, want the column %q", position, x, want)
			}
			if p := s.Turn(); p == 0 && set.View(s) != p {
				t.Errorf("%s is seen by %d", position, set.View(s))
			}
		}
	}
}

// TestLines: a line without garbage is the one that Info gives.
func TestLines(t *testing.T) {
	for spec, make := range map[string]gametest.Maker{"kuhn:players=3": kuhn.New, "leduc": leduc.New} {
		g := gametest.New(t, make, spec)
		seen := []string{}
		for seed := range uint64(20) {
			s := g.New()
			for s.Turn() != game.Nobody {
				moves := s.Moves(nil)
				s.Play(moves[game.Mix(seed+uint64(len(s.String())))%uint64(len(moves))])
				for p := range game.Player(g.Players) {
					want := s.(game.HiddenState).Info(p)
					if got := string(s.(infosets.State).AppendInfo([]byte("x "), p)); got != "x "+want {
						t.Fatalf("%q, want %q behind x", got, want)
					}
					seen = append(seen, want)
				}
			}
		}
		slices.Sort(seen)
		if len(slices.Compact(seen)) < 20 {
			t.Errorf("%s: too few lines to tell", spec)
		}
	}
}
