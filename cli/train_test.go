package cli_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestTrainKilled: a run of plyfit train that is killed (SIGKILL) at random
// moments and started again each time ends with the weights of one that nobody
// disturbed. PLYFIT_TEST_KILLS sets how often; 4 where it is not set.
func TestTrainKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for some seconds")
	}
	kills := 4
	if n, err := strconv.Atoi(os.Getenv("PLYFIT_TEST_KILLS")); err == nil {
		kills = n
	}
	for _, c := range []struct{ name, command string }{
		{"averages", "train connect4 -o DIR/model.json --games 4000 --lambda 0.7 --alpha 0.02 --curve-every 1000 --curve-pairs 20 --checkpoint-every 20ms --quiet"},
		{"tables", "train othello -o DIR/model.json --features othello/patterns --games 400 --batch 4 --tc --alpha 0.5 --curve-every 200 --curve-pairs 4 --checkpoint-every 20ms --quiet"},
		{"games in progress", "train connect4 -o DIR/model.json --method treestrap --init random --agent alphabeta:depth=2 --games 300 --curve-every 150 --curve-pairs 20 --checkpoint-every 20ms --quiet"},
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
