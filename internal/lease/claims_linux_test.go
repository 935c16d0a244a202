package lease

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"plyfit/internal/process"
)

// plantClaim writes the claim of an owner on a unit, which is not there before.
func plantClaim(t *testing.T, dir, name string, owner process.ID) string {
	t.Helper()
	text, err := json.Marshal(Owner{ID: owner, Since: "2026-01-02T03:04:05Z"})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "."+name+".000001.lease")
	if err := os.WriteFile(path, append(text, '\n', ' '), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func try(t *testing.T, c *Claims, name string) bool {
	t.Helper()
	ours, err := c.Try(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	return ours
}

// TestClaims: a unit is one's until he gives it up, units are independent of each
// other, and the folder goes with the last claim.
func TestClaims(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "claims")
	a, b := NewClaims(dir), NewClaims(dir)
	if !try(t, a, "7") || try(t, b, "7") || !try(t, b, "8") {
		t.Error("want 7 to be a's alone, and 8 to be b's")
	}
	a.Close()
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the folder went while there were claims: %v", err)
	}
	if !try(t, b, "7") {
		t.Error("7 was given up, and is not to be had")
	}
	b.Release("8")
	b.Release("7")
	b.Close()
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder is still there")
	}
	if !try(t, a, "7") {
		t.Error("7 is not to be had where the folder went")
	}
	a.Close()
}

// TestClaimsOfOthers: the claim of a process that is gone is taken over at once,
// that of another machine once it was silent for long, and nobody waits for that.
func TestClaimsOfOthers(t *testing.T) {
	quick(t, time.Millisecond, 60*time.Millisecond)
	dir := t.TempDir()
	c := NewClaims(dir)
	defer c.Close()
	plantClaim(t, dir, "1", gone())
	if !try(t, c, "1") {
		t.Error("a dead one's unit is not to be had")
	}
	silent, beating := plantClaim(t, dir, "2", elsewhere()), plantClaim(t, dir, "3", elsewhere())
	begun := time.Now()
	if try(t, c, "2") || try(t, c, "3") {
		t.Error("another machine's unit was taken at first sight")
	}
	if passed := time.Since(begun); passed > 50*time.Millisecond {
		t.Errorf("asking took %v", passed)
	}
	had := false
	for n := 0; time.Since(begun) < 200*time.Millisecond; n++ {
		f, err := os.OpenFile(beating, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteAt([]byte{" \n"[n%2]}, 0)
		f.Close()
		if try(t, c, "3") {
			t.Error("a living one's unit was taken")
		}
		had = had || try(t, c, "2")
		time.Sleep(time.Millisecond)
	}
	if !had {
		t.Error("a silent one's unit is not to be had")
	}
	if _, err := os.Stat(silent); err == nil {
		t.Error("the silent one's claim is still there")
	}
}

// TestClaimsOfKilled: what one who was killed has left, the temporary file of a
// claim that he was making among it, goes with the folder; what is a living one's
// stays.
func TestClaimsOfKilled(t *testing.T) {
	dir := t.TempDir()
	a, b := NewClaims(dir), NewClaims(dir)
	if !try(t, a, "7") || !try(t, b, "8") {
		t.Fatal("7 or 8 is not to be had")
	}
	killed := filepath.Join(dir, ".plyfit."+gone().String()+".1.tmp")
	living := filepath.Join(dir, ".plyfit."+process.Self().String()+".1.tmp")
	for _, path := range []string{killed, living} {
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	plantClaim(t, dir, "9.x", gone())
	a.Close()
	var left []string
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{".8.000001.lease", filepath.Base(living)}; err != nil || !slices.Equal(left, want) {
		t.Errorf("%q, %v are left, want %q", left, err, want)
	}
	os.Remove(living) // as its owner does
	b.Close()
	if _, err := os.Stat(dir); err == nil {
		t.Error("the folder is still there")
	}
}

// TestShared: those at one job hold a folder together, and keep out whoever wants
// it for another job or for himself.
func TestShared(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	refused := func(job string) {
		t.Helper()
		if err := HoldFolder(ctx, dir, job, func(context.Context) error { return nil }); err == nil {
			t.Errorf("job %q: want it refused", job)
		}
	}
	err := HoldFolder(ctx, dir, "one", func(ctx context.Context) error {
		refused("")
		refused("two")
		plant(t, dir, 7, gone()) // a dead one who wanted it for himself
		return HoldFolder(ctx, dir, "one", func(context.Context) error {
			refused("")
			return nil
		})
	})
	if err != nil {
		t.Error(err)
	}
	err = HoldFolder(ctx, dir, "", func(context.Context) error { refused("one"); return nil })
	if err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v was left", left)
	}
}

// TestAloneWith: one at a time, and each has its turn.
func TestAloneWith(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	inside, turns := 0, 0
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			err := AloneWith(context.Background(), path, func() error {
				inside++
				if inside != 1 {
					t.Error("two at a time")
				}
				time.Sleep(time.Millisecond)
				inside--
				turns++
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if turns != 5 {
		t.Errorf("%d turns, want 5", turns)
	}
}
