package experiments_test

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"
)

func agentOf(t *testing.T, world, spec string) (*catalog.World, search.Agent) {
	t.Helper()
	w := vectors.Must(catalog.All().World(world))
	f := vectors.Must(w.Agent(spec, catalog.AgentOptions{}))
	a := vectors.Must(f.New())
	a.Begin(1)
	return w, a
}

// keptFile has positions of 18 to 26 stones, drawn by commit 9cd185cd, which also plays
// models against perfect play.
const keptFile = "testdata/kept.txt"

// kept is a position of connect four and the moves that keep its value.
type kept struct{ line, best string }

// readKept reads positions, one a line: the columns played so far, and those that keep
// the value.
func readKept(t *testing.T) (all []kept) {
	t.Helper()
	f := vectors.Must(os.Open(keptFile))
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var k kept
		if _, err := fmt.Sscan(lines.Text(), &k.line, &k.best); err != nil {
			t.Fatalf("%s: %q: want the columns played and those that keep the value: %v", keptFile, lines.Text(), err)
		}
		all = append(all, k)
	}
	return all
}

// solverOf searches connect four to its end, and finds all moves that are as good.
func solverOf(t *testing.T) (*catalog.World, search.Agent) {
	t.Helper()
	w := vectors.Must(catalog.All().World("connect4"))
	f := vectors.Must(w.Agent("alphabeta:depth=42,eval=zero", catalog.AgentOptions{Complete: true}))
	a := vectors.Must(f.New())
	a.Begin(1)
	return w, a
}

// solve are the moves that keep the value of s, by a search to the end.
func solve(t *testing.T, solver search.Agent, s game.State) string {
	t.Helper()
	r, err := solver.Search(context.Background(), s)
	if err != nil || !r.Exact {
		t.Fatalf("%s: exact: %v, %v", s, r.Exact, err)
	}
	best := ""
	for _, m := range r.Best {
		best += s.MoveString(m)
	}
	return best
}

// TestValueKept: in positions in the middle of games in which some moves keep what the
// position is worth with best play and some do not, an evaluation keeps it one and three
// decisions ahead in the share that the log has. It moves with every choice of a game,
// where the result against perfect play hangs on a few.
func TestValueKept(t *testing.T) {
	w, solver := solverOf(t)
	all := readKept(t)
	for _, k := range all[:min(8, len(all))] {
		s := vectors.Must(w.Parse(k.line))
		if best := solve(t, solver, s); best != k.best {
			t.Errorf("%s: %s keep the value, and the file has %s", k.line, best, k.best)
		}
	}
	share := func(spec string) float64 {
		_, a := agentOf(t, "connect4", spec)
		held := 0
		for i, k := range all {
			s := vectors.Must(w.Parse(k.line))
			a.Begin(uint64(i))
			r := vectors.Must(a.Search(context.Background(), s))
			if strings.Contains(k.best, s.MoveString(r.Move)) {
				held++
			}
		}
		p := float64(held) / float64(len(all))
		t.Logf("%s: %.1f%% ± %.1f of %d positions", spec, 100*p, 196*math.Sqrt(p*(1-p)/float64(len(all))), len(all))
		return p
	}
	evals := []string{"zero,ties=random", "handwritten", "learned"}
	var shallow []float64
	for _, eval := range evals {
		shallow = append(shallow, share("alphabeta:depth=1,eval="+eval))
		share("alphabeta:depth=3,eval=" + eval)
	}
	if shallow[0] > 0.6 || shallow[2] < shallow[0]+0.1 {
		t.Errorf("knowing nothing keeps %.3f of the values, and what ships %.3f: want more by .1 at least", shallow[0], shallow[2])
	}
}
