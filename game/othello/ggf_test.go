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
		begin := ""
		if i%7 > 0 {
			_, s := gametest.Record(world, rng, "", i%7)
			begin = s.String()
		}
		g, end := gametest.Record(world, rng, begin, 20+i)
		g.Names = []string{"a[0]", "b"}
		told := []string{vectors.Must(g.First(world)).String()}
		vectors.Must(g.Replay(world, func(s game.State, m game.Move) error {
			square := strings.ToUpper(s.MoveString(m))
			if m == Pass {
				passes++
				square = "PA"
			}
			told = append(told, "BW"[s.Turn():][:1]+square)
			return nil
		}))
		want := "RE[+"
		if g.End != game.Played {
			g.End, g.Utility, want = game.OutOfTime, []float64{-64, 64}, "RE[-64:t]"
		} else if end.Utility(0) < 0 {
			want = "RE[-"
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
