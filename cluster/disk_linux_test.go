package cluster_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"plyfit/internal/vectors"
)

// smallDisk mounts an in-memory file system of the given size. It returns its directory and a
// function that resizes it. Only root can do this.
func smallDisk(t *testing.T, size string) (dir string, grow func(size string)) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no file system can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir, func(size string) {
		vectors.Check(syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size="+size))
	}
}

// TestFullHub checks that a hub with a full disk prints the reason on one line and exits. The job
// must continue once there is space and the hub has been restarted.
func TestFullHub(t *testing.T) {
	f := newFleet(t, trial{Bytes: 60_000, Sleep: 30 * time.Millisecond, Fails: -1, Panics: -1}, 300)
	f.hub.kill()
	dir, grow := smallDisk(t, "8m")
	full := func() *process {
		return start(t, "plyfit", nil, "hub", "--listen", f.at, "--store", filepath.Join(dir, "hub"))
	}
	f.hub = full()
	f.startCoordinator()
	f.await(50)
	ballast := vectors.Must(os.Create(filepath.Join(dir, "ballast")))
	var err error
	for err == nil {
		_, err = ballast.Write(make([]byte, 4096))
	}
	if ballast.Close(); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	code, log := f.hub.wait(t, time.Minute)
	end := log[strings.LastIndex(strings.TrimSpace(log), "\n")+1:]
	if code != 1 || !strings.Contains(end, "the disk is full: "+filepath.Join(dir, "hub")+"; free some space and start the hub again") {
		t.Errorf("exit code %d, %s", code, log)
	}
	if !f.command.running() {
		t.Fatalf("the command has ended: %s", f.command.errors.String())
	}
	grow("64m")
	f.hub = full()
	if code, log := f.command.wait(t, time.Minute); code != 0 {
		t.Fatalf("exit code %d\n%s", code, log)
	}
	f.check()
}

// TestFullFolder checks that a command with a full disk ends with a one-line error. When it is run
// again with enough space, it must produce the same bytes as a single process.
func TestFullFolder(t *testing.T) {
	f := newFleet(t, healthy, 0)
	for i, w := range f.workers {
		w.kill()
		f.workers[i] = start(t, "plyfit", nil, "worker", "--cluster", "nats://"+f.at, "--workers", "1")
	}
	dir, grow := smallDisk(t, "160k")
	command := strings.Fields("selfplay connect4 --games 300 --games-per-shard 10 --agent alphabeta:depth=2 --quiet")
	here, there := filepath.Join(t.TempDir(), "data"), filepath.Join(dir, "data")
	must(t, append(command, "-o", here)...)
	command = append(command, "-o", there, "--cluster", "nats://"+f.at)
	code, _, log := plyfit(t, command...)
	if code != 1 || strings.Count(log, "\n") != 1 || !strings.Contains(log, "no space left on device") {
		t.Errorf("exit code %d, want 1 and one line: %s", code, log)
	}
	grow("16m")
	must(t, command...)
	same(t, here, there)
}
