package doudizhu

import (
	"math/rand/v2"
	"testing"

	"plyfit/game"
)

// FuzzParse: what can be read is written and read again as it was, each player's sample
// is of what he knows, and every move can be made and taken back.
func FuzzParse(f *testing.F) {
	var games []*game.Game
	for _, options := range [][]string{nil, {"bid=on", "score=points", "four=off"}} {
		g, err := New(game.NewOptions("doudizhu", options...))
		if err != nil {
			f.Fatal(err)
		}
		games = append(games, g)
	}
	for _, text := range []string{
		"345/6677/2 landlord 0 stake 1 plays 222 turn 1 on 55 by 0", "334/-/- deal", "-/-/- deal",
		"345678899TJQQQK22/34466899TTJQKKAAB/345556778JJKAA22R/37T bid -",
		"34/44455577/88 landlord 0 stake 4 plays 111 turn 1 on 333-A by 2", "3333-45/6/7 landlord 2 stake 3 plays 012 turn 2",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, g := range games {
			s, err := g.Parse(text)
			if err != nil {
				continue
			}
			again, err := g.Parse(s.String())
			if err != nil || again.String() != s.String() || again.Hash() != s.Hash() {
				t.Fatalf("%q is %s, which is read as %v with %v", text, s, again, err)
			}
			h := s.(game.HiddenState)
			for p := range game.Player(Players) {
				drawn := h.Sample(p, rand.New(rand.NewPCG(1, 2))).(game.HiddenState)
				if drawn.Info(p) != h.Info(p) {
					t.Fatalf("%q: player %d knows %s, in a sample %s", s, p, h.Info(p), drawn.Info(p))
				}
			}
			before := s.String()
			for _, m := range s.Moves(nil) {
				name := s.MoveString(m)
				if found, err := g.ParseMove(s, name); err != nil || found != m {
					t.Fatalf("%q: the move %s is read as %d with %v, want %d", s, name, found, err, m)
				}
				s.Play(m)
				s.Undo()
			}
			if s.String() != before {
				t.Fatalf("%q became %q", before, s)
			}
		}
	})
}
