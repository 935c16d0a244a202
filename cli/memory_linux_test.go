package cli_test

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"plyfit/internal/vectors"
)

// TestFitMemory fits 167,277 weights to positions from disk, some 75 terms each:
// 30,000 of them, 10 million with PLYFIT_LONG (20 minutes, 7 GB for temporary
// files), or so many games of 56 positions as PLYFIT_GAMES says. What a fit needs
// beyond the weights does not grow with the data: at most 500 MB.
func TestFitMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("plays and fits for seconds")
	}
	games := "540"
	if vectors.Long() {
		games = "178000"
	}
	if n := os.Getenv("PLYFIT_GAMES"); n != "" {
		games = n
	}
	t.Chdir(t.TempDir())
	must(t, "selfplay", "othello", "-o", "data", "--games", games, "--games-per-shard", "1024", "--agent", "random", "--quiet")
	for _, method := range []string{"adagrad", "lbfgs --steps 5"} {
		args := strings.Fields("fit data -o model.json --features othello/patterns --json --method " + method)
		cmd := exec.Command("plyfit", args...)
		cmd.Stderr = os.Stderr
		start := time.Now()
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(start)
		// Linux tells kilobytes.
		megabytes := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss / 1024
		_, rows, _ := strings.Cut(string(out), `"rows":`)
		rows, _, _ = strings.Cut(rows, ",")
		n, err := strconv.Atoi(rows)
		if err != nil || n < 20000 {
			t.Fatalf("fitted to %q rows: %v", rows, err)
		}
		t.Logf("%s: %d training rows, %d MB at most, %.0f s", method, n, megabytes, took.Seconds())
		if megabytes > 500 {
			t.Errorf("%s: %d MB, want at most 500", method, megabytes)
		}
	}
}
