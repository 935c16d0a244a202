package cluster_test

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"plyfit/cluster"
	"plyfit/cluster/hub"
)

// TestFleet: many workers, each a connection of its own, with units of slept time.
func TestFleet(t *testing.T) {
	workers, units := 20, 1000
	if long() {
		workers, units = 500, 100_000
	}
	h := startHub(t, hub.Options{})
	for range workers {
		startWorker(t, h.URL(), &cluster.Worker{Kinds: trials(nil), Workers: 1})
	}
	rest := trial{Bytes: 1000, Sleep: 100 * time.Millisecond, Fails: -1, Panics: -1}
	r, s := trialRun(1, rest, units)
	began := time.Now()
	if err := (&cluster.Coordinator{Link: dial(t, h.URL(), &lines{})}).Run(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	s.check(t, r.Job, rest, units)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%d workers, %d units in %.1f s: %.0f units/s; hub, workers, coordinator and results took %d MB", workers, units, took.Seconds(), float64(units)/took.Seconds(), m.Sys>>20)
}

// BenchmarkThroughput is how many units of no work pass a hub a second.
func BenchmarkThroughput(b *testing.B) {
	for _, size := range []int{1 << 10, 256 << 10} {
		for _, sync := range []bool{false, true} {
			b.Run(fmt.Sprintf("bytes=%d/sync=%v", size, sync), func(b *testing.B) {
				h := startHub(b, hub.Options{Sync: sync})
				for range 4 {
					startWorker(b, h.URL(), &cluster.Worker{Kinds: trials(nil), Workers: 2})
				}
				c := &cluster.Coordinator{Link: dial(b, h.URL(), &lines{})}
				r, _ := trialRun(uint64(b.N), trial{Bytes: size, Fails: -1, Panics: -1}, b.N)
				b.SetBytes(int64(size))
				b.ResetTimer()
				if err := c.Run(context.Background(), r); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "units/s")
			})
		}
	}
}

// TestSameBytes: what packs shards has one version in both modules, else a data set made
// by one would differ from one made by the other.
func TestSameBytes(t *testing.T) {
	version := func(dir, module string) string {
		cmd := exec.Command("go", "list", "-m", "-f", "{{if .Replace}}{{.Replace.Version}}{{else}}{{.Version}}{{end}}", module)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	for _, module := range []string{"github.com/klauspost/compress", "github.com/parquet-go/parquet-go", "google.golang.org/protobuf"} {
		if here, there := version(".", module), version("..", module); here != there {
			t.Errorf("%s: %s here, %s in the main module", module, here, there)
		}
	}
}
