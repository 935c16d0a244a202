package gogame

import (
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
)

// A game of two variations, with stones set up, in the words of FF[3] and of FF[4].
func TestParseSGF(t *testing.T) {
	text := `(;GM[1]FF[4]SZ[5]KM[6.5]C[a \] bracket]
;AB[cc]AW[bb] [dd]PL[W];W[cb](;B[ab];W[];B[tt])(;B[aa]))`
	g, first, moves, err := ParseSGF(text)
	if err != nil {
		t.Fatal(err)
	}
	if g.Spec != "go:size=5,komi=6.5" || first.String() != "5/1O3/2X2/3O1/5 O" {
		t.Errorf("%s from %s, want go:size=5,komi=6.5 from 5/1O3/2X2/3O1/5 O", g.Spec, first)
	}
	var names []string
	for _, m := range moves {
		names = append(names, first.MoveString(m))
	}
	if got := strings.Join(names, " "); got != "C4 A4 pass pass" {
		t.Errorf("the moves are %s, want C4 A4 pass pass", got)
	}
	for _, bad := range []string{
		"", "(", "(;SZ[5]", "(;SZ[20])", "(;GM[2])", "(;SZ[5];B[ff])", "(;SZ[5];B[aa];B[bb])", "(;SZ[5];B[aa];W[aa])", "(;SZ[5]AB[aa][aa])",
		"(;SZ[2]AB[aa][ab][ba][bb])", "(;SZ[5];B[];W[];B[aa])", "(;SZ[5];B[aa", "(;SZ[5];B)", "(;[5])", "(;SZ[5]KM[x])", "(;SZ[5]PL[x])", "(;SZ[5];B[aa]AB[bb])",
		"(;SZ[3]KM[0.3])",
	} {
		if _, _, _, err := ParseSGF(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestSGFRoundTrip writes a game and reads it again, one from the middle too.
func TestSGFRoundTrip(t *testing.T) {
	g := newGame(t, "go:size=5")
	for _, start := range []string{"", "5/1O3/2X2/3O1/5 O moves C4 A4"} {
		s := g.New()
		if start != "" {
			var err error
			if s, err = g.Parse(start); err != nil {
				t.Fatal(err)
			}
		}
		tr := &game.Transcript{Event: "a]b", Names: []string{"first", "second\\"}, Start: start, End: game.Played}
		for _, name := range []string{"A1", "B1", "pass", "E1", "pass", "pass"} {
			m, err := g.ParseMove(s, name)
			if err != nil {
				t.Fatal(err)
			}
			tr.Moves = append(tr.Moves, m)
			s.Play(m)
		}
		tr.Utility = []float64{s.Utility(0), s.Utility(1)}
		var b strings.Builder
		if err := sgf.New(&b, g)(tr); err != nil {
			t.Fatal(err)
		}
		_, first, moves, err := ParseSGF(b.String())
		if err != nil {
			t.Fatalf("%v in %s", err, b.String())
		}
		for _, m := range moves {
			first.Play(m)
		}
		if first.String() != s.String() {
			t.Errorf("%s is read as %s, want %s", b.String(), first, s)
		}
		if want := "RE[W+"; !strings.Contains(b.String(), want) || !strings.Contains(b.String(), `EV[a\]b]`) {
			t.Errorf("%s: want %s and the bracket escaped", b.String(), want)
		}
	}
}

func FuzzParseSGF(f *testing.F) {
	f.Add("(;SZ[5]AB[aa]PL[W];W[bb](;B[cc])(;B[dd]))")
	f.Add("(;GM[1]KM[7.5];B[dd];W[];B[tt])")
	f.Fuzz(func(t *testing.T, text string) {
		g, first, moves, err := ParseSGF(text)
		if err != nil {
			return
		}
		for _, m := range moves {
			first.Play(m)
		}
		if again, err := g.Parse(first.String()); err != nil || again.Hash() != first.Hash() {
			t.Errorf("%q is %s, which is read with %v", text, first, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, newGame(f, "go:size=5"), false, nil, "5/1X3/X1XO1/1XO1O/3O1 X moves A1 pass", "5/5/5/5/5 O moves pass pass")
}
