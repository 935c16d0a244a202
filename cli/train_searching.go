package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

// searchingFlags are those of the methods that learn from their own searches.
type searchingFlags struct {
	agent, step, loss string
	decay, root       float64
}

func (f *searchingFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.agent, "agent", "", "of the searching methods: who plays and is learned from, without eval; without it the game's own choice")
	flags.StringVar(&f.step, "step", "", "of the searching methods: adam, adagrad, tc or plain; without it adam")
	flags.Float64Var(&f.decay, "decay", 0, "games (of the searching methods rounds of moves) after which alpha is halved, after twice as many a third; 0: it stays")
	flags.Float64Var(&f.root, "root", 1, "of treestrap: how many searched positions the position at hand counts for")
	flags.StringVar(&f.loss, "loss", "", "of the searching methods: logistic or squared; without it logistic where the link has bounds")
}

// trainSearching makes the learner of a lesson.
func trainSearching(lesson online.Lesson) func(p *trainPlan) (online.Learner, error) {
	return func(p *trainPlan) (online.Learner, error) {
		w, m := p.world, p.task.Model
		switch leaves := models.Leaves(p.leaves); {
		case leaves == models.Decision || leaves == models.Afterstate && w.Chancy():
			m.Leaves = leaves
		case leaves == models.Afterstate:
			return nil, fmt.Errorf("leaves afterstate: nature does not move in %s: want decision", w.Spec)
		case leaves != "":
			return nil, fmt.Errorf("leaves %q: want decision or afterstate", p.leaves)
		case lesson != online.TreeStrap:
			m.Leaves = models.Decision
		}
		if p.label != "outcome" {
			return nil, fmt.Errorf("label %s: %s learns what searches find: want td", p.label, lesson)
		}
		if !(p.root > 0) {
			return nil, fmt.Errorf("root=%v: want a number above 0", p.root)
		}
		step := online.StepKind(p.step)
		switch {
		case p.tc && step != "" && step != online.TC:
			return nil, fmt.Errorf("--tc with --step %s: want one of them", step)
		case p.tc:
			step = online.TC
		case step == "":
			step = online.Adam
		}
		if p.agent == "" {
			p.agent = w.Recipe().Planner
		}
		players, err := searchers(p)
		if err != nil {
			return nil, err
		}
		p.depends("agent", p.agent)
		p.depends("leaves", m.Leaves)
		p.depends("step", step)
		p.depends("decay", p.decay)
		p.depends("loss", p.loss)
		p.depends("batch", p.batch)
		if lesson == online.TreeStrap {
			p.depends("root", p.root)
		}
		return online.NewSearching(online.SearchingConfig{
			Task: p.task, Descent: online.Descent{Step: step, Alpha: p.alpha, Decay: p.decay, AverageFrom: p.steps.AverageFrom},
			Agent: players, Lesson: lesson, Lambda: p.lambda, Loss: online.Loss(p.loss), Root: p.root, Boards: p.batch,
		})
	}
}

// searchers reads --agent: who plays by the evaluation that is being learned.
func searchers(p *trainPlan) (func(search.Evaluator, search.Observer) (func() (search.Agent, error), error), error) {
	w, m := p.world, p.task.Model
	if kind, _, _ := strings.Cut(p.agent, ":"); kind != "minimax" && kind != "alphabeta" && kind != "expectimax" {
		return nil, fmt.Errorf("agent %s: want minimax, alphabeta or expectimax, whose nodes have values", p.agent)
	}
	read := func(e search.Evaluator, o search.Observer) (*catalog.Agent, error) {
		evaluation := &catalog.Evaluation{Name: "learned", Leaves: m.Leaves, Set: p.set, Model: m, New: func() search.Evaluator { return e }}
		return w.Agent(p.agent, catalog.AgentOptions{Observer: o, Evaluation: evaluation})
	}
	player, err := read(search.Zero(w.Game), nil)
	if err != nil {
		return nil, err
	}
	if player.Unrepeatable {
		return nil, fmt.Errorf("agent %s: a limit by time or racing threads give other weights each time: want depth or nodes", p.agent)
	}
	return func(e search.Evaluator, o search.Observer) (func() (search.Agent, error), error) {
		player, err := read(e, o)
		if err != nil {
			return nil, err
		}
		return player.New, nil
	}, nil
}
