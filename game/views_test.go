package game_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/game/doudizhu"
	"plyfit/game/gametest"
	"plyfit/game/poker"
	"plyfit/game/tictactoe"
	"plyfit/internal/vectors"
)

// recorded returns the text of tr in the format with the extension ext.
func recorded(t *testing.T, g *game.Game, ext string, tr *game.Transcript) string {
	t.Helper()
	f := vectors.Must(game.FormatFor(g, "x."+ext))
	var b bytes.Buffer
	vectors.Check(f.New(&b, g)(tr))
	return b.String()
}

// viewsOf returns the views of a game from its JSON line and from its plain text.
func viewsOf(t *testing.T, g *game.Game, tr *game.Transcript) (views, text []string) {
	t.Helper()
	var line struct{ Moves, Views []string }
	vectors.Check(json.Unmarshal([]byte(recorded(t, g, "jsonl", tr)), &line))
	if g.Hidden && len(line.Views) != len(line.Moves) {
		t.Fatalf("%s: %d views of %d moves", g.Spec, len(line.Views), len(line.Moves))
	}
	for l := range strings.Lines(recorded(t, g, "txt", tr)) {
		if strings.HasPrefix(l, "view ") {
			text = append(text, strings.TrimSpace(l))
		}
	}
	return line.Views, text
}

// TestViews checks that the record of a game with hidden cards contains what the mover knew before
// each move. The recorded view must stay the same if the true position is replaced with another
// from the mover's information set.
func TestViews(t *testing.T) {
	for name, make := range map[string]gametest.Maker{"kuhn": poker.NewKuhn, "leduc": poker.NewLeduc, "doudizhu": doudizhu.New} {
		g := gametest.New(t, make, name)
		rng := rand.New(rand.NewPCG(1, 2))
		drawn := 0
		for range 5 {
			s, whole := g.New(), &game.Transcript{}
			var want, wantText []string
			for s.Turn() != game.Nobody {
				moves := s.Moves(nil)
				m, view := moves[rng.IntN(len(moves))], ""
				if p := s.Turn(); p >= 0 {
					h := s.(game.HiddenState)
					view = h.Info(p)
					text := fmt.Sprintf("view %d    %s, plays %s", p, view, s.MoveString(m))
					wantText = append(wantText, text)
					other := h.Sample(p, rng)
					if other.String() != s.String() {
						drawn++
					}
					one := &game.Transcript{Start: other.String(), Moves: []game.Move{m}}
					if views, texts := viewsOf(t, g, one); views[0] != view || len(texts) != 1 || texts[0] != text {
						t.Fatalf("%s at %s: views %q and %q, want %q", name, other, views, texts, view)
					}
				}
				want = append(want, view)
				whole.Moves = append(whole.Moves, m)
				s.Play(m)
			}
			views, texts := viewsOf(t, g, whole)
			if got, want := fmt.Sprintf("%q", views), fmt.Sprintf("%q", want); got != want {
				t.Errorf("%s: views %s, want %s", name, got, want)
			}
			if got, want := fmt.Sprintf("%q", texts), fmt.Sprintf("%q", wantText); got != want {
				t.Errorf("%s: text %s, want %s", name, got, want)
			}
		}
		if drawn == 0 {
			t.Errorf("%s: no position was another than the true one", name)
		}
	}
}

// TestNoViews checks that records contain no views if nothing is hidden.
func TestNoViews(t *testing.T) {
	for _, g := range []*game.Game{gametest.New(t, tictactoe.New, "tictactoe"), gametest.New(t, poker.NewKuhn, "kuhn").Open()} {
		tr := &game.Transcript{Moves: []game.Move{g.New().Moves(nil)[0]}}
		if all := recorded(t, g, "jsonl", tr) + recorded(t, g, "txt", tr); strings.Contains(all, "view") {
			t.Errorf("%s: %s", g.Spec, all)
		}
		if v := g.View(g.New(), 0); v != "" {
			t.Errorf("%s: view %q", g.Spec, v)
		}
	}
}

// TestFormats checks that a game's own formats, which Game.Formats lists, are followed by JSON
// lines and plain text.
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
	slip := vectors.Must(game.WithSlip(&g, 0.5))
	all := game.FormatsOf(slip)
	if len(all) != 3 || all[0].Ext != "ttt" || all[1].Ext != "jsonl" || all[2].Ext != "txt" {
		t.Fatalf("formats %v", all)
	}
	// The first move slips, the second does not, and the third is not yet decided.
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
	vectors.Check(all[0].New(&own, slip)(record))
	if got, want := own.String(), strings.Join(made, ""); got != want {
		t.Errorf("its own format has %q, want %q", got, want)
	}
	vectors.Check(all[1].New(&general, slip)(record))
	if got := general.String(); strings.Count(got, `","`) < 4 || !strings.Contains(got, ` ~`) || !strings.Contains(got, `"utility":null,"end":"unfinished"`) {
		t.Errorf("JSON has %s", got)
	}
}

// TestUnfold checks that the moves before a position become part of the record.
func TestUnfold(t *testing.T) {
	g := gametest.New(t, chess.New, "chess")
	s := g.New()
	for _, name := range []string{"Nf3", "Nf6", "Ng1"} {
		m := vectors.Must(g.ParseMove(s, name))
		s.Play(m)
	}
	record := &game.Transcript{Start: s.String()}
	m := vectors.Must(g.ParseMove(s, "Ng8"))
	record.Moves = []game.Move{m}
	whole, first, err := record.Unfold(g)
	if err != nil || whole.Start != g.New().String() || first.String() != whole.Start || len(whole.Moves) != 4 {
		t.Errorf("from %s, %s, %d moves, %v", whole.Start, first, len(whole.Moves), err)
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
