package othello

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

// TestWriteGGF: what is written is read again, passes and other positions included,
// and tells the result as the servers do.
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
		first, before := s.String(), passes
		for s.Turn() != game.Nobody && len(g.Moves) < 20+i {
			all := s.Moves(nil)
			m := all[rng.IntN(len(all))]
			if m == Pass {
				passes++
			}
			g.Moves = append(g.Moves, m)
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
		begin, moves, err := parseGGF(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if begin.String() != first || len(moves) != len(g.Moves) || !strings.Contains(text, want) || !strings.Contains(text, "PB[a 0 ]PW[b]") || strings.Count(text, "[PA]") != passes-before {
			t.Fatalf("from %s, %d moves: want %s, %d moves and %s in\n%s", begin, len(moves), first, len(g.Moves), want, text)
		}
		for k, m := range moves {
			if m != g.Moves[k] {
				t.Fatalf("move %d is %v, want %v", k, m, g.Moves[k])
			}
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
