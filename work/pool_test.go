package work

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// shelf keeps results in memory.
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

// digits is a task whose units have unit+1 parts, each their number.
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

// TestRun: one worker and several end with the same results, each of them put once.
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

// TestReady: no unit is begun that is not ready, and all are in the end.
func TestReady(t *testing.T) {
	s := newShelf()
	p := digits(8)
	var counted atomic.Int64
	p.Do = func(_ context.Context, _, unit, part int) (int, error) {
		time.Sleep(time.Millisecond)
		if n := counted.Load(); unit > int(n)+1 {
			t.Errorf("unit %d is worked out when %d are there", unit, n)
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

// TestFails: the first error ends the run, and so does the end of the context.
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

// TestJob: the name of a job follows from all of it, and from nothing else.
func TestJob(t *testing.T) {
	job := func() *Job {
		return &Job{Kind: "match", World: "nim", Agents: []string{"a", "b"}, Seed: 1, To: 20, UnitSize: 4, Rest: 5}
	}
	if a, b := job().Name(), job().Name(); a != b || len(a) != 64 {
		t.Errorf("one job has the names %s and %s", a, b)
	}
	seen := map[string]string{job().Name(): "nothing"}
	for what, change := range map[string]func(j *Job){
		"kind": func(j *Job) { j.Kind = "study" }, "world": func(j *Job) { j.World = "go" }, "agents": func(j *Job) { j.Agents[0] = "c" },
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
