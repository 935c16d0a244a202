package selfplay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"plyfit/datasets"
	"plyfit/search"
)

// TestFullDisk: where the disk is full the error names the file, every shard
// under its final name is whole, and with more room the run goes on.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	defer syscall.Unmount(disk, 0)
	cfg := config(t, "connect4", 400)
	cfg.Agents = []search.Factory{random(cfg.Game)}
	want := run(t, cfg)

	cfg.Dir = filepath.Join(disk, "data")
	_, err := Run(context.Background(), cfg)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), cfg.Dir) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("error %v, want one line that names the file on the full disk", err)
	}
	entries, _ := os.ReadDir(cfg.Dir)
	if len(entries) < 3 {
		t.Errorf("%d files, want the manifest and some shards", len(entries))
	}
	for _, e := range entries {
		path := filepath.Join(cfg.Dir, e.Name())
		switch {
		case e.Name() == datasets.ManifestFile:
			if m, err := datasets.ReadManifest(cfg.Dir); err != nil || m.Complete {
				t.Errorf("manifest %+v, %v", m, err)
			}
		case filepath.Ext(path) != ".parquet":
			t.Errorf("%s was left", path)
		default:
			if err := datasets.EachRecord(path, func(*datasets.Record) bool { return true }); err != nil {
				t.Error(err)
			}
		}
	}
	if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, "size=4m"); err != nil {
		t.Skipf("cannot enlarge the disk: %v", err)
	}
	if got := run(t, cfg); got.Digest != want.Digest {
		t.Errorf("digest %s after the full disk, want %s", got.Digest, want.Digest)
	}
}
