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

// ownKey is the key that the hubs of the tests know, once there was one.
func ownKey(t testing.TB) nats.Option {
	t.Helper()
	dir := vectors.Must(os.UserConfigDir())
	return vectors.Must(nats.NkeyOptionFromSeed(filepath.Join(dir, "plyfit", "cluster", "key.nk")))
}

// TestOwnKey: a hub on the loopback address knows the processes of its user alone, by a
// key in a file that others cannot read; one that others can is refused.
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
	if code, _, log := plyfit(t, "cluster", "status", "--cluster", h.URL()); code == 0 || strings.Count(log, "\n") != 1 || !strings.Contains(log, "has the mode 0644, want 0600") {
		t.Errorf("exit code %d, %s", code, log)
	}
}
