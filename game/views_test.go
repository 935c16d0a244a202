package game_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/doudizhu"
	"plyfit/game/gametest"
	"plyfit/game/kuhn"
	"plyfit/game/leduc"
	"plyfit/game/tictactoe"
)

// recorded is t in the format that ends in ext.
func recorded(t *testing.T, g *game.Game, ext string, tr *game.Transcript) string {
	t.Helper()
	f, err := game.FormatFor(g, "x."+ext)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.New(&b, g)(tr); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// viewsOf are the views in a game's line of JSON, and in its plain text.
func viewsOf(t *testing.T, g *game.Game, tr *game.Transcript) (views, text []string) {
	t.Helper()
	var line struct{ Moves, Views []string }
	if err := json.Unmarshal([]byte(recorded(t, g, "jsonl", tr)), &line); err != nil {
		t.Fatal(err)
	}
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

// TestViews: a record of a game with hidden cards has what the mover knew before each
// of his moves. It stays as it is where another position that he cannot tell from the
// true one stands in its place.
func TestViews(t *testing.T) {
	for name, make := range map[string]gametest.Maker{"kuhn": kuhn.New, "leduc": leduc.New, "doudizhu": doudizhu.New} {
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

// TestNoViews: where nothing is hidden, records have none.
func TestNoViews(t *testing.T) {
	for _, g := range []*game.Game{gametest.New(t, tictactoe.New, "tictactoe"), gametest.New(t, kuhn.New, "kuhn").Open()} {
		tr := &game.Transcript{Moves: []game.Move{g.New().Moves(nil)[0]}}
		if all := recorded(t, g, "jsonl", tr) + recorded(t, g, "txt", tr); strings.Contains(all, "view") {
			t.Errorf("%s: %s", g.Spec, all)
		}
		if v := g.View(g.New(), 0); v != "" {
			t.Errorf("%s: view %q", g.Spec, v)
		}
	}
}
