package arena

import (
	"testing"

	"plyfit/internal/vectors"
)

// Intervals of matches that were really played hold the truth, which a match of
// very many pairs tells, in 93 to 97 of 100.
func TestCoverage(t *testing.T) {
	truthPairs, matches, low, high := 30000, 250, 0.915, 0.98
	if vectors.Long() {
		truthPairs, matches, low, high = 300000, 2000, 0.93, 0.97
	}
	for _, c := range []struct {
		name string
		cfg  Config
	}{
		{"two players", Config{Game: newRace(2, 2), A: sometimes("A", 0.4), B: randomly("B"), Pairs: 60}},
		{"one player", Config{Game: newRace(1, 3), A: sometimes("A", 0.4), B: randomly("B"), Pairs: 40}},
		{"three players", Config{Game: newRace(3, 1), A: sometimes("A", 0.4), B: randomly("B"), Pairs: 40}},
	} {
		truth := c.cfg
		truth.Pairs, truth.Seed = truthPairs, 999
		want := mustRun(t, truth)
		inScore, inElo := 0, 0
		for i := range matches {
			cfg := c.cfg
			cfg.Seed = uint64(i)
			r := mustRun(t, cfg)
			if r.Score.Low <= want.Score.Value && want.Score.Value <= r.Score.High {
				inScore++
			}
			if r.Versus != nil && r.Versus.Elo.Low <= want.Versus.Elo.Value && want.Versus.Elo.Value <= r.Versus.Elo.High {
				inElo++
			}
		}
		check := func(what string, n int) {
			rate := float64(n) / float64(matches)
			t.Logf("%s: the interval of the %s holds the truth in %.2f%% of %d", c.name, what, 100*rate, matches)
			if rate < low || rate > high {
				t.Errorf("%s: the interval of the %s holds the truth in %.2f%%, want %v to %v%%", c.name, what, 100*rate, 100*low, 100*high)
			}
		}
		check("score", inScore)
		if want.Versus != nil {
			check("Elo", inElo)
		}
	}
}
