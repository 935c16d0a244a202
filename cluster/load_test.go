package cluster_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"plyfit/cluster"
	"plyfit/cluster/hub"
)

// TestFleet: many workers, each a connection of its own, with units of slept time. The
// hub is a process of its own, so that its memory can be told.
func TestFleet(t *testing.T) {
	workers, units := 20, 1000
	if long() {
		workers, units = 500, 100_000
	}
	at := freePort(t)
	h := start(t, "plyfit", nil, "hub", "--listen", at, "--store", t.TempDir())
	for range workers {
		startWorker(t, "nats://"+at, &cluster.Worker{Kinds: trials(nil), Workers: 1})
	}
	rest := trial{Bytes: 1000, Sleep: 100 * time.Millisecond, Fails: -1, Panics: -1}
	r, s := trialRun(1, rest, units)
	began := time.Now()
	if err := (&cluster.Coordinator{Link: dial(t, "nats://"+at, &lines{})}).Run(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	s.check(t, r.Job, rest, units)
	t.Logf("%d workers, %d units in %.1f s: %.0f units/s; memory of the hub at most %s", workers, units, took.Seconds(), float64(units)/took.Seconds(), mostMemory(t, h))
}

// mostMemory is the most memory that a process has taken, as the kernel tells it.
func mostMemory(t *testing.T, p *process) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if most, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strings.Join(strings.Fields(most), " ")
		}
	}
	t.Fatalf("no VmHWM in %s", text)
	return ""
}

// BenchmarkThroughput is how many units of no work pass a hub a second, where results are
// dropped, and into a folder, where each is a file of its own that is written to the disk.
func BenchmarkThroughput(b *testing.B) {
	for _, size := range []int{1 << 10, 256 << 10} {
		throughput(b, size)
	}
}

// BenchmarkLargeResults is the same for results that a message cannot carry, which go by
// the object store: shards of 9 MB.
func BenchmarkLargeResults(b *testing.B) { throughput(b, 9<<20) }

// throughput runs b.N units with results of a size, with and without sync and folder.
func throughput(b *testing.B, size int) {
	for _, synced := range []bool{false, true} {
		for _, store := range []string{"none", "folder"} {
			b.Run(fmt.Sprintf("bytes=%d/sync=%v/store=%s", size, synced, store), func(b *testing.B) {
				h := startHub(b, hub.Options{Sync: synced})
				for range 4 {
					startWorker(b, h.URL(), &cluster.Worker{Kinds: trials(nil), Workers: 8})
				}
				c := &cluster.Coordinator{Link: dial(b, h.URL(), &lines{})}
				r, _ := trialRun(uint64(b.N), trial{Bytes: size, Fails: -1, Panics: -1}, b.N)
				r.Put = func(int, []byte) error { return nil }
				if store == "folder" {
					r.Put = folder(b.TempDir()).put
				}
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
