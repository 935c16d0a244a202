package featuretest

import (
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// Shipped reads the model at path among those that come with plyfit and binds it
// to set, or fails t.
func Shipped(t testing.TB, g *game.Game, set features.Set, path string) *models.Linear {
	t.Helper()
	f, err := models.LoadFS(models.ShippedFiles(), path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := features.Bind(set, g, f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
