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

func TestTranscript(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"f5", "---------------------------OX------XXX-------------------------- O"},
		{"F5d6", "---------------------------OX------OXX-----O-------------------- X"},
		{"f5 D6 c3", "------------------X--------XX------OXX-----O-------------------- O"},
		// The shortest wipe-out takes nine moves.
		{"e6f4e3f6g5d6e7f5c5", "--------------------X------XXX----XXXXX----XXX------X----------- -"},
	} {
		s, err := parseTranscript(c.text)
		if err != nil || s.String() != c.want {
			t.Errorf("%q: %v, %v; want %s", c.text, s, err, c.want)
			continue
		}
		again, err := parsePosition(c.text)
		if err != nil || again.Hash() != s.Hash() {
			t.Errorf("ParsePosition(%q): %v, %v", c.text, again, err)
		}
	}
	s, _ := parseTranscript("e6f4e3f6g5d6e7f5c5")
	if u := s.Utility(0); u != 64 {
		t.Errorf("the wipe-out is worth %v, want 64", u)
	}
}

func TestBadPositions(t *testing.T) {
	start := start().String()
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{start[:63], 63, "63 squares"},
		{start[:63] + " X", 63, "63 squares"},
		{start[:64] + "- X", 64, "64 squares"},
		{start[:64], 64, "side"},
		{start[:64] + " ", 65, "side"},
		{start[:64] + " Z", 65, "side"},
		{start[:64] + " XO", 65, "side"},
		{start[:64] + " -", 65, "not over"},
		{start[:10] + "Q" + start[11:], 10, "X, O or -"},
		{"f5f5", 2, "one of f4 d6 f6"},
		{"f5d", 2, "a square"},
		{"f5--", 2, "cannot pass"},
		{"a1", 0, "one of"},
		{"e6f4e3f6g5d6e7f5c5a1", 18, "over"},
	} {
		gametest.Fault(t, gametest.New(t, New, "othello"), c.text, c.at, c.want)
	}
}

func TestParseMove(t *testing.T) {
	g := gametest.New(t, New, "othello")
	for text, want := range map[string]game.Move{"f5": 37, "F5": 37, "d3": 19} {
		if m, err := g.ParseMove(g.New(), text); err != nil || m != want {
			t.Errorf("%s: %d, %v; want %d", text, m, err, want)
		}
	}
	for _, text := range []string{"", "pass", "a1", "f9", "f55"} {
		if m, err := g.ParseMove(g.New(), text); err == nil || m != game.NoMove {
			t.Errorf("%q: %d, %v; want an error", text, m, err)
		}
	}
	s := vectors.Must(g.Parse(strings.Repeat("X", 62) + "O- X")) // h8 flips g8, which now belongs to X
	if m, err := g.ParseMove(s, "H8"); err != nil || m != 63 {
		t.Errorf("H8: %d, %v", m, err)
	}
	s, _ = g.Parse(strings.Repeat("X", 62) + "O- O")
	for _, text := range []string{"pass", "PA", "--"} {
		if m, err := g.ParseMove(s, text); err != nil || m != Pass {
			t.Errorf("%s: %d, %v", text, m, err)
		}
	}
}

func TestBoard(t *testing.T) {
	want := `    a b c d e f g h
  1                 1   ● X  2
  2                 2   ○ O  2
  3       ·         3
  4     · ○ ●       4   ● X to move
  5       ● ○ ·     5
  6         ·       6
  7                 7
  8                 8
    a b c d e f g h
`
	if got := start().Draw(false); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	gametest.FuzzParse(f, gametest.New(f, New, "othello"), false, func(t *testing.T, s game.State) {
		if x, o := Of(s).Discs(); x&o != 0 {
			t.Errorf("%q: a square with two discs", s)
		}
	}, start().String(), "f5d6c3d3c4", "e6f4e3f6g5d6e7f5c5", strings.Repeat("X", 62)+"O- O", strings.Repeat("-", 64)+" -")
}

var ggfProperty = regexp.MustCompile(`([A-Z]{1,2})\[([^]]*)\]`)

// TestWriteGGF reads the properties of written games. It checks the first position, the moves
// (including passes), and the result, which is in the servers' notation.
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
		positions := []string{vectors.Must(g.First(world)).String()}
		vectors.Must(g.Replay(world, func(s game.State, m game.Move) error {
			square := strings.ToUpper(s.MoveString(m))
			if m == Pass {
				passes++
				square = "PA"
			}
			positions = append(positions, "BW"[s.Turn():][:1]+square)
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
		if !slices.Equal(got, positions) || !strings.Contains(text, want) || !strings.Contains(text, "PB[a 0 ]PW[b]") {
			t.Fatalf("want %q and %s in\n%s", positions, want, text)
		}
	}
	if passes == 0 {
		t.Error("no game has a pass")
	}
}

// FuzzTranscript checks that a position read from a transcript can be printed and read back.
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
