package grade

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"plyfit/catalog"
	"plyfit/internal/protocol"
	"plyfit/internal/text"
	"plyfit/work"
)

// Config configures [Run].
type Config struct {
	Catalog     catalog.Catalog
	Assignment  *Assignment
	Submissions []*Submission
	Inside      []string // sandbox command to prefix to every program; {} is the program's folder
	Workers     int      // number of submissions graded in parallel; 0 means one; affects results only through time limits
	Progress    func()   // called after each submission, unless nil
}

type grader struct {
	assignment *Assignment
	inside     []string
	worlds     []*catalog.World // by exercise
	questions  [][]question     // by exercise; nil for games

	mu     sync.Mutex
	starts map[string]*Start // by program
}

// Run grades submissions. Faults of a submission are part of its result. An error is returned only
// if there is a problem with the assignment or the machine, or if ctx is done.
func Run(ctx context.Context, cfg Config) (*Grades, error) {
	g := &grader{assignment: cfg.Assignment, inside: cfg.Inside, starts: map[string]*Start{}}
	if err := g.prepare(ctx, cfg.Catalog); err != nil {
		return nil, fmt.Errorf("assignment %s: %w", cfg.Assignment.Name, err)
	}
	for _, s := range cfg.Submissions {
		if len(s.words) > 0 && s.words[0] == python {
			if err := missing(python); err != nil {
				return nil, err
			}
			break
		}
	}
	results := make([]Result, len(cfg.Submissions))
	err := work.Each(ctx, cfg.Workers, len(results), func() (*grader, error) { return g, nil }, func(ctx context.Context, g *grader, i int) (err error) {
		if results[i], err = g.grade(ctx, cfg.Submissions[i]); err != nil {
			return fmt.Errorf("%s: %w", cfg.Submissions[i].Name, err)
		}
		return nil
	}, func(int) {
		if cfg.Progress != nil {
			cfg.Progress()
		}
	})
	if err != nil {
		return nil, err
	}
	grades := gradesOf(cfg.Assignment, results)
	for _, s := range g.starts {
		grades.Starts = append(grades.Starts, *s)
	}
	slices.SortFunc(grades.Starts, func(a, b Start) int { return strings.Compare(a.Program, b.Program) })
	return grades, nil
}

// prepare creates the exercises' worlds and computes the answers to their questions.
func (g *grader) prepare(ctx context.Context, c catalog.Catalog) error {
	for i := range g.assignment.Exercises {
		e := &g.assignment.Exercises[i]
		w, err := c.World(cmp.Or(e.Game, "tree"))
		var questions []question
		switch {
		case err != nil:
		case e.Ask != "":
			questions, err = e.questions(ctx, w, g.assignment.Seed)
		default:
			_, err = e.config(w, g.assignment.Seed)
		}
		if err != nil {
			return fmt.Errorf("exercise %q: %w", e.Name, err)
		}
		g.worlds, g.questions = append(g.worlds, w), append(g.questions, questions)
	}
	return nil
}

func (g *grader) grade(ctx context.Context, s *Submission) (Result, error) {
	r := Result{Name: s.Name, Kind: s.Kind, Fault: s.Fault, Of: g.assignment.Of()}
	if want := g.assignment.Accepts; r.Fault == "" && want != "" && s.Kind != want {
		r.Fault = fmt.Sprintf("the submission is of kind %s; want %s", s.Kind, map[string]string{Program: "a program", Evaluation: "an evaluation (.json)"}[want])
	}
	for i := range g.assignment.Exercises {
		e := &g.assignment.Exercises[i]
		part, err := Part{Name: e.Name, Of: e.Points, Said: "Not asked."}, error(nil)
		switch deaf := i > 0 && r.Exercises[i-1].deaf; {
		case r.Fault != "":
			part.Said = ""
		case deaf:
			part.deaf, part.Said = true, "Not asked, because the program did not read an earlier question."
		default:
			part, err = g.exercise(ctx, i, s)
		}
		if fault := (faultError{}); errors.As(err, &fault) {
			r.Fault, r.Points, part = text.Printable(fault.Error()), 0, Part{Name: e.Name, Of: e.Points}
		} else if err != nil {
			return r, err
		}
		r.Points = rounded(r.Points + part.Points)
		r.Exercises = append(r.Exercises, part)
	}
	return r, nil
}

// exercise grades an exercise of a submission. A program runs in a new copy of the submission for
// each exercise.
func (g *grader) exercise(ctx context.Context, i int, s *Submission) (Part, error) {
	e := &g.assignment.Exercises[i]
	var d *workspace
	if s.Kind == Program {
		var err error
		if d, err = newWorkspace(s, g.inside); err != nil {
			return Part{}, err
		}
		defer d.clear()
	}
	if e.Ask != "" {
		return g.put(ctx, e, g.questions[i], d)
	}
	return g.play(ctx, e, g.worlds[i], s, d)
}

func (g *grader) started(d *workspace) func(time.Duration) {
	name := filepath.Base(d.command.Path)
	return func(took time.Duration) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.starts[name] == nil {
			g.starts[name] = &Start{Program: name}
		}
		g.starts[name].Times++
		g.starts[name].Took += took
	}
}

// limits returns the time limits of a program.
func (g *grader) limits(d *workspace) protocol.Limits {
	answer := time.Duration(float64(time.Second) * g.assignment.Seconds)
	return protocol.Limits{Answer: answer, Start: startLimit, Started: g.started(d)}
}

// startLimit is the time limit for starting a program; 0 means the default.
var startLimit time.Duration

// rounded rounds points to two digits.
func rounded(x float64) float64 { return math.Round(x*100) / 100 }

// gradesOf ranks results by points. Results with equal points have the same rank and are sorted by
// name.
func gradesOf(a *Assignment, results []Result) *Grades {
	slices.SortStableFunc(results, func(x, y Result) int {
		return cmp.Or(cmp.Compare(y.Points, x.Points), strings.Compare(x.Name, y.Name))
	})
	for i := range results {
		results[i].Rank = i + 1
		if i > 0 && results[i].Points == results[i-1].Points {
			results[i].Rank = results[i-1].Rank
		}
		results[i].Passed = results[i].Points >= a.Pass
	}
	return &Grades{Format: GradesFormat, Assignment: a.Name, Title: a.Title, Seed: a.Seed, Of: a.Of(), Pass: a.Pass, Submissions: results, assignment: a}
}
