package opponent_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
	"plyfit/learn/opponent"
	"plyfit/search"
)

// played returns the decisions in games that a known mixture plays against itself.
func played(t *testing.T, spec string, games int, seed uint64, temperature, random float64) *opponent.Choices {
	t.Helper()
	w := vectors.Must(catalog.All().World(spec))
	agent := vectors.Must(vectors.Must(w.Agent(fmt.Sprintf("mix(%v*(softmax:temperature=%v),%v*random)", 1-random, temperature, random), catalog.AgentOptions{})).New())
	greedy := vectors.Must(vectors.Must(w.Agent("greedy", catalog.AgentOptions{})).New())
	c := &opponent.Choices{}
	vectors.Check(c.Play(t.Context(), w.Game, agent, greedy, games, seed))
	search.Close(agent)
	return c
}

// TestRecovers checks that a known mixture's temperature and fraction of random moves are within
// their 95% intervals for all but at most one of the seeds, and that the intervals are narrow.
func TestRecovers(t *testing.T) {
	games, seeds, names := 60, uint64(3), []string{"connect4"}
	if os.Getenv("PLYFIT_LONG") != "" {
		games, seeds, names = 500, 10, []string{"connect4", "othello", "chess"}
	}
	for _, spec := range names {
		const temperature, random = 0.03, 0.2
		missed := map[string]int{}
		for seed := range seeds {
			f := vectors.Must(played(t, spec, games, seed, temperature, random).Fit())
			t.Logf("%s, seed %d: T %.4f (%.4f to %.4f), e %.3f (%.3f to %.3f), %d decisions, log loss %.3f, uniform %.3f", spec, seed,
				f.Temperature.Value, f.Temperature.Low, f.Temperature.High, f.Random.Value, f.Random.Low, f.Random.High, f.Decisions, f.LogLoss, f.Uniform)
			for name, p := range map[string]struct{ low, high, truth float64 }{"temperature": {f.Temperature.Low, f.Temperature.High, temperature}, "random": {f.Random.Low, f.Random.High, random}} {
				if p.truth < p.low || p.truth > p.high {
					missed[name]++
				}
				if p.high-p.low > p.truth {
					t.Errorf("%s, seed %d: %s from %v to %v, an interval as wide as the truth %v", spec, seed, name, p.low, p.high, p.truth)
				}
			}
			if f.LogLoss >= f.Uniform {
				t.Errorf("%s, seed %d: the model loses %v a move, uniform play %v", spec, seed, f.LogLoss, f.Uniform)
			}
		}
		for name, n := range missed {
			if n > 1 {
				t.Errorf("%s: the %s is outside of its interval in %d of %d seeds", spec, name, n, seeds)
			}
		}
	}
}

// TestTooFew checks that Fit returns an error without choices or if all moves have the same value.
// It also checks the interval of the fraction of random moves if none of 300 moves is random.
func TestTooFew(t *testing.T) {
	c := &opponent.Choices{}
	for k := range 20 {
		c.Add(k, []float64{0.5}, 0) // no choice
	}
	if _, err := c.Fit(); err == nil || !strings.Contains(err.Error(), "0 decisions with a choice of moves; want at least 10") {
		t.Errorf("no choice: %v", err)
	}
	for k := range 300 { // a move worth 0.03 less is chosen in one of 20 decisions
		c.Add(k, []float64{0, 0.03, -5}, []int{1, 0}[min(1, k%20)^1])
	}
	if f := vectors.Must(c.Fit()); f.Random.Value > 0.001 || f.Random.Low > 0 || f.Random.High < 0.005 || f.Random.High > 0.05 {
		t.Errorf("300 moves without a random one have a share of %+v", f.Random)
	}
	c = &opponent.Choices{}
	for k := range 20 {
		c.Add(k, []float64{0.5, 0.5}, k%2)
	}
	if f, err := c.Fit(); err == nil {
		t.Errorf("moves that are all alike give %v", f)
	}
}
