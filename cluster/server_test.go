package cluster_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/cluster"
	"plyfit/internal/vectors"
)

// TestOtherServer checks that an external NATS server, such as Debian's 2.9, works as a hub. The
// test is skipped if no such server is installed.
func TestOtherServer(t *testing.T) {
	path, err := exec.LookPath("nats-server")
	if err != nil {
		t.Skip("no nats-server is installed")
	}
	at := freePort(t)
	host, port, _ := strings.Cut(at, ":")
	server := exec.Command(path, "--jetstream", "--addr", host, "--port", port, "--store_dir", t.TempDir())
	vectors.Check(server.Start())
	defer func() { server.Process.Kill(); server.Wait() }()
	url := "nats://" + at
	rest := trial{Bytes: 3 << 20, Fails: 5, Panics: -1} // results larger than the server's message limit
	stop := startWorker(t, url, &cluster.Worker{Kinds: trials(nil), Workers: 2})
	r, s := trialRun(8, rest, 7)
	if err := (&cluster.Coordinator{Link: dial(t, url, &lines{})}).Run(context.Background(), r); err == nil || !strings.Contains(err.Error(), "unit 5 (seed 8): no luck") {
		t.Errorf("a unit that fails: %v", err)
	}
	s.check(t, r.Job, rest, 7, 5)
	stop()

	start(t, "plyfit", nil, "worker", "--cluster", url, "--workers", "2")
	command := strings.Fields("match connect4 alphabeta:depth=2 random --pairs 400 --sprt 0,30 --quiet -o")
	here, there := filepath.Join(t.TempDir(), "m"), filepath.Join(t.TempDir(), "m")
	must(t, append(command, here)...)
	must(t, append(command, there, "--cluster", url)...)
	same(t, here, there)
}
