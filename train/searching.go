package train

import (
	"fmt"
	"strings"

	"plyfit/catalog"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

// The methods that learn from their own searches; see [online.Searching].
var (
	TDLeaf = searching(online.TDLeaf, "tdleaf moves the leaf that the root's value comes from toward the values of the searches that followed.")

	RootStrap = searching(online.RootStrap, "rootstrap moves each root toward its search's value.")

	TreeStrap = searching(online.TreeStrap, "treestrap moves every searched position toward the value, or between the bounds, that it was found to have.", "root")
)

func searching(lesson online.Bootstrap, doc string, more ...string) *Method {
	return &Method{
		Name: string(lesson), Doc: doc, Reads: append([]string{"agent", "step", "loss"}, more...),
		// The searches themselves see what else could be played.
		Alpha: 0.02, Epsilon: 0.02, Batch: 16,
		Learner: func(p *Plan) (online.Learner, error) { return newSearching(p, lesson) },
	}
}

func newSearching(p *Plan, lesson online.Bootstrap) (online.Learner, error) {
	w, m := p.World, p.Task.Model
	switch {
	case p.Leaves == models.Decision || p.Leaves == models.Afterstate && w.Chancy():
		m.Leaves = p.Leaves
	case p.Leaves == models.Afterstate:
		return nil, fmt.Errorf("leaves afterstate: nature does not move in %s: want decision", w.Spec)
	case p.Leaves != "":
		return nil, fmt.Errorf("leaves %q: want decision or afterstate", p.Leaves)
	case lesson != online.TreeStrap:
		m.Leaves = models.Decision
	}
	if p.Wins != 0 {
		return nil, fmt.Errorf("label %s: %s learns what searches find: want td", labelOf(p.Wins), lesson)
	}
	if !(p.Root > 0) {
		return nil, fmt.Errorf("root=%v: want a number above 0", p.Root)
	}
	step := p.Step
	switch {
	case p.TC && step != "" && step != online.TC:
		return nil, fmt.Errorf("--tc with --step %s: want one of them", step)
	case p.TC:
		step = online.TC
	case step == "":
		step = online.Adam
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
	if lesson == online.TreeStrap {
		p.Depends("root", p.Root)
	}
	return online.NewSearching(online.SearchingOptions{
		Task: p.Task, Steps: p.steps(step),
		Agent: agents, Bootstrap: lesson, Lambda: p.Lambda, Loss: p.Loss, Root: p.Root, Boards: p.Batch,
	})
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
