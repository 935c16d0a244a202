package gametest

import (
	"errors"
	"strings"
	"testing"

	"plyfit/game"
)

// Maker is the type of the function New in a game's package.
type Maker = func(*game.Options) (*game.Game, error)

// New creates a game from a spec without wrappers, such as "2048:size=3". make is the function New
// in the game's package. t fails if the spec is invalid, or if the game's Spec creates a game with
// a different Spec.
func New(t testing.TB, make Maker, text string) *game.Game {
	t.Helper()
	g := read(t, make, text)
	if again := read(t, make, g.Spec); again.Spec != g.Spec {
		t.Fatalf("%s has the Spec %s, but a game made from it has the Spec %s", text, g.Spec, again.Spec)
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

// Refuse fails t if make accepts one of the specs, which have invalid options or unknown keys.
func Refuse(t testing.TB, make Maker, texts ...string) {
	t.Helper()
	for _, text := range texts {
		s, err := game.ParseSpec(text)
		if err != nil {
			t.Fatal(err)
		}
		if g, err := make(s.Options); err == nil {
			t.Errorf("%s makes %s; want an error", text, g.Spec)
		}
	}
}

// Fault fails t unless parsing text returns a [game.PositionError] at the given byte whose Want
// contains the text want.
func Fault(t testing.TB, g *game.Game, text string, at int, want string) {
	t.Helper()
	s, err := g.Parse(text)
	var fault *game.PositionError
	if !errors.As(err, &fault) || fault.At != at || !strings.Contains(fault.Want, want) {
		t.Errorf("%s %.60q: %v, %v; want a fault at byte %d that mentions %q", g.Spec, text, s, err, at, want)
	}
}

// FuzzParse checks every text that g accepts. Printing and reparsing the position must not change
// it. If exact is set, the printed text must also equal the input. If more is not nil, it is called
// for each position.
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
