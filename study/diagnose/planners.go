package diagnose

import (
	"context"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/work"
)

// view selects how a planner values its leaves.
type view int

const (
	raw        view = iota // by the evaluation
	calibrated             // by the evaluation on the scale of outcomes
	same                   // by the evaluation through a calibration that changes nothing
	blind                  // without an evaluation
	monotone               // by the evaluation through the best increasing curve
)

// scale is an increasing map of values.
type scale interface{ of(v float64) float64 }

// scaled is an evaluator whose values pass through a scale.
type scaled struct {
	search.Evaluator
	by scale
}

func (e scaled) Evaluate(s game.State, p game.Player) float64 {
	return e.by.of(e.Evaluator.Evaluate(s, p))
}

// scaledTracker is [scaled] for evaluators that follow the moves of a search.
type scaledTracker struct {
	search.Tracker
	by scale
}

func (e scaledTracker) Evaluate(s game.State, p game.Player) float64 {
	return e.by.of(e.Tracker.Evaluate(s, p))
}

// planner is a kind of search with a view of the evaluation.
type planner struct {
	minimax bool // else expectimax
	view    view
	depth   int // decisions
}

// planner returns the planner that searches more decisions than the report's depth.
func (d *diagnosis) planner(minimax bool, v view, more int) planner {
	return planner{minimax, v, d.Depth + more}
}

// arms lists the planners that choose at each decision of the sample.
func (d *diagnosis) arms() []planner {
	more := d.report.Further
	arms := []planner{d.planner(false, raw, 0), d.planner(false, calibrated, 0), d.planner(false, same, 0), d.planner(false, blind, 0)}
	if d.curve != nil {
		arms = append(arms, d.planner(false, monotone, 0))
	}
	if more > 1 {
		arms = append(arms, d.planner(false, raw, 1))
	}
	if d.chancy {
		arms = append(arms, d.planner(true, raw, 0), d.planner(true, calibrated, 0), d.planner(true, blind, 0), d.planner(true, raw, more))
	}
	if !d.dice {
		arms = append(arms, planner{false, raw, 1}, planner{true, raw, 1}) // alike, as if no one slipped
	}
	return arms
}

// tableMegabytes suffice for searches of some ten thousand nodes.
const tableMegabytes = 1

// agent makes a planner. Minimax takes dice and tiles for an adversary's, and assumes no slips.
// Planners of one goroutine never search at the same time and share the evaluation own, since a
// large model is compiled for each.
func (d *diagnosis) agent(own search.Evaluator, p planner) (search.Limiter, error) {
	o := search.Options{Game: d.World.Game, Eval: own, Leaf: d.Evaluation.Leaves, Depth: p.depth, Table: tableMegabytes}
	make, node := search.NewExpectimax, d.spending.node
	if p.minimax {
		make, o.Assume = search.NewAlphaBeta, assume.Assumption{Kind: assume.Base}
	} else if p.view == raw {
		node = d.spending.own
	}
	if p.view == blind {
		o.Eval, o.Leaf = search.Zero(d.World.Base()), models.Decision
	} else if by := d.scale(p.view); by != nil {
		o.Eval = scaled{own, by}
		if t, ok := own.(search.Tracker); ok {
			o.Eval = scaledTracker{t, by}
		}
	}
	a, err := make(o)
	if err != nil {
		return nil, err
	}
	return counted{a.(search.Limiter), &d.spending, node}, nil
}

// scale returns the map that a view applies to the evaluation, nil for none.
func (d *diagnosis) scale(v view) scale {
	switch v {
	case calibrated:
		return d.link
	case same:
		return d.identity()
	case monotone:
		return d.curve
	}
	return nil
}

// each does the n pieces of a stage with the diagnosis's workers.
func each[W any](ctx context.Context, d *diagnosis, stage string, n int, make func() (W, error), do func(ctx context.Context, w W, i int) error) error {
	return work.Each(ctx, d.Workers, n, make, do, func(done int) { d.Progress(stage, done, n) })
}
