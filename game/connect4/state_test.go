package connect4

import (
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/spec"
)

func make4(t testing.TB, text string) *game.Game {
	t.Helper()
	s, err := spec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(s.Options)
	if err != nil {
		t.Fatal(err)
	}
	if g.Spec != text {
		t.Fatalf("spec %q, want %q", g.Spec, text)
	}
	return g
}

func TestLaw(t *testing.T) {
	for _, text := range []string{
		"connect4", "connect4:score=distance", "connect4:dice=on", "connect4:score=distance,dice=on",
		"connect4:columns=5,rows=4", "connect4:columns=4,rows=15,score=distance", "connect4:columns=12,rows=4,dice=on",
		"connect4:columns=9,rows=5", "connect4:columns=8,rows=7,score=distance",
	} {
		t.Run(text, func(t *testing.T) {
			gametest.Law(t, make4(t, text))
		})
	}
}

func TestBadOptions(t *testing.T) {
	for _, text := range []string{
		"connect4:columns=3", "connect4:columns=9,rows=7", "connect4:rows=16", "connect4:score=length",
		"connect4:dice=yes", "connect4:colums=7",
	} {
		s, err := spec.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if g, err := New(s.Options); err == nil {
			t.Errorf("%s makes %s, want an error", text, g.Spec)
		}
	}
}
