package docs_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// nim runs the tutorial's game, which is in a module of its own, as a command.
type nim struct {
	t      *testing.T
	binary string
	dir    string // working directory
}

func buildNim(t *testing.T) *nim {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a module of its own")
	}
	n := &nim{t: t, dir: t.TempDir()}
	n.binary = filepath.Join(n.dir, "nim")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", n.binary, ".")
	cmd.Dir = tutorial("nim")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return n
}

// nimFiles lists the files of the game: its catalog entry, its rules and its features.
var nimFiles = []string{"main.go", "rules/nim.go", "features/nim.go"}

func tutorial(name string) string { return filepath.Join("tutorial", name) }

// run returns the command's standard output.
func (n *nim) run(args ...string) string {
	n.t.Helper()
	cmd := exec.Command(n.binary, args...)
	cmd.Dir = n.dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		n.t.Fatalf("nim %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String()
}

// read decodes the JSON output of the command into to.
func (n *nim) read(to any, args ...string) {
	n.t.Helper()
	if err := json.Unmarshal([]byte(n.run(append(args, "--json")...)), to); err != nil {
		n.t.Fatalf("nim %s: %v", strings.Join(args, " "), err)
	}
}

// slippery returns the value of a heap for the mover if each move is replaced by a random legal one
// with probability p.
func slippery(stones int, p float64) float64 {
	v := make([]float64, stones+1)
	v[0] = -1 // the opponent took the last stone
	for n := 1; n <= stones; n++ {
		best, mean, legal := math.Inf(-1), 0.0, min(3, n)
		for take := 1; take <= legal; take++ {
			best = max(best, -v[n-take])
			mean -= v[n-take] / float64(legal)
		}
		v[n] = (1-p)*best + p*mean
	}
	return v[stones]
}

// TestStrangersGame checks the tutorial and the main commands of plyfit on a game from another
// module.
func TestStrangersGame(t *testing.T) {
	n := buildNim(t)

	t.Run("text", func(t *testing.T) { (&nim{t, n.binary, n.dir}).text(t) })

	t.Run("length", func(t *testing.T) {
		lines := 0
		for _, name := range nimFiles {
			text := vectors.Must(os.ReadFile(filepath.Join(tutorial("nim"), name)))
			lines += bytes.Count(text, []byte("\n"))
		}
		if lines > 130 {
			t.Errorf("the game has %d lines: want at most 130", lines)
		}
	})

	t.Run("laws", func(t *testing.T) {
		cmd := exec.Command("go", "test", "-count=1", "-vet=off", "-ldflags=-s -w", ".")
		cmd.Dir = tutorial("nim")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go test: %v\n%s", err, out)
		}
	})

	t.Run("search", func(t *testing.T) {
		n := &nim{t, n.binary, n.dir}
		type answer struct {
			Move  string
			Value float64
			Exact bool
		}
		const stones, slip = 9, 0.25
		// want contains the value of the position in each world. NaN means that the planner only
		// estimates it.
		idea := math.NaN()
		inChance := slippery(stones, slip)
		for _, agent := range []struct {
			spec         string
			sure, chance float64
		}{
			// If luck is hostile, slips let the opponent choose each player's moves. The mover also
			// wins such a game with 4k+1 stones.
			{"minimax:depth=9", 1, 1},
			{"alphabeta:depth=9", 1, 1},
			{"expectimax:depth=9", 1, inChance},
			{"maxn:depth=9", 1, inChance},
			{"paranoid:depth=9", 1, inChance},
			{"mcts:simulations=2000", idea, idea},
			{"random", idea, idea},
			{"greedy", idea, idea},
			{"mix(0.5*random,0.5*(alphabeta:depth=9))", idea, idea},
		} {
			for world, want := range map[string]float64{"nim:stones=9": agent.sure, fmt.Sprintf("nim:stones=9+slip=%v", slip): agent.chance} {
				var a answer
				n.read(&a, "search", world, "--agent", agent.spec)
				if !strings.Contains("1 2 3", a.Move) || a.Move == "" {
					t.Errorf("%s in %s plays %q", agent.spec, world, a.Move)
				}
				if !math.IsNaN(want) && (math.Abs(a.Value-want) > 1e-12 || !a.Exact || a.Move != "1") {
					t.Errorf("%s in %s: %+v: want move 1 with the exact value %v", agent.spec, world, a, want)
				}
			}
		}
	})

	t.Run("selfplay, fit, match, learn", func(t *testing.T) {
		n := &nim{t, n.binary, n.dir}
		var data struct{ Episodes, Records int }
		n.read(&data, "selfplay", "nim", "-o", "games", "--games", "300", "--agent", "alphabeta:depth=3,eval=zero,ties=random", "--adjudicate", "off", "--quiet")
		if data.Episodes != 300 || data.Records < 300 {
			t.Fatalf("data set: %+v", data)
		}
		var fit struct {
			HeldOutR2 float64 `json:"held_out_r2"`
		}
		n.read(&fit, "fit", "games", "-o", "games.json")
		if !(fit.HeldOutR2 > 0.1 && fit.HeldOutR2 <= 1) {
			t.Errorf("held-out R² %v: the heap modulo 4 decides who wins", fit.HeldOutR2)
		}
		// A multiple of four is lost for the mover, which the model must have learned.
		var lost, won struct{ Value float64 }
		n.read(&lost, "eval", "nim", "--position", "8 player 0", "--model", "games.json")
		n.read(&won, "eval", "nim", "--position", "7 player 0", "--model", "games.json")
		if !(lost.Value < 0 && won.Value > 0) {
			t.Errorf("8 stones are worth %v, 7 are worth %v: want less than 0 and more", lost.Value, won.Value)
		}
		var match struct {
			Games int
			Score struct{ Value float64 }
		}
		n.read(&match, "match", "nim", "alphabeta:depth=1,eval=games.json", "random", "--pairs", "20", "--quiet")
		if match.Games != 40 || match.Score.Value < 0.8 {
			t.Errorf("learned against random: %+v: want 40 games and at least 0.8 of the points", match)
		}
		var learned struct{ Contests []struct{ Game string } }
		n.read(&learned, "learn", "nim:stones=12", "--games", "150", "--rounds", "2", "--pairs", "8", "-o", "run", "--quiet")
		worlds := map[string]bool{}
		for _, c := range learned.Contests {
			worlds[c.Game] = true
		}
		if len(worlds) != 2 {
			t.Errorf("contests in %v: want the world and its twin", worlds)
		}
		for _, name := range []string{"model.json", "match.json", "config.json", "log.jsonl", "report.html", "data/dataset.json"} {
			if _, err := os.Stat(filepath.Join(n.dir, "run", name)); err != nil {
				t.Error(err)
			}
		}
	})
}

// text checks the tutorial: its code must occur literally in the files of nim or pig, and its
// commands must print the output shown.
func (n *nim) text(t *testing.T) {
	text := vectors.Must(os.ReadFile(tutorial("README.md")))
	var code strings.Builder
	for _, name := range append(nimFiles, "rules/cells.go", "main_test.go", "feature_test.go", "../../../game/pig/state.go", "../../../features/pig/race.go") {
		code.Write(vectors.Must(os.ReadFile(filepath.Join(tutorial("nim"), name))))
	}
	counts := map[string]int{}
	for _, b := range blocks(text, "go|console") {
		counts[b[1]]++
		if b[1] == "go" {
			if !strings.Contains(code.String(), b[2]) {
				t.Errorf("this code is not in the tutorial's files:\n%s", b[2])
			}
			continue
		}
		// A command without output must only succeed.
		for _, one := range strings.Split("\n"+b[2], "\n$ nim ")[1:] {
			line, want, _ := strings.Cut(strings.TrimSuffix(one, "\n")+"\n", "\n")
			if got := n.run(words(line)...); want != "" && got != want {
				t.Errorf("nim %s prints\n%s\nthe tutorial says\n%s", line, got, want)
			}
		}
	}
	if counts["go"] < 5 || counts["console"] < 3 {
		t.Errorf("blocks %v: the tutorial's code or commands were not found", counts)
	}
}

// words splits a command line at spaces outside single quotes.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}
