package cli_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"plyfit/internal/vectors"
	"plyfit/models"
)

// TestTrainKilled: a run of plyfit train that is killed (SIGKILL) at random
// moments and started again each time ends with the weights of one that nobody
// disturbed. Once each, 8 times with PLYFIT_LONG.
func TestTrainKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for some seconds")
	}
	kills := 1
	if vectors.Long() {
		kills = 8
	}
	for _, c := range []struct{ name, command string }{
		{"averages", "train connect4 -o DIR/model.json --games 4000 --lambda 0.7 --alpha 0.02 --curve-every 1000 --curve-pairs 20 --checkpoint-every 20ms --quiet"},
		{"tables", "train othello -o DIR/model.json --features othello/patterns --games 400 --batch 4 --tc --alpha 0.5 --curve-every 200 --curve-pairs 4 --checkpoint-every 20ms --quiet"},
		{"games in progress", "train connect4 -o DIR/model.json --method treestrap --init random --agent alphabeta:depth=2 --games 300 --curve-every 150 --curve-pairs 20 --checkpoint-every 20ms --quiet"},
		{"generations", "train connect4 -o DIR/model.json --method evolution --games 1200 --batch 4 --curve-every 400 --curve-pairs 20 --checkpoint-every 20ms --quiet"},
		{"whole games", "train connect4 -o DIR/model.json --method tdleaf --agent alphabeta:depth=2 --lambda 0.7 --games 400 --curve-every 200 --curve-pairs 20 --checkpoint-every 20ms --quiet"},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole, parts := t.TempDir(), t.TempDir()
			began := time.Now()
			must(t, strings.Fields(strings.ReplaceAll(c.command, "DIR", whole))...)
			longest := time.Since(began)
			args := strings.Fields(strings.ReplaceAll(c.command, "DIR", parts))
			rng := rand.New(rand.NewPCG(1, 2))
			for done := 0; done < kills; {
				cmd := exec.Command("plyfit", args...)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Duration(rng.Int64N(int64(longest/2 + 1))))
				cmd.Process.Kill()
				if err := cmd.Wait(); err == nil { // it was done before the kill: once more from the start
					compareModels(t, whole, parts)
					if err := os.RemoveAll(filepath.Join(parts, "model.train")); err != nil {
						t.Fatal(err)
					}
					os.Remove(filepath.Join(parts, "model.json"))
					continue
				}
				done++
			}
			must(t, args...)
			compareModels(t, whole, parts)
		})
	}
}

// compareModels compares the model files of two folders, tables included.
func compareModels(t *testing.T, whole, parts string) {
	t.Helper()
	for _, name := range []string{"model.json", "model.weights"} {
		want, err := os.ReadFile(filepath.Join(whole, name))
		if os.IsNotExist(err) {
			continue
		}
		got, errGot := os.ReadFile(filepath.Join(parts, name))
		if err != nil || errGot != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s differs from that of the undisturbed run (%v, %v)", name, err, errGot)
		}
	}
}

// TestCurveOpenings: the curve's openings change what its games tell, and nothing
// of what is learned.
func TestCurveOpenings(t *testing.T) {
	t.Chdir(t.TempDir())
	var strengths, weights []string
	for _, openings := range []string{"0", "6"} {
		must(t, strings.Fields("train othello -o model"+openings+".json --features othello/2-tuples --games 60 --curve-every 30 --curve-pairs 20 --quiet --curve-openings "+openings)...)
		m, err := models.Load("model" + openings + ".json")
		if err != nil {
			t.Fatal(err)
		}
		weights = append(weights, fmt.Sprint(m.Bias, m.Terms))
		log, err := os.ReadFile("model" + openings + ".train/log.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		strengths = append(strengths, strings.Join(regexp.MustCompile(`"strength":\{[^}]*\}`).FindAllString(string(log), -1), "\n"))
	}
	if strengths[0] == strengths[1] || strings.Count(strengths[0], "strength") != 3 {
		t.Errorf("the curve from the game's own beginning\n%s\nand from random openings\n%s", strengths[0], strengths[1])
	}
	if weights[0] != weights[1] {
		t.Error("the curve's openings changed the weights")
	}
}

// TestDivergence: learning that diverges is a run that failed, no fault of the
// input.
func TestDivergence(t *testing.T) {
	t.Chdir(t.TempDir())
	code, stdout, stderr := run("", "train", "pig:target=20", "-o", "m.json", "--alpha", "1e200", "--games", "200", "--curve-pairs", "0", "--quiet")
	if code != 1 || stdout != "" || !strings.HasPrefix(stderr, "plyfit: learning diverges with alpha=1e+200: ") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit code %d, standard output %q, standard error %q", code, stdout, stderr)
	}
}
