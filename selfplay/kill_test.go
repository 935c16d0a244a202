package selfplay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"time"

	"plyfit/datasets"
	"plyfit/search"
)

// killedDir tells the test binary, run again as a child, to fill the data set
// there instead of testing.
const killedDir = "PLYFIT_TEST_SELFPLAY"

// killsWanted sets how often TestKilled kills; 6 where it is not set.
const killsWanted = "PLYFIT_TEST_KILLS"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killedDir); dir != "" {
		if _, err := Run(context.Background(), killedConfig(new(testing.T), dir)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func killedConfig(t testing.TB, dir string) Config {
	g := newGame(t, "connect4")
	return Config{Game: g, Agents: []search.Factory{expectimax(g, 3)}, Episodes: 2000, Seed: 7, Openings: 6, Explore: 0.05,
		Workers: 2, EpisodesPerShard: 16, Dir: dir}
}

// TestKilled: a run that is killed at random moments and started again each
// time ends with the data set of a run that nobody disturbed.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for some seconds")
	}
	kills := 6
	if n, err := strconv.Atoi(os.Getenv(killsWanted)); err == nil {
		kills = n
	}
	dir := filepath.Join(t.TempDir(), "killed")
	child := func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), killedDir+"="+dir)
		c.Stderr = os.Stderr
		return c
	}
	rng := rand.New(rand.NewPCG(1, 2))
	kept, longest := 0, 300*time.Millisecond
	for done := 0; done < kills; {
		c := child()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.Int64N(int64(longest))))
		c.Process.Kill()
		err := c.Wait()
		files, _ := filepath.Glob(filepath.Join(dir, "*.parquet"))
		if len(files) < kept {
			t.Fatalf("%d whole shards, %d before the kill", len(files), kept)
		}
		kept = len(files)
		for _, f := range files {
			if err := datasets.EachRecord(f, func(*datasets.Record) bool { return true }); err != nil {
				t.Fatal(err)
			}
		}
		if err == nil { // it was done before the kill: once more from the start
			os.RemoveAll(dir)
			kept, longest = 0, longest/2
			continue
		}
		if m, err := datasets.ReadManifest(dir); err == nil && m.Complete {
			os.RemoveAll(dir)
			kept = 0
		}
		done++
	}
	t.Logf("%d shards were whole after the last of %d kills", kept, kills)
	if err := child().Run(); err != nil {
		t.Fatal(err)
	}
	got, err := datasets.Verify(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := run(t, killedConfig(t, filepath.Join(t.TempDir(), "whole")))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("killed and resumed: %+v, want %+v", got, want)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 1+len(want.Shards) {
		t.Errorf("%d files in the folder, want %d", len(entries), 1+len(want.Shards))
	}
}
