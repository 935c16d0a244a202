package cluster_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"plyfit/cluster"
	"plyfit/cluster/hub"
	"plyfit/internal/vectors"
	"plyfit/work"
)

// rawConnection returns a bare connection with a hub's credential.
func rawConnection(t testing.TB, h *hub.Hub) *nats.Conn {
	t.Helper()
	nc := vectors.Must(nats.Connect(h.URL(), ownKey(t)))
	t.Cleanup(nc.Close)
	return nc
}

// submit publishes a result as the named worker would, and waits until the hub has it.
func submit(t testing.TB, nc *nats.Conn, job string, unit int, header map[string]string, result []byte) {
	t.Helper()
	m := nats.NewMsg(fmt.Sprintf("plyfit.done.%s.%d", job, unit))
	m.Header.Set("Plyfit-Host", "liar/1")
	m.Header.Set("Plyfit-Sha256", work.Digest(result))
	for k, v := range header {
		m.Header.Set(k, v)
	}
	m.Data = result
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		answer, err := nc.RequestMsg(m, 5*time.Second)
		if err == nil && !strings.Contains(string(answer.Data), "error") {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("unit %d: the hub does not take it: %v", unit, err)
		}
	}
}

// large publishes the description of a large result of the given size, with 2 MiB of data. If link
// is set, the description is a link to another object.
func large(t testing.TB, nc *nats.Conn, name string, size uint64, link bool) {
	t.Helper()
	info := map[string]any{"name": name, "bucket": "plyfit-results", "nuid": "0123456789abcdefghijkl", "size": size, "chunks": 2, "digest": "SHA-256=", "mtime": time.Now()}
	if link {
		info["options"] = map[string]any{"link": map[string]string{"bucket": "plyfit-files", "name": work.Digest([]byte("a model"))}}
	}
	text := vectors.Must(json.Marshal(info))
	for range 2 {
		vectors.Must(nc.Request("$O.plyfit-results.C.0123456789abcdefghijkl", make([]byte, 1<<20), 5*time.Second))
	}
	m := nats.NewMsg("$O.plyfit-results.M." + base64.URLEncoding.EncodeToString([]byte(name)))
	m.Header.Set("Nats-Rollup", "sub")
	m.Data = text
	vectors.Must(nc.RequestMsg(m, 5*time.Second))
}

// TestRefusedResults checks that an invalid result is rejected with one log line that contains the
// unit, the worker and the reason, and that the job ends with the correct results.
func TestRefusedResults(t *testing.T) {
	for name, c := range map[string]struct {
		lie  func(t *testing.T, nc *nats.Conn, job string) // for unit 3
		want string
	}{
		"garbage": {func(t *testing.T, nc *nats.Conn, job string) {
			submit(t, nc, job, 3, nil, []byte("\x00\x1b]0;garbage\x07"))
		}, "it begins with"},
		"another's unit": {func(t *testing.T, nc *nats.Conn, job string) { submit(t, nc, job, 3, nil, healthy.unit(7, 4)) }, "it begins with"},
		"another digest": {func(t *testing.T, nc *nats.Conn, job string) {
			submit(t, nc, job, 3, map[string]string{"Plyfit-Sha256": work.Digest(nil)}, healthy.unit(7, 3))
		}, "but its message contains"},
		"too large": {func(t *testing.T, nc *nats.Conn, job string) {
			submit(t, nc, job, 3, nil, append(healthy.unit(7, 3), make([]byte, 1<<20)...))
		}, "want at most 100"},
		"2 GB": {func(t *testing.T, nc *nats.Conn, job string) {
			name := job + ".3.x"
			large(t, nc, name, 2<<30, false)
			submit(t, nc, job, 3, map[string]string{"Plyfit-Object": name}, nil)
		}, "2147483648 bytes, want at most 100"},
		"more than it says": {func(t *testing.T, nc *nats.Conn, job string) {
			name := job + ".3.x"
			large(t, nc, name, 90, false)
			submit(t, nc, job, 3, map[string]string{"Plyfit-Object": name}, nil)
		}, "101 bytes, want at most 100"},
		"a link": {func(t *testing.T, nc *nats.Conn, job string) {
			name := job + ".3.x"
			large(t, nc, name, 90, true)
			submit(t, nc, job, 3, map[string]string{"Plyfit-Object": name}, nil)
		}, "a link to another object"},
		"another's object": {func(t *testing.T, nc *nats.Conn, job string) {
			submit(t, nc, job, 3, map[string]string{"Plyfit-Object": job + ".4.x"}, nil)
		}, "of another unit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // mostly waits
			h := startHub(t, hub.Options{})
			nc := rawConnection(t, h)
			r, s := trialRun(7, healthy, 6)
			log := &lines{}
			ended := make(chan error, 1)
			link := dial(t, h.URL(), log)
			go func() { ended <- (&cluster.Coordinator{Link: link}).Run(context.Background(), r) }()
			awaitQueued(t, link, 6)
			c.lie(t, nc, r.Job.Name())
			await(func() bool { return strings.Contains(log.String(), "result rejected") })
			startWorker(t, h.URL(), &cluster.Worker{Kinds: trials(nil), Workers: 2})
			vectors.Check(<-ended)
			s.check(t, r.Job, healthy, 6)
			for line := range strings.Lines(log.String()) {
				if strings.Contains(line, "result rejected") && (!strings.Contains(line, "unit=3") || !strings.Contains(line, "worker=liar/1") || !strings.Contains(line, c.want)) {
					t.Errorf("%s: want unit 3, worker liar/1 and %q", line, c.want)
				}
			}
		})
	}
}

// await waits until the callback returns true. It has no time limit except that of the test.
func await(so func() bool) {
	for !so() {
		time.Sleep(10 * time.Millisecond)
	}
}

func awaitQueued(t testing.TB, link *cluster.Link, units uint64) {
	t.Helper()
	await(func() bool {
		s, err := cluster.ReadStatus(context.Background(), link)
		return err == nil && s.Queued == units
	})
}

// TestGarbageOnly checks that a worker that returns only invalid results ends the job with an error
// that contains the worker's name.
func TestGarbageOnly(t *testing.T) {
	h := startHub(t, hub.Options{})
	nc := rawConnection(t, h)
	r, s := trialRun(7, healthy, 6)
	link := dial(t, h.URL(), &lines{})
	ended := make(chan error, 1)
	go func() { ended <- (&cluster.Coordinator{Link: link}).Run(context.Background(), r) }()
	awaitQueued(t, link, 6)
	for unit := range 3 {
		submit(t, nc, r.Job.Name(), unit, nil, []byte("garbage"))
	}
	err := <-ended
	if err == nil || !strings.Contains(err.Error(), "worker liar/1 has returned 3 invalid results") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v: want a line that names liar/1", err)
	}
	startWorker(t, h.URL(), &cluster.Worker{Kinds: trials(nil), Workers: 2})
	vectors.Check((&cluster.Coordinator{Link: link}).Run(context.Background(), r))
	s.check(t, r.Job, healthy, 6)
}

// TestTwoResults checks that two different results of a unit end the command with an error that
// names the unit and both workers. This must happen whether the unit was drawn to be computed twice
// or the second result arrived in another way. The job must remain on the hub, so that the unit can
// be repeated.
func TestTwoResults(t *testing.T) {
	for name, check := range map[string]int{"computed twice": 1, "second result": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := startHub(t, hub.Options{})
			nc := rawConnection(t, h)
			r, s := trialRun(7, healthy, 6)
			link := dial(t, h.URL(), &lines{})
			there := make(chan int, 6)
			r.There = func(unit int) { there <- unit }
			ended := make(chan error, 1)
			c := &cluster.Coordinator{Link: link, Check: check}
			go func() { ended <- c.Run(context.Background(), r) }()
			awaitQueued(t, link, 6)
			submit(t, nc, r.Job.Name(), 3, map[string]string{"Plyfit-Host": "faulty/1"}, healthy.unit(8, 3))
			if check == 0 {
				<-there
			}
			submit(t, nc, r.Job.Name(), 3, map[string]string{"Plyfit-Host": "sound/1"}, healthy.unit(7, 3))
			err := <-ended
			if err == nil || !strings.Contains(err.Error(), "unit 3 has two different results; worker faulty/1 computed") || !strings.Contains(err.Error(), "worker sound/1 one with") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%v: want unit 3 and both workers", err)
			}
			if _, kept := s.results[3]; kept && check == 1 {
				t.Error("a result that was not confirmed is in the store")
			}
			if result, err := cluster.Repeat(context.Background(), link, trials(nil), cluster.Short(r.Job.Name()), 3); err != nil || string(result) != string(healthy.unit(7, 3)) {
				t.Errorf("the unit cannot be repeated: %q, %v", result, err)
			}
		})
	}
}

// TestCheckedTwice checks that units computed twice have correct results and that each unit is
// reported once, both with one worker and with two.
func TestCheckedTwice(t *testing.T) {
	h := startHub(t, hub.Options{})
	dir := t.TempDir()
	link := dial(t, h.URL(), &lines{})
	for n := 1; n <= 2; n++ {
		start(t, "trial-worker", nil, "-url", h.URL(), "-begun", filepath.Join(dir, "begun"))
		await(func() bool {
			s, err := cluster.ReadStatus(context.Background(), link)
			return err == nil && len(s.Workers) == n
		})
		r, s := trialRun(uint64(n), healthy, 40)
		reports := 0
		r.There = func(int) { reports++ }
		vectors.Check((&cluster.Coordinator{Link: link, Check: 2}).Run(context.Background(), r))
		s.check(t, r.Job, healthy, 40)
		if reports != 40 {
			t.Errorf("%d workers: %d units were reported, want 40", n, reports)
		}
	}
	twice := 0
	for _, n := range startedUnits(t, filepath.Join(dir, "begun")) {
		if n > 2 {
			twice++
		}
	}
	if twice == 0 {
		t.Error("no unit was computed twice")
	}
}
