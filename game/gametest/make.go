package gametest

import (
	"errors"
	"strings"
	"testing"

	"plyfit/game"
)

// Maker is a game package's New.
type Maker = func(*game.Options) (*game.Game, error)

// New is the game that a user's spec without wrappers names, such as "2048:size=3", made by its
// package's New; t fails where there is none, or where the Spec that it gives itself makes another.
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

// Fault fails t unless g refuses text by a [game.PositionError] at byte at that wants
// something of want.
func Fault(t testing.TB, g *game.Game, text string, at int, want string) {
	t.Helper()
	s, err := g.Parse(text)
	var fault *game.PositionError
	if !errors.As(err, &fault) || fault.At != at || !strings.Contains(fault.Want, want) {
		t.Errorf("%s %.60q: %v, %v; want a fault at byte %d that mentions %q", g.Spec, text, s, err, at, want)
	}
}

// FuzzParse holds every text that g reads as a position to being printed as one that is read as the
// same; exactly as it is where exact is set. more, unless nil, looks at it, too.
func FuzzParse(f *testing.F, g *game.Game, exact bool, more func(t *testing.T, s game.State), texts ...string) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := g.Parse(text)
		if err != nil {
			return
		}
		again, err := g.Parse(s.String())
		if err != nil || again.String() != s.String() || again.Hash() != s.Hash() || again.Turn() != s.Turn() || exact && s.String() != text {
			t.Fatalf("%q prints as %q, which is read as %v, %v", text, s, again, err)
		}
		if more != nil {
			more(t, s)
		}
	})
}
