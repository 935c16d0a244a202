package arena

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/search"
)

// slips plays the first move, with probability p one at random.
func slips(name string, p float64) search.Factory {
	return entrant(name, func(rng *rand.Rand, _ game.State, moves []game.Move) (game.Move, error) {
		if rng.Float64() < p {
			return moves[rng.IntN(len(moves))], nil
		}
		return moves[0], nil
	})
}

// Three openings played three hundred times by agents that differ once are three
// openings; before, one pair that differed made them 300 pairs and a verdict.
func TestFewOpenings(t *testing.T) {
	g := connect4Game(t)
	list := []string{"12", "3", "26"}
	cfg := Config{Game: g, A: slips("A", 0.002), B: last("B"), Pairs: 300, Seed: 1, Openings: Openings{Positions: list},
		Out: filepath.Join(t.TempDir(), "m.jsonl"), SPRT: nil}
	r := mustRun(t, cfg)
	if r.Distinct <= 2*len(list) {
		t.Fatalf("%d distinct games: nobody slipped", r.Distinct)
	}
	if r.Openings != 3 || r.Independent > 4 || r.Score.Bounded || r.Conclusion != Undecided || r.Population != Sampled {
		t.Errorf("%d openings, %d independent, score %v, %s", r.Openings, r.Independent, r.Score, r.Conclusion)
	}
	for _, e := range []stats.Estimate{r.Versus.Elo, r.Versus.NormalisedElo, r.Versus.LOS} {
		if e.Bounded || !strings.Contains(e.Lacks, "too few openings: 3 with 300 pairs, want at least 8") {
			t.Errorf("figure without evidence: %v", e)
		}
	}
	if want := "600 games (300 pairs) from 3 openings; too few openings: 3 with 300 pairs, want at least 4."; !strings.HasSuffix(r.Sentence, want) {
		t.Errorf("%q does not end with %q", r.Sentence, want)
	}
	same(t, "resumed", mustRun(t, cfg), r)

	tested := cfg
	tested.Out, tested.SPRT = "", &stats.SPRT{Low: 0, High: 5}
	if r := mustRun(t, tested); r.SPRT.Decision != stats.Open || r.Pairs != 300 || !strings.HasSuffix(r.Sentence, "; too few openings: 3 with 300 pairs, want at least 4.") {
		t.Errorf("the test: %s", r.Sentence)
	}

	// Who asks about these openings alone gets a figure of them.
	fixed := cfg
	fixed.Out, fixed.Openings.Fixed = "", true
	if r := mustRun(t, fixed); !r.Score.Bounded || r.Population != Listed || !strings.Contains(r.Sentence, "in 600 games (300 pairs) from 3 openings, which are all that is asked about") {
		t.Errorf("fixed: %v, %s: %s", r.Score, r.Population, r.Sentence)
	}
	fixed.Pairs = 2
	for _, o := range []Openings{fixed.Openings, {Fixed: true}, {Fixed: true, Plies: 2}} {
		fixed.Openings = o
		if _, err := newMatch(fixed); err == nil || !strings.Contains(err.Error(), "fixed openings: ") {
			t.Errorf("%+v: error %v", o, err)
		}
	}
}

// Pairs from the game's own start are independent of each other, by their luck.
func TestOneStart(t *testing.T) {
	r := mustRun(t, Config{Game: newRace(1, 3), A: last("A"), B: randomly("B"), Pairs: 40})
	if r.Population != OneStart || r.Openings != 1 || r.Independent != 40 || !r.Score.Bounded {
		t.Errorf("%s, %d openings, %d independent, %v", r.Population, r.Openings, r.Independent, r.Score)
	}
	// From a list they are clusters, luck or not.
	r = mustRun(t, Config{Game: newRace(1, 3), A: last("A"), B: randomly("B"), Pairs: 40, Openings: Openings{Positions: []string{"11", "33"}}})
	if r.Population != Sampled || r.Openings != 2 || r.Score.Bounded {
		t.Errorf("%s, %d openings, %v", r.Population, r.Openings, r.Score)
	}
}

// The openings stand beside the pairs, in words, along the trace and where a
// match is told of.
func TestOpeningsAreTold(t *testing.T) {
	var last Progress
	r := mustRun(t, Config{Game: tictactoeGame(t), A: randomly("a"), B: randomly("b"), Pairs: 60, Openings: Openings{Plies: 2},
		Progress: func(p Progress) { last = p }})
	if want := fmt.Sprintf("120 games (60 pairs), %d distinct, %d openings, from seed 0", r.Distinct, r.Openings); r.Openings >= 60 || !strings.Contains(r.Text(), want) {
		t.Errorf("no %q in\n%s", want, r.Text())
	}
	if p := r.Trace[len(r.Trace)-1]; p.Openings != r.Openings || last.Openings != r.Openings || r.Trace[0].Openings != 1 {
		t.Errorf("%d openings at the end of the trace, %d told, want %d", p.Openings, last.Openings, r.Openings)
	}
}
