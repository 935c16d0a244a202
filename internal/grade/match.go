package grade

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/program"
	"plyfit/internal/protocol"
	"plyfit/models"
	"plyfit/search"
)

// planner returns the agent that searches with a submitted evaluation.
func (e *Exercise) planner(w *catalog.World) string { return cmp.Or(e.Planner, w.Planner()) }

func (e *Exercise) config(w *catalog.World, seed uint64) (arena.Config, error) {
	cfg := arena.Config{
		Game: w.Game, Pairs: e.Pairs, Seed: game.Seed(seed, streamOf(e.Name)), Workers: 1,
		Openings: arena.Openings{Plies: e.Plies},
	}
	for _, spec := range []string{e.Against, e.planner(w)} {
		a, err := w.Agent(spec, catalog.AgentOptions{})
		if err == nil && a.Unrepeatable {
			err = fmt.Errorf("agent %s: want an agent that plays the same on every machine: no time limit, one thread and no external program", spec)
		}
		if err != nil {
			return cfg, err
		}
		if spec == e.Against {
			cfg.B = a.Factory
		}
	}
	return cfg, nil
}

// evaluation loads a submission's model for the world of an exercise. Its errors are considered the
// student's faults.
func (g *grader) evaluation(s *Submission, w *catalog.World) (*catalog.Evaluation, error) {
	path := filepath.Join(s.Path, s.file)
	f, err := models.Load(path)
	if err != nil {
		return nil, errors.New(strings.ReplaceAll(err.Error(), path, s.Name+".json"))
	}
	set, m, err := w.Bind(s.Name, f)
	if err != nil {
		return nil, err
	}
	weights := 0
	for _, x := range m.Weights {
		if x != 0 {
			weights++
		}
	}
	if most := g.assignment.Weights; most > 0 && weights > most {
		return nil, fmt.Errorf("%d weights are not 0; want at most %d", weights, most)
	}
	return w.EvaluationOf(s.Name, set, m)
}

// play plays and scores the match of an exercise. d is the workspace of a program, or nil if s is
// an evaluation.
func (g *grader) play(ctx context.Context, e *Exercise, w *catalog.World, s *Submission, d *workspace) (Part, error) {
	part := Part{Name: e.Name, Of: e.Points}
	cfg, err := e.config(w, g.assignment.Seed)
	if err != nil {
		return part, err
	}
	if cfg.A, err = g.entrant(e, w, s, d); err != nil {
		part.Said = err.Error()
		part.Faults.Add(program.Crash, part.Said)
		return part, nil
	}
	r, err := arena.Run(ctx, cfg)
	if err != nil {
		return part, err
	}
	measured, of := r.UtilityA, "a game"
	if r.Mode == arena.Duel {
		measured, of = r.Points, "of the points"
	}
	part.Games, part.Measured = r.Games, &measured.Value
	if measured.Bounded {
		part.Low, part.High = &measured.Low, &measured.High
	}
	part.deaf = d != nil && d.deaf
	part.Faults = r.FaultsA
	if d != nil {
		part.Faults.First = d.redact(part.Faults.First)
	}
	share := min(1, max(0, (measured.Value-e.None)/(e.Full-e.None)))
	part.Points = rounded(e.Points * share)
	text := measured.Format(measured.Decimals(), 1) + " " + of
	full, none := fmt.Sprintf("%g", e.Full), fmt.Sprintf("%g", e.None)
	if r.Mode == arena.Duel {
		text, full, none = measured.Percent()+" "+of, fmt.Sprintf("%.6g%%", 100*e.Full), fmt.Sprintf("%.6g%%", 100*e.None)
		part.Said = fmt.Sprintf("%s in %d games against %s (%d won, %d drawn, %d lost). A result of %s earns all points; a result of %s earns none.", text, r.Games, e.Against, r.Wins, r.Draws, r.Losses, full, none)
	} else {
		part.Said = fmt.Sprintf("%s; %s gets %s with the same luck. A result of %s earns all points; a result of %s earns none.", text, e.Against, r.UtilityB.Format(r.UtilityB.Decimals(), 1), full, none)
	}
	if what := part.Faults.First; what != "" {
		part.Said += " First fault: " + strings.TrimSuffix(what, ".") + "."
	}
	return part, nil
}

func (g *grader) entrant(e *Exercise, w *catalog.World, s *Submission, d *workspace) (search.Factory, error) {
	if d == nil {
		v, err := g.evaluation(s, w)
		if err != nil {
			return search.Factory{}, err
		}
		a, err := w.Agent(e.planner(w), catalog.AgentOptions{Evaluation: v})
		if err != nil {
			return search.Factory{}, err
		}
		a.Name = s.Name
		return a.Factory, nil
	}
	cfg := protocol.AnswererConfig{Game: w.Game, Command: d.command, Limits: g.limits(d)}
	if e.Terms {
		set, err := w.Set("")
		if err != nil {
			return search.Factory{}, err
		}
		cfg.Terms = set
	}
	return search.Factory{Name: s.Name, Unrepeatable: true, New: func() (search.Agent, error) {
		return &patient{Agent: protocol.NewAnswerer(cfg), patience: &d.patience}, nil
	}}, nil
}

// patience counts a program's late answers in an exercise.
type patience struct {
	left int  // number of further late answers before the program gets no more questions
	deaf bool // the program did not read a question
}

func (p *patience) note(fault *program.EngineError) {
	switch {
	case fault.Starting:
		p.left, p.deaf = 0, true
	case fault.Kind == program.Time && p.left > 0:
		p.left--
	}
}

// why returns the reason why the program receives no more questions.
func (p *patience) why() string {
	if p.deaf {
		return "not asked, because the program did not read an earlier question"
	}
	return fmt.Sprintf("not asked, because %d answers were late", mostLate)
}

// A patient agent stops asking its program after too many late answers. Because the games of an
// exercise are played one after another, when it stops depends only on the answers.
type patient struct {
	search.Agent
	*patience
}

func (p *patient) Begin(seed uint64) {
	if p.left > 0 {
		p.Agent.Begin(seed)
	}
}

func (p *patient) Search(ctx context.Context, s game.State) (search.Result, error) {
	if p.left == 0 {
		return search.Result{Move: game.NoMove}, &program.EngineError{Kind: program.Time, Engine: "program", What: p.why()}
	}
	r, err := p.Agent.Search(ctx, s)
	var fault *program.EngineError
	if errors.As(err, &fault) {
		p.note(fault)
	}
	return r, err
}

// Close ends the program.
func (p *patient) Close() error {
	search.Close(p.Agent)
	return nil
}
