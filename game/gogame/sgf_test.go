package gogame

import (
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
)

// TestSGF: a game is written as the format has it, one from the middle too.
func TestSGF(t *testing.T) {
	g := newGame(t, "go:size=5")
	for start, want := range map[string]string{
		"":                              `(;GM[1]FF[4]CA[UTF-8]AP[plyfit]SZ[5]KM[7.5]RE[W+8.5]RU[Tromp-Taylor]EV[a\]b]PB[first]PW[second\\];B[ae];W[be];B[];W[ee];B[];W[])`,
		"5/1O3/2X2/3O1/5 O moves C4 A4": `(;GM[1]FF[4]CA[UTF-8]AP[plyfit]SZ[5]KM[7.5]RE[W+7.5]RU[Tromp-Taylor]EV[a\]b]PB[first]PW[second\\]AB[cc]AW[dd][bb]PL[W];W[cb];B[ab];W[ae];B[be];W[];B[ee];W[];B[])`,
	} {
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
		if got := strings.TrimSpace(b.String()); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, newGame(f, "go:size=5"), false, nil, "5/1X3/X1XO1/1XO1O/3O1 X moves A1 pass", "5/5/5/5/5 O moves pass pass")
}
