package work

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// heldFolder makes the test binary hold a folder until it is killed.
const heldFolder = "PLYFIT_TEST_HOLD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(heldFolder); dir != "" {
		if _, err := Hold(dir); err != nil {
			panic(err)
		}
		fmt.Println("held")
		select {}
	}
	os.Exit(m.Run())
}

// TestHold: a second one is refused by the name of the first, in this process and in
// others, and comes in once that has let go or was killed. No lock is left behind.
func TestHold(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "pairs.jsonl")} {
		release, err := Hold(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Hold(path)
		want := fmt.Sprintf("%s: process %d on ", path, os.Getpid())
		if held := (*HeldError)(nil); !errors.As(err, &held) || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), " since 2") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want one line that begins with %q", err, want)
		}
		release()
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%v is left behind", left)
		}
	}

	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), heldFolder+"="+dir)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err == nil {
		_, err = out.Read(make([]byte, 1))
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Hold(dir); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d on ", c.Process.Pid)) {
		t.Errorf("%v, want a refusal that names process %d", err, c.Process.Pid)
	}
	c.Process.Kill()
	c.Wait()
	release, err := Hold(dir)
	if err != nil {
		t.Fatalf("after the holder was killed: %v", err)
	}
	release()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v is left behind", left)
	}
}

// TestAlone: what was left half-written goes, and so does a folder made in vain.
func TestAlone(t *testing.T) {
	boom := errors.New("boom")
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := Alone(dir, func() error { return boom }); err != boom {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Dir(dir)); err == nil {
		t.Error("the folder is still there")
	}
	half := filepath.Join(dir, ".x.1.tmp")
	if err := Alone(dir, func() error { return os.WriteFile(half, nil, 0o644) }); err != nil {
		t.Error(err)
	}
	if err := Alone(dir, func() error { _, err := os.Stat(half); return err }); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want the half-written file to be gone", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Alone(filepath.Join(file, "x"), func() error { return nil }); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a folder below a file: %v", err)
	}
}
