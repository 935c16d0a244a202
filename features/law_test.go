package features_test

import (
	"fmt"
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
)

func TestLaw(t *testing.T) {
	for players := 1; players <= 3; players++ {
		t.Run(fmt.Sprint(players), func(t *testing.T) {
			g := features.Duel(players)
			squares, err := features.Products("duel/squares", features.DuelSet(true), [2]string{"own", "own"})
			if err != nil {
				t.Fatal(err)
			}
			for _, set := range []features.Set{features.DuelSet(false), features.FastDuelSet(true), squares} {
				t.Run(set.Name(), func(t *testing.T) { featuretest.Law(t, g, set) })
			}
		})
	}
}
