package catalog_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// TestLevels checks the levels of all games, of variants and of worlds with slips. There must be
// three levels with descriptions and without time limits, and the page must be able to create their
// agents. In a browser, the hard level must differ if and only if it limits nodes.
func TestLevels(t *testing.T) {
	page := catalog.Limits{Depth: 12, Megabytes: 64, Samples: 100_000, Threads: 1}
	native, browser := catalog.All().For(catalog.Access{Limits: page}), page
	browser.Browser = true
	var worlds []string
	for _, e := range catalog.All() {
		worlds = append(worlds, e.Name, e.Name+"+slip=0.1")
	}
	for _, spec := range append(worlds, "connect4:columns=8", "pig:players=3", "2048:size=3+adversary", "othello:score=win") {
		w, err := native.World(spec)
		if err != nil {
			if strings.Contains(spec, "+slip") { // the game does not support slips
				continue
			}
			t.Fatal(err)
		}
		levels := w.Levels()
		lower := vectors.Must(catalog.All().For(catalog.Access{Limits: browser}).World(spec)).Levels()
		for i, l := range levels {
			if l.Name != []string{"easy", "medium", "hard"}[i] || l.Doc == "" || strings.Contains(l.Agent, "time=") {
				t.Errorf("%s: level %+v", spec, l)
			}
			if _, err := w.Agent(l.Agent, catalog.AgentOptions{}); err != nil {
				t.Errorf("%s, %s: %v", spec, l.Name, err)
			}
		}
		if hard, less := levels[2].Agent, lower[2].Agent; len(levels) != 3 || strings.Contains(hard, "nodes=") == (hard == less) {
			t.Errorf("%s: levels %v, in a browser %v", spec, levels, lower)
		}
	}
}

// TestLevelsBeat plays each level against the next lower one in all two-player games with perfect
// information whose levels differ enough. In the long version, the lower bound of the score must be
// at least 60%, with the native program's node limits. The short version requires 50%, and omits
// the level hard except in connect four.
func TestLevelsBeat(t *testing.T) {
	for _, e := range catalog.All() {
		w := vectors.Must(catalog.All().For(catalog.Access{Limits: catalog.Limits{Browser: !vectors.Long()}}).World(e.Name))
		if w.Players != 2 || w.Hidden || slices.Contains([]string{"tictactoe", "tree", "pig"}, e.Name) {
			continue
		}
		levels, cfg, least := w.Levels(), arena.Config{Game: w.Game, Pairs: 10, Seed: 1}, 0.5
		if !w.Chancy() {
			cfg.Openings.Plies = 6
		}
		if vectors.Long() {
			cfg.Pairs, least = 200, 0.6
		} else if e.Name != "connect4" {
			levels = levels[:2]
		}
		for i := 1; i < len(levels); i++ {
			cfg.A = vectors.Must(w.Agent(levels[i].Agent, catalog.AgentOptions{})).Factory
			cfg.B = vectors.Must(w.Agent(levels[i-1].Agent, catalog.AgentOptions{})).Factory
			r := vectors.Must(arena.Run(t.Context(), cfg))
			t.Logf("%s: %s against %s: %s of the points in %d pairs", e.Name, levels[i].Name, levels[i-1].Name, r.Points.Percent(), cfg.Pairs)
			if r.Points.Low < least {
				t.Errorf("%s: %s against %s: %s of the points, want a lower bound of %v", e.Name, levels[i].Name, levels[i-1].Name, r.Points.Percent(), least)
			}
		}
	}
}

// TestMediumBlocks checks that the medium level blocks open threes in connect four: it must not
// play a move that loses within the opponent's next two moves if another move avoids this.
func TestMediumBlocks(t *testing.T) {
	w := vectors.Must(catalog.All().World("connect4"))
	agent := func(spec string) search.Agent {
		return vectors.Must(vectors.Must(w.Agent(spec, catalog.AgentOptions{})).New())
	}
	medium, exact := agent(w.Levels()[1].Agent), agent("minimax:depth=3,eval=zero")
	loses := func(s game.State, m game.Move) bool { // reports whether m loses within three plies
		s.Play(m)
		defer s.Undo()
		return s.Turn() != game.Nobody && vectors.Must(exact.Search(t.Context(), s)).Value == 1
	}
	rng, decisions, threats := rand.New(rand.NewPCG(59, 1)), 0, 0
	for range 600 {
		s := w.New()
		for first := rng.IntN(2); s.Turn() != game.Nobody; {
			moves := s.Moves(nil)
			if int(s.Turn()) == first {
				s.Play(moves[rng.IntN(len(moves))])
				continue
			}
			m := vectors.Must(search.Move(t.Context(), medium, s))
			losing := 0
			for _, other := range moves {
				if loses(s, other) {
					losing++
				}
			}
			if decisions++; losing > 0 && losing < len(moves) {
				if threats++; loses(s, m) {
					t.Errorf("at %s medium plays %s, which loses to an open three", s, s.MoveString(m))
				}
			}
			s.Play(m)
		}
	}
	if t.Logf("%d decisions, %d of them with a threat", decisions, threats); threats < 100 {
		t.Errorf("%d decisions with a threat: want 100", threats)
	}
}
