package cluster_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"plyfit/catalog"
	"plyfit/cli"
	"plyfit/cluster/hub"
	"plyfit/work"
)

// TestForged: other shards and garbage are handed in for all units before a worker comes. The command refuses them, names who sent
// them, and ends, or is begun again and ends, with the bytes of one process. No file under
// a shard's final name is another's meanwhile.
func TestForged(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		name, command string
		forge         func(t *testing.T, job *work.Job, unit int) []byte
		want          string
	}{
		{"another's shard", "selfplay pig --games 12 --games-per-shard 4 --agent random", func(t *testing.T, job *work.Job, unit int) []byte {
			return unitOf(t, job, (unit+1)%3)
		}, "want those from"},
		{"shard of garbage", "selfplay pig --games 12 --games-per-shard 4 --agent random", func(*testing.T, *work.Job, int) []byte {
			return []byte("garbage")
		}, "want a shard with a seal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := startHub(t, hub.Options{})
			here, there := path(c.name+" here"), path(c.name+" there")
			command := append(strings.Fields(c.command), "--quiet", "--seed", "5", "-o")
			must(t, append(slices.Clone(command), here)...)
			command = append(command, there, "--cluster", h.URL())
			p := start(t, "plyfit", nil, command...)
			nc := stranger(t, h)
			var jobs []*work.Job
			await(t, func() bool { jobs = jobsOn(t, nc); return len(jobs) == 1 })
			for unit := range 3 {
				handIn(t, nc, jobs[0].Name(), unit, nil, c.forge(t, jobs[0], unit))
			}
			code, log := p.wait(t, 2*time.Minute)
			if code != 1 || !strings.Contains(log, "worker liar/1 has handed in 3 results that cannot be right") || !strings.Contains(log, c.want) {
				t.Errorf("exit code %d: %s", code, log)
			}
			if shards, _ := filepath.Glob(filepath.Join(there, "*.parquet")); len(shards) > 0 {
				t.Errorf("in the folder: %v", shards)
			}
			start(t, "plyfit", nil, "worker", "--cluster", h.URL(), "--workers", "1")
			must(t, command...)
			same(t, here, there)
		})
	}
}

// jobsOn are the jobs on a hub, which have no files.
func jobsOn(t *testing.T, nc *nats.Conn) (jobs []*work.Job) {
	t.Helper()
	ctx := context.Background()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	bucket, err := js.KeyValue(ctx, "plyfit-jobs")
	if err != nil {
		t.Fatal(err)
	}
	names, err := bucket.Keys(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoKeysFound) {
		t.Fatal(err)
	}
	for _, name := range names {
		entry, err := bucket.Get(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		var posting struct {
			Job json.RawMessage `json:"job"`
		}
		if err := json.Unmarshal(entry.Value(), &posting); err != nil {
			t.Fatal(err)
		}
		job, _, err := work.ParseJob(posting.Job)
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, job)
	}
	return jobs
}

// unitOf is a unit of a job as an honest worker makes it.
func unitOf(t *testing.T, job *work.Job, unit int) []byte {
	t.Helper()
	units, err := cli.Kinds(catalog.All()).Open(job, work.Memory{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer units.Close()
	result, err := units.Unit(context.Background(), unit)
	if err != nil {
		t.Fatal(err)
	}
	return result
}
