package reliability

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/internal/vectors"
	"plyfit/learn"
	"plyfit/learn/fit"
	"plyfit/learn/loss"
	"plyfit/search"
	"plyfit/selfplay"
)

// TestCalibrationHeldOut checks that the held-out loss of a fit agrees with the loss on new games.
// The new games have the same agents but a different seed, and positions of the training data are
// excluded. For the default self-play and fit of many games, the two losses must agree within three
// and a half standard errors of their difference, clustered by games that share positions. An
// earlier version split games by number. With that split, the patterns for Othello had a held-out
// R² of .168, but only .012 on new games.
func TestCalibrationHeldOut(t *testing.T) {
	nightly(t)
	ctx := context.Background()
	for _, c := range []struct {
		game     string
		episodes int
		fit      fit.Options
	}{
		{game: "2048:size=3", episodes: 1000},
		{game: "backgammon", episodes: 1000},
		{game: "checkers", episodes: 1000},
		{game: "chess", episodes: 1000},
		{game: "connect4", episodes: 2000},
		{game: "minesweeper", episodes: 1000},
		{game: "othello", episodes: 1500},
		{game: "othello", episodes: 1500, fit: fit.Options{Set: "othello/patterns", Method: fit.LogisticRegression, Penalty: 1e-6}},
		{game: "pacman", episodes: 1000},
		{game: "pig:target=50", episodes: 2000},
		{game: "tictactoe", episodes: 1500},
	} {
		name := c.game
		if c.fit.Set != "" {
			name = c.fit.Set
		}
		t.Run(name, func(t *testing.T) {
			w := vectors.Must(catalog.All().World(c.game))
			data := defaultGames(ctx, t, w, c.episodes, 1)
			o := c.fit
			if recipe := w.Recipe(); o.Set == "" {
				method := vectors.Must(fit.MethodNamed(recipe.Method))
				o = fit.Options{Set: recipe.Set, Method: method, Lambda: recipe.Lambda, Penalty: recipe.Penalty, Leaves: recipe.Leaves, Frozen: recipe.Frozen}
			}
			o.Seed = 1
			f := vectors.Must(fit.Run(ctx, w, data, o))
			defer f.Close()
			fresh := evaluate(ctx, w, f, defaultGames(ctx, t, w, c.episodes, 2))
			r := &f.Report
			held, new := r.HeldOutLoss, fresh.Overlap.RestLoss
			if r.Overlap.Rows > 0 && !r.Overlap.Apart { // the held-out loss covers all rows, so the new one must as well
				new = fresh.Overlap.Share*fresh.Overlap.Loss + (1-fresh.Overlap.Share)*fresh.Overlap.RestLoss
			}
			z := (held - new) / math.Hypot(r.HeldOutError, fresh.HeldOutError)
			t.Logf("held out %.4f ± %.4f (R² %.3f; %.0f%% of %d rows seen), fresh %.4f ± %.4f (%.0f%% of %d seen): z %.2f",
				held, r.HeldOutError, r.HeldOutR2, 100*r.Overlap.Share, r.HeldOutRows, new, fresh.HeldOutError, 100*fresh.Overlap.Share, fresh.HeldOutRows, z)
			if !(math.Abs(z) < 3.5) {
				t.Errorf("held-out loss %v ± %v, on fresh games %v ± %v", held, r.HeldOutError, new, fresh.HeldOutError)
			}
		})
	}
}

// evaluate returns the report of a fit on other games, with its own loss. Positions of the training
// data are reported separately.
func evaluate(ctx context.Context, w *catalog.World, f *fit.Result, data *datasets.Set) learn.Report {
	rows, _, err := fit.Rows(ctx, w, data, f.Options)
	vectors.Check(err)
	known := map[uint64]bool{}
	for s, err := range f.Samples.All() {
		vectors.Check(err)
		known[s.Position] = known[s.Position] || !f.Held(s.Episode)
	}
	delete(known, 0)
	criterion := loss.Function(loss.Squared{})
	if f.Options.Loss == fit.CrossEntropy {
		criterion = loss.ForLink(f.Model.Link, w.Base().Min, w.Base().Max)
	}
	return vectors.Must(learn.Evaluate(ctx, f.Model, rows, criterion, 0, learn.Options{Seen: func(position uint64) bool { return known[position] }}))
}

// defaultGames returns games of plyfit selfplay with its default settings.
func defaultGames(ctx context.Context, t *testing.T, w *catalog.World, episodes int, seed uint64) *datasets.Set {
	t.Helper()
	p := vectors.Must(w.Agent(w.SelfPlayAgent(), catalog.AgentOptions{}))
	dir := filepath.Join(t.TempDir(), "data")
	vectors.Must(selfplay.Run(ctx, selfplay.Config{
		Game: w.Game, Agents: []search.Factory{p.Factory}, Episodes: episodes, Seed: seed,
		Openings: w.Recipe().Openings, Adjudicate: datasets.AdjudicateProven, Workers: 2, Dir: dir,
	}))
	return vectors.Must(datasets.Open(dir))
}
