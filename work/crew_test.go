package work

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"
)

// shelf is a store in memory, which several crews may share.
type shelf struct {
	mu      sync.Mutex
	results map[int]string
	claimed map[int]bool
	claims  int // how often a unit was begun
}

func newShelf() *shelf { return &shelf{results: map[int]string{}, claimed: map[int]bool{}} }

func (s *shelf) Has(unit int) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, there := s.results[unit]
	return there, nil
}

func (s *shelf) Claim(_ context.Context, unit int) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.claimed[unit] {
		return false, nil
	}
	s.claimed[unit] = true
	return true, nil
}

func (s *shelf) Put(unit int, result []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results[unit], s.claimed[unit] = string(result), false
	s.claims++
	return nil
}

func (s *shelf) Release(unit int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.claimed[unit] = false
}

// digits is a task whose units have unit+1 parts, each their number.
func digits(workers int) *Crew[int, int] {
	c := &Crew[int, int]{Task: Task[int, int]{
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

// TestRun: one worker, several, and several crews on one store end with the same
// results, each of them made once.
func TestRun(t *testing.T) {
	for _, crews := range []int{1, 3} {
		for _, workers := range []int{1, 8} {
			s := newShelf()
			var all sync.WaitGroup
			for range crews {
				all.Go(func() {
					here, there, parts := 0, 0, 0
					err := digits(workers).Run(context.Background(), Run{Store: s, Units: units,
						Part: func(int) { parts++ },
						There: func(_ int, ours bool) {
							if there++; ours {
								here++
							}
						},
					})
					if err != nil || there != len(units) || crews == 1 && (here != there || parts != 36) {
						t.Errorf("%d crews of %d: %v; told of %d units, %d parts, %d units here", crews, workers, err, there, parts, here)
					}
				})
			}
			all.Wait()
			if !reflect.DeepEqual(s.results, wanted()) || s.claims != len(units) {
				t.Errorf("%d crews of %d workers: %v, made %d times", crews, workers, s.results, s.claims)
			}
		}
	}
}

// TestWaits: a unit of somebody else's is waited for, and begun where he gives it
// up.
func TestWaits(t *testing.T) {
	s := newShelf()
	s.claimed[0], s.claimed[1] = true, true
	time.AfterFunc(50*time.Millisecond, func() { s.Put(0, []byte("theirs")); s.Release(1) })
	err := digits(2).Run(context.Background(), Run{Store: s, Units: []int{0, 1}})
	if err != nil || s.results[0] != "theirs" || s.results[1] != wanted()[1] {
		t.Errorf("%v, %v", s.results, err)
	}
}

// TestOpen: no more units are under way than may be, and none that is not ready.
func TestOpen(t *testing.T) {
	s := newShelf()
	c := digits(8)
	most, open := 0, 0
	c.Do = func(_ context.Context, _, unit, part int) (int, error) {
		time.Sleep(time.Millisecond)
		s.mu.Lock()
		defer s.mu.Unlock()
		open = 0
		for _, claimed := range s.claimed {
			if claimed {
				open++
			}
		}
		most = max(most, open)
		return 10*unit + part, nil
	}
	counted := 0
	err := c.Run(context.Background(), Run{Store: s, Units: units, Open: 3,
		Ready: func(unit int) bool { return unit <= counted+1 },
		There: func(int, bool) { counted++ },
	})
	if err != nil || most != 2 || !reflect.DeepEqual(s.results, wanted()) {
		t.Errorf("%v: %d open, want 2 since no more were ready; %v", err, most, s.results)
	}
}

// TestFails: the first error ends the run, and so does the end of the context;
// what was begun is given up.
func TestFails(t *testing.T) {
	boom := errors.New("boom")
	for name, c := range map[string]*Crew[int, int]{"part": digits(4), "join": digits(4), "stopped": digits(4)} {
		ctx, cancel := context.WithCancelCause(context.Background())
		switch name {
		case "part":
			c.Do = func(_ context.Context, _, unit, part int) (int, error) {
				if unit == 3 {
					return 0, boom
				}
				return 10*unit + part, nil
			}
		case "join":
			c.Join = func(int, []int) ([]byte, error) { return nil, boom }
		default:
			c.Do = func(context.Context, int, int, int) (int, error) { cancel(boom); return 0, nil }
		}
		s := newShelf()
		err := c.Run(ctx, Run{Store: s, Units: units})
		cancel(nil)
		if !errors.Is(err, boom) {
			t.Errorf("%s: %v, want %v", name, err, boom)
		}
		for unit, claimed := range s.claimed {
			if claimed {
				t.Errorf("%s: unit %d is still claimed", name, unit)
			}
		}
	}
}

func TestSlice(t *testing.T) {
	for _, n := range []int{0, 1, 7, 100, 1 << 40} {
		for _, of := range []int{1, 3, 4, 64} {
			next := 0
			for part := 1; part <= of; part++ {
				s, err := ParseSlice(fmt.Sprintf("%d/%d", part, of))
				if err != nil {
					t.Fatal(err)
				}
				from, to := s.Range(n)
				if size := to - from; from != next || size < n/of || size > n/of+1 {
					t.Errorf("slice %v of %d: %d to %d, want it to begin at %d", s, n, from, to, next)
				}
				next = to
			}
			if next != n {
				t.Errorf("%d slices of %d end at %d", of, n, next)
			}
		}
	}
	if s, err := ParseSlice(""); err != nil || !s.Whole() {
		t.Errorf("no slice: %v, %v", s, err)
	}
	for _, text := range []string{"0/4", "5/4", "1", "1/", "/4", "1/4/2", "a/4", "1/0", "-1/4", "+1/4", "01/4"} {
		if s, err := ParseSlice(text); err == nil {
			t.Errorf("%q: %v, want an error", text, s)
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
		"seed": func(j *Job) { j.Seed++ }, "from": func(j *Job) { j.From++ }, "to": func(j *Job) { j.To++ },
		"unit size": func(j *Job) { j.UnitSize++ }, "rest": func(j *Job) { j.Rest = "" },
	} {
		j := job()
		change(j)
		if other, twice := seen[j.Name()]; twice {
			t.Errorf("a change of %s gives the name of a change of %s", what, other)
		}
		seen[j.Name()] = what
	}
	const want = `{"kind":"match","world":"nim","agents":["a","b"],"seed":1,"from":0,"to":20,"unit_size":4,"rest":5,"program":"test","arithmetic":"rounded/1"}`
	if got := string(job().Canonical()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
