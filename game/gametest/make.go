package gametest

import (
	"testing"

	"plyfit/game"
)

// Maker is a game package's New.
type Maker = func(*game.Options) (*game.Game, error)

// New is the game that a user's spec without wrappers names, such as
// "2048:size=3", made by its package's New; t fails where there is none, or where
// the Spec that it gives itself makes another.
func New(t testing.TB, make Maker, text string) *game.Game {
	t.Helper()
	g := read(t, make, text)
	if again := read(t, make, g.Spec); again.Spec != g.Spec {
		t.Fatalf("%s calls itself %s, and that %s", text, g.Spec, again.Spec)
	}
	return g
}

func read(t testing.TB, make Maker, text string) *game.Game {
	t.Helper()
	s, err := game.ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Wrappers) > 0 {
		t.Fatalf("%s: want a game without wrappers", text)
	}
	g, err := make(s.Options)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Refuse fails t where make takes one of the specs: options out of their range,
// keys that no one knows.
func Refuse(t testing.TB, make Maker, texts ...string) {
	t.Helper()
	for _, text := range texts {
		s, err := game.ParseSpec(text)
		if err != nil {
			t.Fatal(err)
		}
		if g, err := make(s.Options); err == nil {
			t.Errorf("%s makes %s, want an error", text, g.Spec)
		}
	}
}
