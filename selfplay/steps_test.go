package selfplay

import (
	"context"
	"iter"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/datasets"
	"plyfit/features"
	"plyfit/features/connect4"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/learn"
	"plyfit/models"
	"plyfit/search"
)

// afterstatesOf returns the transitions between the afterstates in the data set of cfg.
func afterstatesOf(t testing.TB, cfg Config) *Steps {
	t.Helper()
	data := vectors.Must(datasets.Open(cfg.Dir))
	return &Steps{features.Sampler{Game: cfg.Game, Set: connect4.Profile.Sets(cfg.Game.Base())[0], Records: data.Records, Leaves: models.Afterstate, Workers: 1}}
}

// TestStepsOfSlips fits weights to a random player's games with and without slips. Slips do not
// change the distribution of a random player's moves, so the weights must agree. When the steps
// used the chosen moves instead of the moves made, the root mean square difference was 6 standard
// errors.
func TestStepsOfSlips(t *testing.T) {
	if !vectors.Long() {
		t.Skip("plays 3,000 games")
	}
	fit := func(slip float64, seed uint64) learn.Report {
		cfg := config(t, "connect4", 1000)
		if slip > 0 {
			cfg.Game = vectors.Must(game.WithSlip(cfg.Game, slip))
		}
		cfg.Agents, cfg.Openings, cfg.Explore, cfg.Seed = []search.Factory{random(cfg.Game)}, 0, 0, seed
		cfg.Dir = filepath.Join(t.TempDir(), "data")
		run(t, cfg)
		steps := afterstatesOf(t, cfg)
		m := models.New("connect4", steps.Set.Name(), steps.Set.Blocks())
		return vectors.Must(learn.LSTD{Lambda: 0.5}.Learn(context.Background(), m, steps))
	}
	z := func(a, b learn.Report) float64 {
		sum, n := 0.0, 0
		for i, w := range a.Weights {
			if v := b.Weights[i]; w.Error > 0 && v.Error > 0 {
				d := (w.Value - v.Value) / math.Hypot(w.Error, v.Error)
				sum += d * d
				n++
			}
		}
		if n < 5 {
			t.Fatalf("%d weights have errors", n)
		}
		return math.Sqrt(sum / float64(n))
	}
	firm := fit(0, 1)
	if rms := z(firm, fit(0.6, 2)); rms > 1.6 {
		t.Errorf("with slip the weights differ by %.2f standard errors (root mean square), want about 1", rms)
	} else {
		t.Logf("with slip %.2f, without %.2f", rms, z(firm, fit(0, 3)))
	}
}

// TestAfterstateWantsMade checks that afterstates in a world with slips require the column made,
// because the chosen move does not determine the afterstate.
func TestAfterstateWantsMade(t *testing.T) {
	for world, want := range map[string]string{"connect4+slip=0.25": "no column \"made\"", "connect4": ""} {
		cfg := config(t, world, 4)
		run(t, cfg)
		steps := afterstatesOf(t, cfg)
		records := steps.Records
		steps.Records = func() iter.Seq2[*datasets.Record, error] { // as in a data set written before the column was introduced
			return func(yield func(*datasets.Record, error) bool) {
				for r, err := range records() {
					if err == nil {
						old := *r
						old.Made = ""
						r = &old
					}
					if !yield(r, err) {
						return
					}
				}
			}
		}
		var err error
		for _, err = range steps.All() {
			if err != nil {
				break
			}
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", world, err, want)
		}
	}
}

// TestStepsLastRandomMove checks that the outcome is not credited to the position before a random
// move that ends the game.
func TestStepsLastRandomMove(t *testing.T) {
	cfg := config(t, "connect4", 60)
	cfg.Explore = 0.5
	run(t, cfg)
	random := map[uint64]bool{} // episodes that end with a random move
	for _, r := range records(t, cfg.Dir) {
		random[r.Episode] = r.Explored
	}
	paid := map[uint64]bool{}
	for s, err := range afterstatesOf(t, cfg).All() {
		if err != nil {
			t.Fatal(err)
		}
		if s.Terminal {
			paid[s.Episode] = true
		}
	}
	some := 0
	for e, r := range random {
		if r && paid[e] {
			t.Errorf("episode %d ends by a random move, and pays for it", e)
		}
		if !r && paid[e] {
			some++
		}
	}
	if some == 0 {
		t.Error("no episode pays")
	}
}
