package features_test

import (
	"fmt"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
)

func TestLaw(t *testing.T) {
	for players := 1; players <= 3; players++ {
		t.Run(fmt.Sprint(players), func(t *testing.T) {
			g := features.Duel(players)
			squares := features.With("duel/more", features.DuelSet(true), features.Feature{Name: "turn", Value: func(s game.State, p game.Player) float64 {
				if s.Turn() == p {
					return 1
				}
				return 0
			}})
			for _, set := range []features.Set{features.DuelSet(false), features.FastDuelSet(true), squares} {
				t.Run(set.Name(), func(t *testing.T) { featuretest.Law(t, g, set) })
			}
		})
	}
}
