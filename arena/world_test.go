package arena

import (
	"strings"
	"testing"

	"plyfit/game"
	g2048 "plyfit/game/2048"
	"plyfit/game/pig"
	"plyfit/search"
)

func catalogGame(t testing.TB, text string) *game.Game {
	t.Helper()
	s, err := game.ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	make := map[string]func(*game.Options) (*game.Game, error){"2048": g2048.New, "pig": pig.New}[s.Name]
	g, err := make(s.Options)
	if err != nil {
		t.Fatal(err)
	}
	if g, err = s.Wrap(g); err != nil {
		t.Fatal(err)
	}
	return g
}

func planner(t testing.TB, name string, g *game.Game, depth int) search.Factory {
	return search.Factory{Name: name, New: func() (search.Agent, error) {
		if strings.HasPrefix(name, "minimax") {
			return search.NewMinimax(search.Options{Game: g, Eval: search.Zero(g), Depth: depth})
		}
		return search.NewExpectimax(search.Options{Game: g, Eval: search.Zero(g), Depth: depth})
	}}
}

// The cells of planner and world in 2048. By chance expectimax, which knows
// that world, wins. Against nature in person the pair is A and B in turn as
// player 0; who wins there hangs on how deep nature looks (at 1, which this is,
// expectimax still does), so that the test asks only for a match that counts.
func TestPlannersAndWorlds(t *testing.T) {
	chance := catalogGame(t, "2048:size=3")
	r := mustRun(t, Config{Game: chance, A: planner(t, "expectimax", chance, 2), B: planner(t, "minimax", chance, 2), Pairs: 60, Seed: 1, Workers: 2})
	t.Log(r.Sentence)
	if r.Mode != Solo || r.Conclusion != BetterA {
		t.Errorf("chance: %s", r.Text())
	}
	hostile := catalogGame(t, "2048:size=3+adversary")
	nature := planner(t, "minimax", hostile, 1)
	r = mustRun(t, Config{Game: hostile, A: planner(t, "expectimax", hostile, 2), B: planner(t, "minimax", hostile, 2), Nature: &nature, Pairs: 40, Seed: 1, Workers: 2,
		Openings: Openings{Plies: 12}})
	t.Log(r.Sentence)
	if r.Mode != Solo || r.Nature != "minimax" || r.Independent != 40 || r.UtilityB.Value <= 0 {
		t.Errorf("adversary: %s", r.Text())
	}
}

// In pig an agent that always rolls never banks anything and loses every game
// to one that draws its moves, with two players and with three; thirty pairs
// are enough to say so though they all end alike.
func TestPig(t *testing.T) {
	for _, text := range []string{"pig:target=20", "pig:target=20,players=3"} {
		g := catalogGame(t, text)
		r := mustRun(t, Config{Game: g, A: randomly("random"), B: first("first"), Pairs: 30, Seed: 2, Workers: 2})
		t.Log(text, r.Sentence)
		if r.Wins+r.Draws+r.Losses != r.Games || r.Conclusion != BetterA {
			t.Errorf("%s: %+v", text, r)
		}
	}
}

// An agent against itself in a game of points gets the same in every pair. That is said
// in so many words: the most that there is to score is no error bar.
func TestAlikeInPoints(t *testing.T) {
	g := catalogGame(t, "2048:size=2")
	a := planner(t, "expectimax", g, 1)
	r := mustRun(t, Config{Game: g, A: a, B: a, Pairs: 6, Seed: 3, Workers: 2})
	if r.Conclusion != Same || r.Difference.Bounded || r.Score.Bounded || !r.Difference.Alike {
		t.Errorf("%+v", r.Difference)
	}
	if text := r.Text(); !strings.Contains(text, "A minus B        0 (all 6 pairs alike)\n") || !strings.Contains(text, "expectimax and expectimax made the same moves in 12 games (6 pairs)") {
		t.Error(text)
	}
	p := Progress{Measure: r.Measure, Running: r.Score}
	if text := p.String(); !strings.HasSuffix(text, ", A minus B 0 (all 6 pairs alike)") {
		t.Error(text)
	}
}
