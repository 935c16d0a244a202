package gametest

import (
	"errors"
	"strings"
	"testing"

	"plyfit/game"
)

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

// FuzzParse holds every text that g reads as a position to being printed as one that is
// read as the same; exactly as it is where exact is set. more, unless nil, looks at it,
// too.
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
