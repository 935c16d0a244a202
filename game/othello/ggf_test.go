package othello

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

var ggfProperty = regexp.MustCompile(`([A-Z]{1,2})\[([^]]*)\]`)

// TestWriteGGF reads the properties that are written: the position that a game begins on, its moves,
// passes included, and the result as the servers write it.
func TestWriteGGF(t *testing.T) {
	world := gametest.New(t, New, "othello")
	rng := rand.New(rand.NewPCG(4, 4))
	passes := 0
	for i := range 50 {
		g := &game.Transcript{Names: []string{"a[0]", "b"}, Sides: []int{0, 1}, End: game.OutOfTime, Utility: []float64{-64, 64}}
		s := start()
		for range i % 7 {
			all := s.Moves(nil)
			s.Play(all[rng.IntN(len(all))])
		}
		if i%7 > 0 {
			g.Start = s.String()
		}
		told := []string{s.String()}
		for s.Turn() != game.Nobody && len(g.Moves) < 20+i {
			all := s.Moves(nil)
			m := all[rng.IntN(len(all))]
			square := strings.ToUpper(s.MoveString(m))
			if m == Pass {
				passes++
				square = "PA"
			}
			g.Moves, told = append(g.Moves, m), append(told, "BW"[s.Turn():][:1]+square)
			s.Play(m)
		}
		want := "RE[-64:t]"
		if s.Turn() == game.Nobody {
			g.End, g.Utility = game.Played, []float64{s.Utility(0), s.Utility(1)}
			want = "RE[+"
			if s.Utility(0) < 0 {
				want = "RE[-"
			}
		}
		var file bytes.Buffer
		vectors.Check(ggfFormat.New(&file, world)(g))
		text := file.String()
		var got []string
		for _, p := range ggfProperty.FindAllStringSubmatch(text, -1) {
			switch value := strings.ReplaceAll(p[2], "*", "X"); p[1] {
			case "BO":
				got = append(got, strings.TrimPrefix(value, "8 "))
			case "B", "W":
				got = append(got, p[1]+value)
			}
		}
		if !slices.Equal(got, told) || !strings.Contains(text, want) || !strings.Contains(text, "PB[a 0 ]PW[b]") {
			t.Fatalf("want %q and %s in\n%s", told, want, text)
		}
	}
	if passes == 0 {
		t.Error("no game has a pass")
	}
}

// FuzzTranscript: what is read as a game's moves can be printed and read.
func FuzzTranscript(f *testing.F) {
	for _, text := range []string{"f5d6c3", "F5 D6", "f5pa", "--f5", "f5d6c4d3c3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseTranscript(text)
		if err != nil {
			return
		}
		if again, err := parsePosition(s.String()); err != nil || again.String() != s.String() {
			t.Errorf("%q leads to %s, which reads as %v, %v", text, s, again, err)
		}
	})
}
