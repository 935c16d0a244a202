package lease

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"plyfit/internal/process"
)

// quick makes owners beat often and expire soon for the length of a test.
func quick(t *testing.T, beat, expiry time.Duration) {
	b, e := Beat, Expiry
	Beat, Expiry = beat, expiry
	t.Cleanup(func() { Beat, Expiry = b, e })
}

// plant writes a lease of owner as if it had taken it.
func plant(t *testing.T, dir string, number int, owner process.ID) string {
	t.Helper()
	text, err := json.Marshal(Owner{owner, "2026-01-02T03:04:05Z", ""})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, fmt.Sprintf(".plyfit.%06d.lease", number))
	if err := os.WriteFile(path, append(text, '\n', ' '), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func gone() process.ID {
	id := process.Self()
	id.Start++ // an earlier process of our number
	return id
}

func elsewhere() process.ID {
	return process.ID{Machine: "0123456789ab", Host: "faraway", PID: 77, Start: 5}
}

// hold holds dir and tells what is in it meanwhile.
func hold(dir string) (files []string, err error) {
	err = HoldFolder(context.Background(), dir, "", func(context.Context) error {
		entries, err := os.ReadDir(dir)
		for _, e := range entries {
			files = append(files, e.Name())
		}
		return err
	})
	return files, err
}

func TestHeld(t *testing.T) {
	dir := t.TempDir()
	err := HoldFolder(context.Background(), dir, "", func(ctx context.Context) error {
		_, err := hold(dir)
		var held *HeldError
		if !errors.As(err, &held) || held.Owner.PID != os.Getpid() || held.Path != dir {
			t.Errorf("a second one gets %v, want an error that names process %d", err, os.Getpid())
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("the error has more than one line: %q", err)
		}
		l, err := TakeFile(ctx, filepath.Join(dir, "pairs.jsonl"))
		if err != nil {
			return err
		}
		if _, err := TakeFile(ctx, filepath.Join(dir, "pairs.jsonl")); !errors.As(err, &held) {
			t.Errorf("a file that is held: %v", err)
		}
		other, err := TakeFile(ctx, filepath.Join(dir, "other.jsonl"))
		if err != nil {
			t.Errorf("another file: %v", err)
		}
		return errors.Join(l.Release(), other.Release())
	})
	if err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v was left", left)
	}
	if _, err := hold(dir); err != nil {
		t.Errorf("released, and then: %v", err)
	}
}

// TestTakenOver: the lease of a process of this machine that is gone is taken
// over at once, that of another machine once it is silent; one that beats is not.
func TestTakenOver(t *testing.T) {
	t.Run("gone", func(t *testing.T) {
		dir := t.TempDir()
		plant(t, dir, 3, gone())
		files, err := hold(dir) // Expiry is not waited for: the test would take 30 s
		if err != nil || fmt.Sprint(files) != "[.plyfit.000004.lease]" {
			t.Errorf("%v, %v, want the next lease alone", files, err)
		}
	})
	t.Run("silent elsewhere", func(t *testing.T) {
		quick(t, 3*time.Millisecond, 30*time.Millisecond)
		dir := t.TempDir()
		plant(t, dir, 1, elsewhere())
		files, err := hold(dir)
		if err != nil || fmt.Sprint(files) != "[.plyfit.000002.lease]" {
			t.Errorf("%v, %v, want the next lease alone", files, err)
		}
	})
	t.Run("torn", func(t *testing.T) {
		quick(t, 3*time.Millisecond, 30*time.Millisecond)
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ".plyfit.000001.lease"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := hold(dir); err != nil {
			t.Error(err)
		}
	})
	t.Run("alive elsewhere", func(t *testing.T) {
		quick(t, 3*time.Millisecond, time.Hour)
		dir := t.TempDir()
		path := plant(t, dir, 1, elsewhere())
		stop := make(chan struct{})
		var wait sync.WaitGroup
		wait.Go(func() { // its owner
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			info, _ := f.Stat()
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				case <-time.After(time.Millisecond):
					f.WriteAt([]byte{" \n"[n%2]}, info.Size()-1)
				}
			}
		})
		_, err := hold(dir)
		var held *HeldError
		if !errors.As(err, &held) || !strings.Contains(err.Error(), "process 77 on faraway") {
			t.Errorf("error %v, want one that names process 77 on faraway", err)
		}
		close(stop)
		wait.Wait()
		if _, err := os.Stat(path); err != nil {
			t.Errorf("the other's lease: %v", err)
		}
	})
}

// TestLost: an owner that stood still finds out, and its work is told to end.
func TestLost(t *testing.T) {
	quick(t, time.Millisecond, time.Hour)
	dir := t.TempDir()
	err := HoldFolder(context.Background(), dir, "", func(ctx context.Context) error {
		if err := os.Remove(filepath.Join(dir, ".plyfit.000001.lease")); err != nil {
			return err
		}
		plant(t, dir, 2, elsewhere())
		<-ctx.Done()
		return ctx.Err()
	})
	if err == nil || !strings.Contains(err.Error(), dir) || errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that another process took %s over", err, dir)
	}
	if _, err := os.Stat(filepath.Join(dir, ".plyfit.000002.lease")); err != nil {
		t.Errorf("the new owner's lease: %v", err)
	}
}

// TestOneAtATime has many take a folder over and over again, dead owners'
// leases among theirs: never two hold it.
func TestOneAtATime(t *testing.T) {
	dir := t.TempDir()
	var inside, taken atomic.Int64
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 200 {
				err := HoldFolder(context.Background(), dir, "", func(context.Context) error {
					if n := inside.Add(1); n > 1 {
						t.Errorf("%d hold it", n)
					}
					if n := taken.Add(1); n%3 == 0 { // what a killed one leaves
						plant(t, dir, 1000+int(n), gone())
					}
					runtime.Gosched()
					inside.Add(-1)
					return nil
				})
				var held *HeldError
				if err != nil && !errors.As(err, &held) {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if _, err := hold(dir); err != nil || taken.Load() == 0 {
		t.Errorf("taken %d times of 1600, and then: %v", taken.Load(), err)
	}
	t.Logf("taken %d times of 1600", taken.Load())
}

// TestFolders: a folder that was made for work that failed goes again, with the
// folders above it, and one that holds something stays.
func TestFolders(t *testing.T) {
	top := t.TempDir()
	boom := errors.New("boom")
	fails := func(context.Context) error { return boom }
	if err := HoldFolder(context.Background(), filepath.Join(top, "a", "b"), "", fails); !errors.Is(err, boom) {
		t.Errorf("error %v, want %v", err, boom)
	}
	if left, _ := os.ReadDir(top); len(left) > 0 {
		t.Errorf("%v was left", left)
	}
	kept := filepath.Join(top, "c")
	HoldFolder(context.Background(), kept, "", func(context.Context) error {
		return errors.Join(os.WriteFile(filepath.Join(kept, "f"), nil, 0o644), boom)
	})
	if _, err := os.Stat(filepath.Join(kept, "f")); err != nil {
		t.Error(err)
	}
}
