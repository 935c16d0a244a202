package diagnose

import (
	"context"

	"plyfit/models"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/work"
)

// view is how a planner's leaves are valued.
type view int

const (
	raw        view = iota // by the evaluation
	calibrated             // by the evaluation on the scale of outcomes
	same                   // by the evaluation through a calibration that changes nothing
	blind                  // by what is there where nothing is known
	monotone               // by the evaluation through the best increasing curve
)

// planner is what a diagnosis compares: a kind of search with a view of the evaluation.
type planner struct {
	minimax bool // else expectimax
	view    view
	depth   int // decisions
}

// tableMegabytes suffice for searches of some ten thousand nodes.
const tableMegabytes = 1

// evaluators are those of one goroutine. Its planners, who never search at the same
// time, share them: what a large model is compiled to is there once.
type evaluators struct {
	d   *diagnosis
	own search.Evaluator
}

func (d *diagnosis) newEvaluators() *evaluators { return &evaluators{d: d} }

func (e *evaluators) evaluator() search.Evaluator {
	if e.own == nil {
		e.own = e.d.Evaluation.New()
	}
	return e.own
}

func (e *evaluators) options(v view, depth int) search.Options {
	d := e.d
	o := search.Options{Game: d.World.Game, Leaf: d.Evaluation.Leaves, Depth: depth, Table: tableMegabytes}
	switch v {
	case blind:
		o.Eval, o.Leaf = search.Zero(d.World.Base()), models.Decision
	case raw:
		o.Eval = e.evaluator()
	case same:
		o.Eval = over(d.straight(link{slope: 1}), e.evaluator())
	case calibrated:
		o.Eval = over(d.link, e.evaluator())
	case monotone:
		o.Eval = over(d.curve, e.evaluator())
	}
	return o
}

// agent makes a planner. Minimax takes dice and tiles for an adversary's, and knows no slips.
func (e *evaluators) agent(p planner) (search.Agent, error) {
	o, make, node := e.options(p.view, p.depth), search.NewExpectimax, e.d.spending.node
	if p.minimax {
		make, o.Assume = search.NewAlphaBeta, assume.Assumption{Kind: assume.Base}
	} else if p.view == raw {
		node = e.d.spending.own
	}
	a, err := make(o)
	if err != nil {
		return nil, err
	}
	return counted{a.(search.Limiter), &e.d.spending, node}, nil
}

// each does n pieces of a stage by the diagnosis's workers.
func each[W any](ctx context.Context, d *diagnosis, stage string, n int, make func() (W, error), do func(ctx context.Context, w W, i int) error) error {
	return work.Each(ctx, d.Workers, n, make, do, func(done int) { d.Progress(stage, done, n) })
}
