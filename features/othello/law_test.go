package othello

import (
	"testing"

	"plyfit/features/featuretest"
)

func TestLaw(t *testing.T) {
	g := othelloGame(t)
	for _, set := range Sets(g) {
		t.Run(set.Name(), func(t *testing.T) { featuretest.Law(t, g, set) })
	}
}
