package cluster_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"plyfit/cluster"
	"plyfit/cluster/hub"
)

// ownKey is the key that the hubs of the tests know, once there was one.
func ownKey(t testing.TB) nats.Option {
	t.Helper()
	dir, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	o, err := nats.NkeyOptionFromSeed(filepath.Join(dir, "plyfit", "cluster", "hub.nk"))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestOwnKey: a hub on the loopback address knows the processes of its user alone. The
// key lies in a file that others cannot read; one that others can is refused.
func TestOwnKey(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	h := startHub(t, hub.Options{})
	if nc, err := nats.Connect(h.URL()); err == nil {
		nc.Close()
		t.Error("one without a key gets in")
	}
	must(t, "cluster", "status", "--cluster", h.URL())
	path := filepath.Join(dir, "plyfit", "cluster", "hub.nk")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v; want mode 0600", info, err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, log := plyfit(t, "cluster", "status", "--cluster", h.URL()); code == 0 || strings.Count(log, "\n") != 1 || !strings.Contains(log, "has the mode 0644, want 0600") {
		t.Errorf("exit code %d, %s", code, log)
	}
}

// TestTokens: the token opens the hub, and so it does a server that knows no users.
func TestTokens(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	right, wrong := file("right", "0123456789abcdef"), file("wrong", "fedcba9876543210")
	other, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, Authorization: "0123456789abcdef", NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	other.Start()
	defer other.Shutdown()
	if !other.ReadyForConnections(20 * time.Second) {
		t.Fatal("the server does not listen")
	}
	for _, url := range []string{startHub(t, hub.Options{TokenFile: right}).URL(), other.ClientURL()} {
		for token, want := range map[string]bool{right: true, wrong: false, "": false} {
			link, err := cluster.Dial(context.Background(), cluster.Access{URL: url, TokenFile: token}, 0, new(lines).logger())
			if err == nil {
				link.Close()
			} else if !strings.Contains(err.Error(), "Authorization Violation") {
				t.Errorf("%s: %v", url, err)
			}
			if (err == nil) != want {
				t.Errorf("%s, %s: let in %v, want %v", url, filepath.Base(token), err == nil, want)
			}
		}
	}
}
