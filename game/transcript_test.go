package game_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/game/gametest"
	"plyfit/game/tictactoe"
)

// TestFormats: every game has JSON lines and plain text, after its own formats,
// which a stranger's game brings in Game.Formats.
func TestFormats(t *testing.T) {
	g := *gametest.New(t, tictactoe.New, "tictactoe")
	g.Formats = []game.Format{{Ext: "ttt", Doc: "squares", New: func(w io.Writer, g *game.Game) func(*game.Transcript) error {
		return func(t *game.Transcript) error {
			_, err := t.Replay(g, func(s game.State, m game.Move) error {
				_, err := io.WriteString(w, s.MoveString(m)+";")
				return err
			})
			return err
		}
	}}}
	slip, err := game.WithSlip(&g, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	all := game.FormatsOf(slip)
	if len(all) != 3 || all[0].Ext != "ttt" || all[1].Ext != "jsonl" || all[2].Ext != "txt" {
		t.Fatalf("formats %v", all)
	}
	// The first move slips, the second does not, the third is not decided yet.
	s := slip.New()
	record := &game.Transcript{Names: []string{"a", "b"}, Sides: []int{0, 1}, End: game.Unfinished}
	var made []string
	for _, name := range []int{0, 4, 2, 2, 1} {
		m := s.Moves(nil)[name]
		record.Moves = append(record.Moves, m)
		s.Play(m)
	}
	plain := g.New()
	for _, name := range []int{4, 2} {
		m := plain.Moves(nil)[name]
		made = append(made, plain.MoveString(m)+";")
		plain.Play(m)
	}
	var own, general bytes.Buffer
	if err := all[0].New(&own, slip)(record); err != nil {
		t.Fatal(err)
	}
	if got, want := own.String(), strings.Join(made, ""); got != want {
		t.Errorf("its own format has %q, want %q", got, want)
	}
	if err := all[1].New(&general, slip)(record); err != nil {
		t.Fatal(err)
	}
	if got := general.String(); strings.Count(got, `","`) < 4 || !strings.Contains(got, ` ~`) || !strings.Contains(got, `"utility":null,"end":"unfinished"`) {
		t.Errorf("JSON has %s", got)
	}
}

// TestUnfold: what a position tells of the moves before it becomes part of the
// record.
func TestUnfold(t *testing.T) {
	g := gametest.New(t, chess.New, "chess")
	s := g.New()
	for _, name := range []string{"Nf3", "Nf6", "Ng1"} {
		m, err := g.ParseMove(s, name)
		if err != nil {
			t.Fatal(err)
		}
		s.Play(m)
	}
	record := &game.Transcript{Start: s.String()}
	m, err := g.ParseMove(s, "Ng8")
	if err != nil {
		t.Fatal(err)
	}
	record.Moves = []game.Move{m}
	whole, err := record.Unfold(g)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Start != g.New().String() || len(whole.Moves) != 4 {
		t.Errorf("from %s, %d moves", whole.Start, len(whole.Moves))
	}
	s.Play(m)
	last, err := whole.Replay(g, func(game.State, game.Move) error { return nil })
	if err != nil || last.Hash() != s.Hash() {
		t.Errorf("%v: ends at %s, want %s", err, last, s)
	}
}

func TestMovetext(t *testing.T) {
	for _, c := range []struct {
		moves  string
		second bool
		want   string
	}{
		{"a b c", false, "7. a b 8. c"},
		{"a b c", true, "7... a 8. b c"},
		{"a", true, "7... a"},
		{"", false, ""},
	} {
		if got := strings.Join(game.Numbered(strings.Fields(c.moves), 7, c.second), " "); got != c.want {
			t.Errorf("%q, second %v: %q, want %q", c.moves, c.second, got, c.want)
		}
	}
	var b bytes.Buffer
	if err := game.WrapWords(&b, strings.Fields("aa bb cc ddddddd e"), 5); err != nil || b.String() != "aa bb\ncc\nddddddd\ne\n" {
		t.Errorf("%v: %q", err, b.String())
	}
	b.Reset()
	game.WriteTag(&b, "Event", `a "b" \c`)
	game.WriteTag(&b, "Site", "")
	if b.String() != "[Event \"a \\\"b\\\" \\\\c\"]\n[Site \"?\"]\n" {
		t.Errorf("%s", b.String())
	}
}
