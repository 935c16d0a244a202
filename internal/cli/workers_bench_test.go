package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/internal/cli"
)

// shared are commands whose work two cores share. % is how many they are to be, OUT a
// path that is new each time, DIR the folder with what is given.
var shared = []struct{ name, command string }{
	{"selfplay", "selfplay othello -o OUT --agent alphabeta:depth=4 --games 192 --games-per-shard 16 --workers % --quiet"},
	{"match", "match othello alphabeta:depth=5 alphabeta:depth=4 --pairs 48 --workers % --quiet"},
	{"relabel", "dataset relabel DIR/games -o OUT --agent alphabeta:depth=4 --workers % --quiet"},
	{"fit", "fit DIR/rows.csv -o OUT.json --workers %"},
	{"train", "train 2048 -o OUT.json --features 2048/4x5 --games 2000 --tc --alpha 1 --lambda 0.5 --threads % --curve-pairs 0 --quiet"},
	{"search", "search connect4:score=distance --position 3676515552 --agent alphabeta:depth=42,eval=zero,threads=%"},
}

// BenchmarkWorkers has each command done by one core and by two in turn, and reports how
// many times as long one takes by the clock: the median of the pairs. That of search is its
// time to a depth.
func BenchmarkWorkers(b *testing.B) {
	dir := b.TempDir()
	run := func(b *testing.B, command string) {
		var out, errs bytes.Buffer
		if code := cli.Run(context.Background(), catalog.All(), strings.Fields(command), strings.NewReader(""), &out, &errs); code != 0 {
			b.Fatalf("%s: exit code %d: %s", command, code, errs.String())
		}
	}
	run(b, "selfplay othello -o "+dir+"/games --agent random --games 96 --games-per-shard 8 --quiet")
	var rows strings.Builder
	rows.WriteString("label")
	for c := range 32 {
		fmt.Fprintf(&rows, ",x%d", c)
	}
	state := uint64(1)
	for range 200_000 {
		sum, cells := 0, ""
		for range 32 {
			state = state*6364136223846793005 + 1442695040888963407
			v := int(state>>60) - 8
			sum += v
			cells += fmt.Sprintf(",%d.5", v)
		}
		fmt.Fprintf(&rows, "\n%d%s", min(max(sum+int(state>>33&31)-16, 0), 1), cells)
	}
	if err := os.WriteFile(filepath.Join(dir, "rows.csv"), []byte(rows.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, s := range shared {
		b.Run(s.name, func(b *testing.B) {
			if runtime.NumCPU() < 2 {
				b.Skip("one core")
			}
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
			var ratios []float64
			for n := 0; b.Loop(); n++ {
				var took [2]time.Duration
				for i := range took {
					runtime.GOMAXPROCS(i + 1)
					command := strings.NewReplacer("%", fmt.Sprint(i+1), "OUT", fmt.Sprintf("%s/%s-%d-%d", dir, s.name, n, i), "DIR", dir).Replace(s.command)
					begin := time.Now()
					run(b, command)
					took[i] = time.Since(begin)
				}
				ratios = append(ratios, took[0].Seconds()/took[1].Seconds())
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "times-as-long-by-one")
		})
	}
}
