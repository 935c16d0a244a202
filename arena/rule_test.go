package arena

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/arena/stats"
	"plyfit/game"
	g2048 "plyfit/game/2048"
	"plyfit/game/pig"
	"plyfit/internal/vectors"
	"plyfit/search"
)

func alphabeta(g *game.Game, name string, depth int) search.Factory {
	return search.Factory{Name: name, New: func() (search.Agent, error) {
		return search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: depth, Ties: search.Random})
	}}
}

// Games that both agents see through end early and alike; those of an agent
// without an opinion are played on.
func TestAdjudication(t *testing.T) {
	g := tictactoeGame(t)
	perfect, other := alphabeta(g, "perfect", 9), alphabeta(g, "perfect too", 9)
	base := Config{Game: g, A: perfect, B: other, Pairs: 10, Openings: Openings{Plies: 2}, Seed: 8}
	full := mustRun(t, base)
	ruled := base
	ruled.Adjudicate = &Adjudication{Win: 1, DrawAfter: 1, Moves: 1}
	ruled.Out = filepath.Join(t.TempDir(), "m.jsonl")
	r := mustRun(t, ruled)
	if r.Adjudicated == 0 || r.Wins != full.Wins || r.Draws != full.Draws || r.Losses != full.Losses {
		t.Errorf("%d adjudicated, +%d =%d -%d; played out +%d =%d -%d", r.Adjudicated, r.Wins, r.Draws, r.Losses, full.Wins, full.Draws, full.Losses)
	}
	same(t, "resumed", mustRun(t, ruled), r)
	ruled.Adjudicate = &Adjudication{Win: 0.5}
	if _, err := Run(context.Background(), ruled); err == nil || !strings.Contains(err.Error(), "adjudication") {
		t.Errorf("another rule in the same file: error %v", err)
	}
	ruled.Out, ruled.B = "", randomly("random")
	ruled.Adjudicate = &Adjudication{Win: 1, DrawAfter: 1, Moves: 1}
	if r := mustRun(t, ruled); r.Adjudicated != 0 {
		t.Errorf("%d games were adjudicated without a second opinion", r.Adjudicated)
	}
	ruled.Adjudicate = &Adjudication{Win: 2}
	if _, err := Run(context.Background(), ruled); err == nil {
		t.Error("a win of 2 was taken")
	}
}

// TestBook checks that a book holds balanced positions, and that matches begin at them.
func TestBook(t *testing.T) {
	g := tictactoeGame(t)
	b := Book{Game: g, Agent: alphabeta(g, "judge", 9), Plies: 3, Size: 20, Seed: 1, Within: 0.1}
	list := vectors.Must(b.Make(context.Background()))
	if len(list) != 20 {
		t.Errorf("%d positions", len(list))
	}
	many := b
	many.Size = 60
	if list := vectors.Must(many.Make(context.Background())); len(slices.Compact(slices.Sorted(slices.Values(list)))) != 60 {
		t.Errorf("a book has positions twice: %v", list)
	}
	// Perfect players draw from each of them.
	r := mustRun(t, Config{Game: g, A: alphabeta(g, "A", 9), B: alphabeta(g, "B", 9), Pairs: 20, Openings: Openings{Positions: list}})
	if r.Draws != 40 {
		t.Errorf("+%d =%d -%d from balanced positions", r.Wins, r.Draws, r.Losses)
	}
	path := filepath.Join(t.TempDir(), "book.txt")
	vectors.Check(os.WriteFile(path, []byte(strings.Join(list, "\n\n")+"\n"), 0o666))
	if read, err := ReadOpenings(path, g, nil); err != nil || strings.Join(read, "|") != strings.Join(list, "|") {
		t.Errorf("read back: %v (%v)", read, err)
	}

	// Labels are passed over, and what is no opening is handed over where that is wanted.
	text := "# a book\n" + list[0] + " [1.0] g1\nxyz\n" + list[1] + ` c9 "0-1"; ce 31;` + "\nXXXOO.... -\n"
	vectors.Check(os.WriteFile(path, []byte(text), 0o666))
	var skipped []error
	read, err := ReadOpenings(path, g, func(err error) { skipped = append(skipped, err) })
	if err != nil || strings.Join(read, "|") != list[0]+"|"+list[1] || len(skipped) != 2 || !strings.Contains(skipped[0].Error(), "line 3: ") || !strings.Contains(skipped[1].Error(), "line 5: the game is over") {
		t.Errorf("of a book with two bad lines: %v, skipped %v (%v)", read, skipped, err)
	}

	b.Size = 100000
	b.Tries = 50
	if _, err := b.Make(context.Background()); err == nil || !strings.Contains(err.Error(), "among 50 drawn, want 100000") {
		t.Errorf("too large a book: error %v", err)
	}
}

// The rolls of a seat are the same however many slips come between them.
func TestLuckOfRolls(t *testing.T) {
	g := vectors.Must(game.WithSlip(vectors.Must(pig.New(&game.Options{})), 0.5))
	deciding := g.New()
	chosen, rolling := deciding.Clone(), deciding.Clone()
	chosen.Play(pig.Roll) // a slip may replace it
	game.PlayIntended(rolling, pig.Roll)
	for rolls := range 20 {
		with, without := newLuck(9, 2), newLuck(9, 2)
		for range rolls {
			with.Draw(chosen)
			if a, b := with.Draw(rolling), without.Draw(rolling); a != b {
				t.Fatalf("after %d slips a roll is %v, without them %v", rolls, a, b)
			}
		}
	}
}

// sleeper takes its time, and more than it was given.
type sleeper struct{ player }

func (s *sleeper) Search(ctx context.Context, st game.State) (search.Result, error) {
	<-ctx.Done()
	time.Sleep(30 * time.Millisecond)
	return search.Result{Move: st.Moves(nil)[0]}, nil
}

// An answer after the time and its margin loses; one within them does not.
func TestMoveTime(t *testing.T) {
	slow := search.Factory{Name: "slow", New: func() (search.Agent, error) { return &sleeper{}, nil }}
	cfg := Config{Game: tictactoeGame(t), A: slow, B: first("first"), Pairs: 2, MoveTime: 300 * time.Millisecond, Margin: time.Millisecond} // far more than the other needs on a busy machine
	if r := mustRun(t, cfg); r.FaultsA.Time != 4 || r.Losses != 4 {
		t.Errorf("faults %v", r.FaultsA)
	}
	cfg.Margin, cfg.Pairs = time.Hour, 1
	if r := mustRun(t, cfg); r.FaultsA.All() != 0 {
		t.Errorf("within the margin: faults %v", r.FaultsA)
	}
}

func catalogGame(t testing.TB, text string) *game.Game {
	t.Helper()
	s := vectors.Must(game.ParseSpec(text))
	make := map[string]func(*game.Options) (*game.Game, error){"2048": g2048.New, "pig": pig.New}[s.Name]
	g := vectors.Must(make(s.Options))
	return vectors.Must(s.Wrap(g))
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
	want := `{"value":0,"lacks":"all 6 pairs alike","alike":true}`
	if text := string(vectors.Must(json.Marshal(r.Difference))); text != want {
		t.Errorf("%s, want %s", text, want)
	}
	p := Progress{Measure: r.Measure, Running: func() stats.Estimate { return r.Score }}
	if text := p.String(); !strings.HasSuffix(text, ", A minus B 0 (all 6 pairs alike)") {
		t.Error(text)
	}
}
