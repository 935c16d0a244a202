package cluster_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"plyfit/cluster/hub"
	"plyfit/internal/vectors"
)

// ownKey returns the key that the test's hubs accept. The first hub creates it.
func ownKey(t testing.TB) nats.Option {
	t.Helper()
	dir := vectors.Must(os.UserConfigDir())
	return vectors.Must(nats.NkeyOptionFromSeed(filepath.Join(dir, "plyfit", "cluster", "key.nk")))
}

// TestOwnKey checks that a hub on the loopback address rejects a client without a key, and accepts
// a process of the same user, which has the key in a file that only the user can read. A key file
// that others can read must be rejected.
func TestOwnKey(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	h := startHub(t, hub.Options{})
	if nc, err := nats.Connect(h.URL()); err == nil {
		nc.Close()
		t.Error("one without a key gets in")
	}
	must(t, "cluster", "status", "--cluster", h.URL())
	path := filepath.Join(dir, "plyfit", "cluster", "key.nk")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s: %v, %v; want mode 0600", path, info, err)
	}
	vectors.Check(os.Chmod(path, 0o644))
	if code, _, log := plyfit(t, "cluster", "status", "--cluster", h.URL()); code == 0 || strings.Count(log, "\n") != 1 || !strings.Contains(log, "mode 0644, want 0600") {
		t.Errorf("exit code %d, %s", code, log)
	}
}
