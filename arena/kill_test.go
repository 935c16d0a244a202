package arena

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/search"
)

// long asks for the tests that take minutes: thousands of simulated matches,
// thirty kills. Without it they run at a size that takes seconds.
var long = flag.Bool("long", false, "run the long tests at their full size")

// childOut, where it is set, makes the test binary play the match that the
// kill test kills.
const childOut = "PLYFIT_ARENA_CHILD_OUT"

func TestMain(m *testing.M) {
	if path := os.Getenv(childOut); path != "" {
		if _, err := Run(context.Background(), killedMatch(path, 200)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	os.Exit(m.Run())
}

// killedMatch takes a second or two, so that there is time to kill it.
func killedMatch(path string, pairs int) Config {
	slow := func(name string, p float64) search.Factory {
		return entrant(name, func(rng *rand.Rand, _ game.State, moves []game.Move) (game.Move, error) {
			time.Sleep(100 * time.Microsecond)
			if rng.Float64() < p {
				return moves[len(moves)-1], nil
			}
			return moves[rng.IntN(len(moves))], nil
		})
	}
	return Config{Game: newRace(2, 8), A: slow("A", 0.5), B: slow("B", 0.1), Pairs: pairs, Seed: 11, Workers: 2, Out: path,
		Openings: Openings{Plies: 1}}
}

// A match killed at random moments and started again each time ends with the
// same file and the same result as one that ran through.
func TestKilled(t *testing.T) {
	kills := 4
	if *long {
		kills = 30
	}
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.jsonl")
	want := mustRun(t, killedMatch(whole, 200))

	path := filepath.Join(dir, "killed.jsonl")
	rng := rand.New(rand.NewPCG(1, uint64(kills)))
	start := func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childOut+"="+path)
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	died := 0
	for range kills {
		c := start()
		time.Sleep(time.Duration(rng.Int64N(int64(1500*time.Millisecond) / int64(kills))))
		c.Process.Kill()
		if c.Wait() != nil {
			died++
		}
	}
	if died == 0 {
		t.Error("no match was killed while it ran")
	}
	c := start()
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	got := mustRun(t, killedMatch(path, 200)) // reads all of it
	same(t, "killed and resumed", got, want)
	a, _ := os.ReadFile(whole)
	b, _ := os.ReadFile(path)
	if string(a) != string(b) {
		t.Errorf("the files differ: %d and %d bytes", len(a), len(b))
	}
	if n := strings.Count(string(b), "\n"); n != 201 {
		t.Errorf("%d lines, want a header and 200 pairs", n)
	}
	t.Logf("%d kills, %d of them while it ran", kills, died)
}
