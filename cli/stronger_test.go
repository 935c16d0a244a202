package cli_test

import (
	"strings"
	"testing"
)

// TestTellStronger: who asks for the best of 2048 is told once what is stronger than what
// ships; nobody else is told anything.
func TestTellStronger(t *testing.T) {
	for _, c := range []struct {
		args string
		told int
	}{
		{"search 2048 --agent expectimax:depth=1,eval=best", 1},
		{"match 2048 expectimax:depth=1,eval=best random --pairs 2 --seed 1 --quiet", 1},
		{"match 2048 best 2048/handwritten --planner expectimax:depth=1 --pairs 2 --seed 1 --quiet", 1},
		{"search 2048 --agent expectimax:depth=1,eval=learned", 0},
		{"search tictactoe --agent alphabeta:depth=1,eval=best", 0},
	} {
		code, _, stderr := run("", strings.Fields(c.args)...)
		if told := strings.Count(stderr, "eval=best is 2048/learned, the strongest that ships: plyfit learn 2048 makes"); code != 0 || told != c.told {
			t.Errorf("%s: exit code %d, told %d times: %s", c.args, code, told, stderr)
		}
	}
	if told := must(t, "games", "2048"); !strings.Contains(told, "stronger, but does not ship: plyfit learn 2048 makes") {
		t.Errorf("games 2048 does not say what is stronger than what ships:\n%s", told)
	}
}
