package othello

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
)

// TestWriteGGF: the board and the moves that are written lead to the same position, passes included,
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
		first := s.String()
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
		if err := ggfFormat.New(&file, world)(g); err != nil {
			t.Fatal(err)
		}
		text := file.String()
		board := "BO[8 " + strings.ReplaceAll(first, "X", "*") + "]"
		if !strings.Contains(text, want) || !strings.Contains(text, "PB[a 0 ]PW[b]") || !strings.Contains(text, board) {
			t.Fatalf("want %s, the names and %s in\n%s", want, board, text)
		}
		again, err := ParsePosition(first)
		if err != nil {
			t.Fatal(err)
		}
		for _, move := range regexp.MustCompile(`([BW])\[(\w+)\]`).FindAllStringSubmatch(text[strings.Index(text, board)+len(board):], -1) {
			m, err := world.ParseMove(again, move[2])
			if err != nil || move[1] != "BW"[again.Turn():again.Turn()+1] {
				t.Fatalf("%s at %s: %v", move[0], again, err)
			}
			again.Play(m)
		}
		if again.String() != s.String() {
			t.Fatalf("leads to %s, want %s:\n%s", again, s, text)
		}
	}
	if passes == 0 {
		t.Error("no game has a pass")
	}
}

// FuzzTranscript: what is taken for a game's moves can be printed and read.
func FuzzTranscript(f *testing.F) {
	for _, text := range []string{"f5d6c3", "F5 D6", "f5pa", "--f5", "f5d6c4d3c3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseTranscript(text)
		if err != nil {
			return
		}
		if again, err := parse(s.String()); err != nil || again.String() != s.String() {
			t.Errorf("%q leads to %s, which reads as %v, %v", text, s, again, err)
		}
	})
}
