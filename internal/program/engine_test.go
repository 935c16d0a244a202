//go:build unix

package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"plyfit/internal/vectors"
)

// TestMain runs this binary as an engine if FAKE_ENGINE selects one.
func TestMain(m *testing.M) {
	switch os.Getenv("FAKE_ENGINE") {
	case "":
		os.Exit(m.Run())
	case "echo":
		io.Copy(os.Stdout, os.Stdin)
	case "asleep":
		time.Sleep(time.Hour)
	case "long":
		os.Stdout.WriteString(strings.Repeat("x", 3*lineLimit) + "\nshort\nno end")
	case "parent": // starts an engine and prints the engine's process ID; the test then kills this process
		e := vectors.Must(start(self("asleep")))
		fmt.Println("engine", e.PID())
		time.Sleep(time.Hour)
	}
}

// self returns the command that runs this binary as an engine.
func self(mode string) Command {
	return Command{Path: os.Args[0], Env: []string{"FAKE_ENGINE=" + mode}}
}

func begin(t *testing.T, mode string) *Engine {
	t.Helper()
	e := vectors.Must(start(self(mode)))
	t.Cleanup(func() { e.Close("") })
	return e
}

func TestLines(t *testing.T) {
	e := begin(t, "echo")
	ctx, soon := context.Background(), time.Now().Add(10*time.Second)
	for i := range 1000 {
		want := fmt.Sprintf("line %d", i)
		vectors.Check(e.Send(want))
		if got, err := e.Line(ctx, soon, "an echo"); err != nil || got != want {
			t.Fatalf("%q, %v, want %q", got, err, want)
		}
	}
	_, err := e.Line(ctx, time.Now().Add(10*time.Millisecond), "a word")
	wantFault(t, err, Time, "no a word in time")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := e.Line(ended, soon, "a word"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	e.Close("goodbye")
	awaitEnd(e.PID())
}

func wantFault(t *testing.T, err error, kind, what string) {
	t.Helper()
	var f *EngineError
	if !errors.As(err, &f) || f.Fault() != kind || !strings.Contains(f.Error(), what) {
		t.Errorf("%v, want a fault %s with %q", err, kind, what)
	}
}

func TestLongLines(t *testing.T) {
	e := begin(t, "long")
	ctx, soon := context.Background(), time.Now().Add(10*time.Second)
	if line, err := e.Line(ctx, soon, "x"); err != nil || len(line) != lineLimit || strings.Trim(line, "x") != "" {
		t.Errorf("%d bytes, %v", len(line), err)
	}
	for _, want := range []string{"short", "no end"} {
		if line, err := e.Line(ctx, soon, "x"); err != nil || line != want {
			t.Errorf("%q, %v, want %q", line, err, want)
		}
	}
	_, err := e.Line(ctx, soon, "more")
	wantFault(t, err, Crash, `ended, saying "no end" before it sent the more`)
}

// TestDeaf checks that an engine that does not read its input causes an error instead of blocking
// the caller.
func TestDeaf(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the seconds that an engine may be deaf")
	}
	e := begin(t, "asleep")
	wantFault(t, e.Send(strings.Repeat("x", 1<<20)), Time, "does not read")
}

// alive reports whether a process exists and is not a zombie.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == nil && runtime.GOOS != "linux"
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// awaitEnd waits for the end of a process.
func awaitEnd(pid int) {
	for alive(pid) {
		time.Sleep(time.Millisecond)
	}
}

func readPID(t *testing.T, line, word string) int {
	t.Helper()
	text, ok := strings.CutPrefix(line, word+" ")
	pid, err := strconv.Atoi(strings.TrimSpace(text))
	if !ok || err != nil {
		t.Fatalf("%q", line)
	}
	return pid
}

// TestForgotten checks that an engine that was not closed ends after becoming unreachable.
func TestForgotten(t *testing.T) {
	pid := func() int {
		e := vectors.Must(start(self("asleep")))
		return e.PID()
	}()
	for alive(pid) {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// TestKilled checks that an engine ends even if this process is killed with SIGKILL.
func TestKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system kills children of the dead on Linux alone")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FAKE_ENGINE=parent")
	out := vectors.Must(cmd.StdoutPipe())
	vectors.Check(cmd.Start())
	line, _ := bufio.NewReader(out).ReadString('\n')
	pid := readPID(t, line, "engine")
	if !alive(pid) {
		t.Fatal("there was no engine")
	}
	cmd.Process.Kill()
	cmd.Wait()
	awaitEnd(pid)
}

// TestLauncher checks that a program whose first start takes too long is started again. After a
// failure, a program must be started again only if it was ready at least once.
func TestLauncher(t *testing.T) {
	calls := 0
	late := func(*Engine) error {
		if calls++; calls == 1 {
			return &EngineError{Kind: Time, What: "no uciok in time"}
		}
		return nil
	}
	fails := func(*Engine) error {
		calls++
		return &EngineError{Kind: Crash, What: "exit status 3"}
	}
	for _, c := range []struct {
		greet func(*Engine) error
		calls int // calls during two starts
	}{{late, 3}, {fails, 1}} {
		l := Launcher{Command: self("echo")}
		calls = 0
		for range 2 {
			if e, err := l.Start(t.Context(), c.greet); err == nil {
				e.Close("")
			}
		}
		if calls != c.calls {
			t.Errorf("greeted %d times, want %d", calls, c.calls)
		}
		if l.worked { // an engine that worked before now fails
			calls = 0
			for range 2 {
				_, err := l.Start(t.Context(), fails)
				wantFault(t, err, Crash, "exit status 3")
			}
			if calls != 2 {
				t.Errorf("greeted %d times after it had worked, want 2", calls)
			}
		}
	}
}

func TestReadCommand(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "my engine")
	vectors.Check(os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755))
	c, err := ReadCommand(fmt.Sprintf(`"%s" --book 'a b' ""`, program))
	if err != nil || c.Path != program || fmt.Sprintf("%q", c.Args) != `["--book" "a b" ""]` || c.Name() != "my engine" {
		t.Errorf("%+v, %v", c, err)
	}
	for text, want := range map[string]string{
		"": "want a program", "'a": "want a closing '", "no-such-engine": "no such program on the PATH or in /usr/games", "./none": "not an executable program",
	} {
		if _, err := ReadCommand(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
