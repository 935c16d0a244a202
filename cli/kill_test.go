package cli_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKilledMatch kills a match of 400 games (SIGKILL) at 30 random moments and
// starts it again each time: it ends with the same pairs, the same result and
// the same 400 records as one that ran through, none of them twice.
func TestKilledMatch(t *testing.T) {
	if testing.Short() {
		t.Skip("plays for seconds")
	}
	dir := t.TempDir()
	command := func(at string) []string {
		return strings.Fields("match connect4 alphabeta:depth=4,ties=random alphabeta:depth=2,ties=random --pairs 200 --quiet --json " +
			"--out " + filepath.Join(dir, at+".jsonl") + " --records " + filepath.Join(dir, at+"-games.jsonl"))
	}
	begun := time.Now()
	want := must(t, command("whole")...)
	whole := time.Since(begun)

	const kills = 30
	rng := rand.New(rand.NewPCG(1, kills))
	died, grew := 0, 0
	size := int64(0)
	for range kills {
		cmd := exec.Command("plyfit", command("killed")...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.Int64N(int64(2*whole/kills) + int64(20*time.Millisecond))))
		cmd.Process.Kill()
		cmd.Wait()
		if !cmd.ProcessState.Exited() {
			died++
		}
		if info, err := os.Stat(filepath.Join(dir, "killed.jsonl")); err == nil && info.Size() > size {
			size, grew = info.Size(), grew+1
		}
	}
	if died == 0 || grew < 2 {
		t.Errorf("%d of %d killed at work, %d of them after new pairs", died, kills, grew)
	}
	if got := must(t, command("killed")...); got != want {
		t.Errorf("resumed\n%s\nuninterrupted\n%s", got, want)
	}
	for _, name := range []string{".jsonl", "-games.jsonl"} {
		a, errA := os.ReadFile(filepath.Join(dir, "whole"+name))
		b, errB := os.ReadFile(filepath.Join(dir, "killed"+name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs from that of the uninterrupted run (%v, %v)", name, errA, errB)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "killed-games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	rounds := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var game struct{ Round string }
		if err := json.Unmarshal([]byte(line), &game); err != nil {
			t.Fatal(err)
		}
		if rounds[game.Round] {
			t.Errorf("game %s is there twice", game.Round)
		}
		rounds[game.Round] = true
	}
	if len(rounds) != 400 {
		t.Errorf("%d games, want 400", len(rounds))
	}
	t.Logf("%d kills, %d at work, %d of them after new pairs", kills, died, grew)
}
