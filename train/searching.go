package train

import (
	"fmt"
	"strings"

	"plyfit/catalog"
	"plyfit/learn/online"
	"plyfit/learn/online/bootstrap"
	"plyfit/learn/online/optimiser"
	"plyfit/models"
	"plyfit/search"
)

// The methods that learn from their own searches; see [bootstrap.Learner].
var (
	TDLeaf = searching(bootstrap.TDLeaf, "tdleaf moves the leaf that the root's value comes from toward the values of the searches that followed.")

	RootStrap = searching(bootstrap.RootStrap, "rootstrap moves each root toward its search's value.")

	TreeStrap = searching(bootstrap.TreeStrap, "treestrap moves every searched position toward the value, or between the bounds, that it was found to have.", "root")
)

func searching(by bootstrap.Method, doc string, more ...string) *Method {
	return &Method{
		Name: string(by), Doc: doc, Reads: append([]string{"agent", "step", "loss"}, more...),
		// The searches themselves see what else could be played.
		Alpha: 0.02, Epsilon: 0.02, Batch: 16,
		Learner: func(p *Plan) (online.Learner, error) { return newSearching(p, by) },
	}
}

func newSearching(p *Plan, by bootstrap.Method) (online.Learner, error) {
	w, m := p.World, p.Task.Model
	if err := p.leaves(); err != nil {
		return nil, err
	}
	if p.Leaves == "" && by != bootstrap.TreeStrap {
		m.Leaves = models.Decision
	}
	if p.Wins != 0 {
		return nil, fmt.Errorf("label %s: %s learns what searches find: want td", labelOf(p.Wins), by)
	}
	if !(p.Root > 0) {
		return nil, fmt.Errorf("root=%v: want a number above 0", p.Root)
	}
	step := p.Step
	switch {
	case p.TC && step != "" && step != optimiser.TC:
		return nil, fmt.Errorf("--tc with --step %s: want one of them", step)
	case p.TC:
		step = optimiser.TC
	case step == "":
		step = optimiser.Adam
	}
	if p.Agent == "" {
		p.Agent = w.Recipe().Planner
	}
	agents, err := p.searchers()
	if err != nil {
		return nil, err
	}
	p.Depends("agent", p.Agent)
	p.Depends("leaves", m.Leaves)
	p.Depends("step", step)
	p.Depends("decay", p.Decay)
	p.Depends("loss", p.Loss)
	p.Depends("batch", p.Batch)
	if by == bootstrap.TreeStrap {
		p.Depends("root", p.Root)
	}
	return bootstrap.New(bootstrap.Options{
		Task: p.Task, Steps: p.steps(step),
		Agent: agents, Method: by, Lambda: p.Lambda, Loss: p.Loss, Root: p.Root, Boards: p.Batch,
	})
}

// leaves gives the model those that were asked for, if any were.
func (p *Plan) leaves() error {
	w, m := p.World, p.Task.Model
	switch {
	case p.Leaves == "":
	case p.Leaves == models.Decision || p.Leaves == models.Afterstate && w.Chancy():
		m.Leaves = p.Leaves
	case p.Leaves == models.Afterstate:
		return fmt.Errorf("leaves afterstate: nature does not move in %s: want decision", w.Spec)
	default:
		return fmt.Errorf("leaves %q: want decision or afterstate", p.Leaves)
	}
	return nil
}

// searchers reads Agent: who plays by the evaluation that is being learned.
func (p *Plan) searchers() (func(search.Evaluator, search.Observer) (func() (search.Agent, error), error), error) {
	w, m := p.World, p.Task.Model
	if kind, _, _ := strings.Cut(p.Agent, ":"); kind != "minimax" && kind != "alphabeta" && kind != "expectimax" {
		return nil, fmt.Errorf("agent %s: want minimax, alphabeta or expectimax, whose nodes have values", p.Agent)
	}
	read := func(e search.Evaluator, o search.Observer) (*catalog.Agent, error) {
		evaluation := &catalog.Evaluation{Name: "learned", Leaves: m.Leaves, Set: p.Task.Set, Model: m, New: func() search.Evaluator { return e }}
		return w.Agent(p.Agent, catalog.AgentOptions{Observer: o, Evaluation: evaluation})
	}
	agent, err := read(search.Zero(w.Game), nil)
	if err != nil {
		return nil, err
	}
	if agent.Unrepeatable {
		return nil, fmt.Errorf("agent %s: a limit by time or racing threads give other weights each time: want depth or nodes", p.Agent)
	}
	return func(e search.Evaluator, o search.Observer) (func() (search.Agent, error), error) {
		agent, err := read(e, o)
		if err != nil {
			return nil, err
		}
		return agent.New, nil
	}, nil
}
