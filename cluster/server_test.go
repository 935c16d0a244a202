package cluster_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"plyfit/cluster"
)

// TestPermissions: what plyfit cluster permissions prints makes roles of any NATS server,
// that of the hub and, where one is installed, another such as Debian's. A whole job is
// done there, with results that a message cannot carry, and a worker cannot do more.
func TestPermissions(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	commands, workers := file("commands", "0123456789abcdef"), file("workers", "fedcba9876543210")
	t.Setenv("COMMAND_TOKEN", "0123456789abcdef")
	t.Setenv("WORKER_TOKEN", "fedcba9876543210")
	roles := must(t, "cluster", "permissions")
	servers := map[string]func(conf string) (stop func()){"of the hub": func(conf string) func() {
		o, err := server.ProcessConfigFile(conf)
		if err != nil {
			t.Fatal(err)
		}
		o.NoLog, o.NoSigs = true, true
		s, err := server.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		return s.Shutdown
	}}
	if path, err := exec.LookPath("nats-server"); err == nil {
		servers["installed"] = func(conf string) func() {
			cmd := exec.Command(path, "-c", conf)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			return func() { cmd.Process.Kill(); cmd.Wait() }
		}
	}
	for name, serve := range servers {
		t.Run(name, func(t *testing.T) {
			at := freePort(t)
			stop := serve(file("conf "+name, fmt.Sprintf("listen: %q\njetstream {store_dir: %q}\n%s", at, t.TempDir(), roles)))
			defer stop()
			url := "nats://" + at
			link := dialAs(t, cluster.Access{URL: url, TokenFile: commands}, &lines{})
			w := &cluster.Worker{Kinds: trials(nil), Workers: 2, Link: dialAs(t, cluster.Access{URL: url, TokenFile: workers, Role: cluster.RoleWorker}, &lines{})}
			ctx, end := context.WithCancel(context.Background())
			ended := make(chan error, 1)
			go func() { ended <- w.Run(ctx) }()
			for _, rest := range []trial{healthy, {Bytes: 3 << 20, Fails: -1, Panics: -1}} {
				r, s := trialRun(7, rest, 6)
				if err := (&cluster.Coordinator{Link: link}).Run(context.Background(), r); err != nil {
					t.Fatal(err)
				}
				s.check(t, r.Job, rest, 6)
			}
			end()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			refused := make(chan error, 1)
			nc, err := nats.Connect(url, nats.UserInfo("worker", "fedcba9876543210"), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()
			if err := nc.Publish("$JS.API.STREAM.DELETE.PLYFIT_WORK", nil); err != nil {
				t.Fatal(err)
			}
			select {
			case err := <-refused:
				if !strings.Contains(strings.ToLower(err.Error()), "permissions violation") {
					t.Error(err)
				}
			case <-time.After(20 * time.Second):
				t.Error("a worker may delete streams")
			}
		})
	}
}

// TestOtherServer: a NATS server of somebody else's, such as Debian's 2.9, is as good a
// hub. Skipped where none is installed.
func TestOtherServer(t *testing.T) {
	path, err := exec.LookPath("nats-server")
	if err != nil {
		t.Skip("no nats-server is installed")
	}
	at := freePort(t)
	host, port, _ := strings.Cut(at, ":")
	server := exec.Command(path, "--jetstream", "--addr", host, "--port", port, "--store_dir", t.TempDir())
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { server.Process.Kill(); server.Wait() }()
	url := "nats://" + at
	for name, c := range map[string]struct {
		rest  trial
		units int
	}{
		"small": {healthy, 200},
		"large": {trial{Bytes: 3 << 20, Fails: -1, Panics: -1}, 4}, // than its messages may be
	} {
		stop := startWorker(t, url, &cluster.Worker{Kinds: trials(nil), Workers: 2})
		r, s := trialRun(7, c.rest, c.units)
		if err := (&cluster.Coordinator{Link: dial(t, url, &lines{})}).Run(context.Background(), r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s.check(t, r.Job, c.rest, c.units)
		stop()
	}
	rest := trial{Bytes: 10, Fails: 5, Panics: -1}
	stop := startWorker(t, url, &cluster.Worker{Kinds: trials(nil), Workers: 2})
	r, s := trialRun(8, rest, 20)
	if err := (&cluster.Coordinator{Link: dial(t, url, &lines{})}).Run(context.Background(), r); err == nil || !strings.Contains(err.Error(), "unit 5 (seed 8): no luck") {
		t.Errorf("a unit that fails: %v", err)
	}
	s.check(t, r.Job, rest, 20, 5)
	stop()

	start(t, "plyfit", nil, "worker", "--cluster", url, "--workers", "2")
	command := strings.Fields("match connect4 alphabeta:depth=2 random --pairs 400 --sprt 0,30 --quiet -o")
	here, there := filepath.Join(t.TempDir(), "m"), filepath.Join(t.TempDir(), "m")
	must(t, append(command, here)...)
	must(t, append(command, there, "--cluster", url)...)
	same(t, here, there)
}
