package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"plyfit/internal/disk"
	"plyfit/internal/vectors"
)

// A shelf stores results in memory.
type shelf struct {
	mu      sync.Mutex
	results map[int]string
	puts    int
}

func newShelf() *shelf { return &shelf{results: map[int]string{}} }

func (s *shelf) put(unit int, result []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results[unit] = string(result)
	s.puts++
	return nil
}

// digits returns a pool whose units have unit+1 parts. The value of a part is 10*unit+part.
func digits(workers int) *Pool[int, int] {
	c := &Pool[int, int]{Task: Task[int, int]{
		Parts: func(unit int) int { return unit + 1 },
		Do:    func(_ context.Context, _, unit, part int) (int, error) { return 10*unit + part, nil },
		Join:  func(unit int, parts []int) ([]byte, error) { return fmt.Append(nil, unit, parts), nil },
	}}
	for w := range workers {
		c.Workers = append(c.Workers, w)
	}
	return c
}

var units = []int{0, 1, 2, 3, 4, 5, 6, 7}

func wanted() map[int]string {
	want := map[int]string{}
	for _, unit := range units {
		var parts []int
		for p := range unit + 1 {
			parts = append(parts, 10*unit+p)
		}
		want[unit] = fmt.Sprint(unit, parts)
	}
	return want
}

// TestRun checks that one worker and several workers produce the same results and store each result
// once.
func TestRun(t *testing.T) {
	for _, workers := range []int{1, 8} {
		s := newShelf()
		there, parts := 0, 0
		err := digits(workers).Run(context.Background(), Run{Put: s.put, Units: units,
			Part:  func(int) { parts++ },
			There: func(int) { there++ },
		})
		if err != nil || there != len(units) || parts != 36 || !reflect.DeepEqual(s.results, wanted()) || s.puts != len(units) {
			t.Errorf("%d workers: %v; told of %d units, %d parts; %v, put %d times", workers, err, there, parts, s.results, s.puts)
		}
	}
}

// TestReady checks that no unit is started before it is ready, and that all units are eventually
// computed.
func TestReady(t *testing.T) {
	s := newShelf()
	p := digits(8)
	var counted atomic.Int64
	p.Do = func(_ context.Context, _, unit, part int) (int, error) {
		time.Sleep(time.Millisecond)
		if n := counted.Load(); unit > int(n)+1 {
			t.Errorf("unit %d is computed when %d are there", unit, n)
		}
		return 10*unit + part, nil
	}
	err := p.Run(context.Background(), Run{Put: s.put, Units: units,
		Ready: func(unit int) bool { return unit <= int(counted.Load())+1 },
		There: func(int) { counted.Add(1) },
	})
	if err != nil || !reflect.DeepEqual(s.results, wanted()) {
		t.Errorf("%v, %v", err, s.results)
	}
}

// TestFails checks that a run ends with the first error or when its context is cancelled.
func TestFails(t *testing.T) {
	boom := errors.New("boom")
	for name, p := range map[string]*Pool[int, int]{"part": digits(4), "join": digits(4), "put": digits(4), "stopped": digits(4)} {
		ctx, cancel := context.WithCancelCause(context.Background())
		put := newShelf().put
		switch name {
		case "part":
			p.Do = func(_ context.Context, _, unit, part int) (int, error) {
				if unit == 3 {
					return 0, boom
				}
				return 10*unit + part, nil
			}
		case "join":
			p.Join = func(int, []int) ([]byte, error) { return nil, boom }
		case "put":
			put = func(int, []byte) error { return boom }
		default:
			p.Do = func(context.Context, int, int, int) (int, error) { cancel(boom); return 0, nil }
		}
		err := p.Run(ctx, Run{Put: put, Units: units})
		cancel(nil)
		if !errors.Is(err, boom) {
			t.Errorf("%s: %v, want %v", name, err, boom)
		}
	}
}

// TestEach checks that Each stops at the first error, whether from make or do, and returns it.
func TestEach(t *testing.T) {
	boom := errors.New("boom")
	for _, broken := range []bool{true, false} {
		own := func() (int, error) {
			if broken {
				return 0, boom
			}
			return 0, nil
		}
		done := 0
		err := Each(t.Context(), 2, 1000, own, func(_ context.Context, _, i int) error {
			if i == 5 {
				return boom
			}
			return nil
		}, func(n int) { done = n })
		if !errors.Is(err, boom) || done == 1000 {
			t.Errorf("%v after %d pieces, want %v", err, done, boom)
		}
	}
}

// TestJob checks that the name of a job changes with each of its fields (except Files, which is not
// tried), and that its canonical form is unchanged.
func TestJob(t *testing.T) {
	job := func() *Job {
		return &Job{Kind: "match", World: "nim", Agents: []string{"a", "b"}, Seed: 1, To: 20, UnitSize: 4, Rest: 5}
	}
	if a, b := job().Name(), job().Name(); a != b || len(a) != 64 {
		t.Errorf("one job has the names %s and %s", a, b)
	}
	seen := map[string]string{job().Name(): "nothing"}
	for what, change := range map[string]func(j *Job){
		"kind": func(j *Job) { j.Kind = "study" }, "world": func(j *Job) { j.World = "chess" }, "agents": func(j *Job) { j.Agents[0] = "c" },
		"seed": func(j *Job) { j.Seed++ }, "to": func(j *Job) { j.To++ },
		"unit size": func(j *Job) { j.UnitSize++ }, "rest": func(j *Job) { j.Rest = "" },
	} {
		j := job()
		change(j)
		if other, twice := seen[j.Name()]; twice {
			t.Errorf("a change of %s gives the name of a change of %s", what, other)
		}
		seen[j.Name()] = what
	}
	const want = `{"kind":"match","world":"nim","agents":["a","b"],"seed":1,"to":20,"unit_size":4,"rest":5,"program":"test","arithmetic":"rounded/1"}`
	if got := string(job().Canonical()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// holdEnv is an environment variable. If it is set to a directory, the test binary locks that
// directory and waits to be killed.
const holdEnv = "PLYFIT_TEST_HOLD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdEnv); dir != "" {
		vectors.Must(Hold(dir))
		fmt.Println("held")
		time.Sleep(time.Minute) // an empty select would be reported as a deadlock
	}
	os.Exit(m.Run())
}

// TestHold checks that a second attempt to hold a path fails with an error that identifies the
// first holder, both within a process and between processes. The attempt must succeed once the
// first holder has released the path or has been killed. No lock file may be left behind.
func TestHold(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "pairs.jsonl")} {
		release := vectors.Must(Hold(path))
		_, err := Hold(path)
		want := fmt.Sprintf("%s: in use by process %d on ", path, os.Getpid())
		if held := (*HeldError)(nil); !errors.As(err, &held) || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), " since 2") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want one line that begins with %q", err, want)
		}
		release()
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%v is left behind", left)
		}
	}

	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), holdEnv+"="+dir)
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

// TestAlone checks that Alone removes temporary files, and also the directories that it created if
// do fails.
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
	vectors.Check(os.WriteFile(file, nil, 0o644))
	if err := Alone(filepath.Join(file, "x"), func() error { return nil }); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("a folder below a file: %v", err)
	}
}

// TestJournal checks that all appended lines are read back, even after an incomplete last line, and
// that a modified line is detected.
func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "j.jsonl")
	line := func(n int) []byte { return disk.Seal(fmt.Appendf(nil, "{\"n\":%d}\n", n)) }
	load := func() (j *Journal, lines []string, err error) {
		j = &Journal{Path: path}
		err = j.Load(func(text []byte, torn bool) error {
			if !torn {
				lines = append(lines, string(text))
			}
			return nil
		})
		return j, lines, err
	}
	want := ""
	for n := range 5 {
		j, lines, err := load()
		if err != nil || strings.Join(lines, "") != want || j.Lines != n {
			t.Fatalf("%d lines: %q, %v, want %q", n, lines, err, want)
		}
		vectors.Check(j.Append(line(n)))
		vectors.Check(j.Close())
		want += string(line(n))
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Fatalf("%q, want %q", got, want)
		}
		vectors.Check(os.WriteFile(path, []byte(want+`{"n":`+strings.Repeat("9", 200)), 0o644))
	}
	vectors.Check(os.WriteFile(path, []byte(string(line(0))+strings.Replace(string(line(1)), "1", "2", 1)), 0o644))
	if _, _, err := load(); err == nil || !strings.HasPrefix(err.Error(), path+", line 2: ") {
		t.Errorf("%v, want one that names the line", err)
	}
}

// FuzzResults checks that errors contain the file name. If a file can be read, writing it again
// must preserve the number of cells.
func FuzzResults(f *testing.F) {
	f.Add(`{"cell":"a {\"Game\":\"pig\"}","result":{"x":1}}` + "\n")
	f.Add("{\"cell\":\"a\",\"result\":1}\n{\"cell\":\"b\",\"result\":[null]}\n")
	f.Add("{\"cell\":\"a\"}\n")
	path := filepath.Join(f.TempDir(), "cells.jsonl")
	f.Fuzz(func(t *testing.T, text string) {
		vectors.Check(os.WriteFile(path, []byte(text), 0o644))
		s, err := OpenResults(path)
		if err != nil {
			if !strings.HasPrefix(err.Error(), path) {
				t.Errorf("error %q does not name the file", err)
			}
			return
		}
		cells := len(s.cells)
		if err := s.Close(); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if s, err = OpenResults(path); err != nil || len(s.cells) != cells {
			t.Errorf("%d cells were written and %d read (%v)", cells, len(s.cells), err)
		}
	})
}
