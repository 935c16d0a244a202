package diagnose

import (
	"context"
	"math"

	"plyfit/game"
	"plyfit/search"
)

// arm is a planner that chooses at the sample's decisions.
type arm int

const (
	expectimaxRaw arm = iota
	expectimaxCalibrated
	expectimaxSame
	expectimaxBlind
	expectimaxMonotone
	expectimaxPly // one decision further
	minimaxRaw
	minimaxCalibrated
	minimaxBlind
	minimaxFurther // as far as what they are measured by
	expectimaxOne  // one decision in all, as if no one slipped
	minimaxOne
	arms
)

// choices are what the arms chose at one decision.
type choices struct {
	values [arms]float64 // of their moves by the search further, in the mover's view
	best   float64       // of the best move
	nodes  [arms]int64
	search int64 // nodes of the search further, of the best move alone

	chosen, better game.Move // by expectimax, and the best
}

// alike is by how much values may differ, relative to the larger of 1 and them, and be the same.
const alike = 1e-9

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= alike*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// samplesPerGame are the decisions of a game that are measured, at most.
const samplesPerGame = 12

// measure has the arms choose at as many decisions as their share of the budget allows.
func (d *diagnosis) measure(ctx context.Context) error {
	d.draw(1)
	first := min(len(d.samples), 24)
	d.samples = d.samples[:first]
	before := d.spending.spent()
	if err := d.measureTo(ctx); err != nil {
		return err
	}
	each := (d.spending.spent() - before + 1) / float64(max(1, first))
	room := int(float64(regretShare*d.spending.budget) / each)
	if room < len(d.games) {
		d.games = d.games[:max(min(fewestGames, len(d.games)), room)]
		d.report.Games = len(d.games)
	}
	d.samples, d.found = nil, nil
	d.draw(min(max(room/len(d.games), 1), samplesPerGame))
	return d.measureTo(ctx)
}

func (d *diagnosis) measureTo(ctx context.Context) error {
	d.found = make([]choices, len(d.samples))
	return each(ctx, d, "positions", len(d.samples), d.newBench, func(ctx context.Context, b *bench, i int) (err error) {
		d.found[i], err = b.at(ctx, d.samples[i].state)
		return err
	})
}

type bench struct {
	agents  [arms]search.Agent // nil: not asked
	further search.Limiter
	depth   int // of further
}

func (d *diagnosis) newBench() (*bench, error) {
	b, e := &bench{depth: d.Depth + d.further}, d.newEvaluators()
	var err error
	for arm, p := range d.planners() {
		if b.agents[arm], err = e.agent(p); err != nil {
			return nil, err
		}
	}
	a, err := e.agent(planner{false, calibrated, b.depth})
	if err != nil {
		return nil, err
	}
	b.further = a.(search.Limiter)
	return b, nil
}

// planners returns the arms that can tell something here.
func (d *diagnosis) planners() map[arm]planner {
	list := map[arm]planner{
		expectimaxRaw:        {false, raw, d.Depth},
		expectimaxCalibrated: {false, calibrated, d.Depth},
		expectimaxSame:       {false, same, d.Depth},
		expectimaxBlind:      {false, blind, d.Depth},
	}
	if d.curve != nil {
		list[expectimaxMonotone] = planner{false, monotone, d.Depth}
	}
	if d.further > 1 {
		list[expectimaxPly] = planner{false, raw, d.Depth + 1}
	}
	if d.chancy {
		list[minimaxRaw], list[minimaxCalibrated] = planner{true, raw, d.Depth}, planner{true, calibrated, d.Depth}
		list[minimaxBlind], list[minimaxFurther] = planner{true, blind, d.Depth}, planner{true, raw, d.Depth + d.further}
	}
	if !d.dice {
		list[expectimaxOne], list[minimaxOne] = planner{false, raw, 1}, planner{true, raw, 1}
	}
	return list
}

// at has the arms choose at s.
func (b *bench) at(ctx context.Context, s game.State) (c choices, err error) {
	b.further.Begin(0)
	b.further.Limit(b.depth, 0)
	r, err := b.further.Search(ctx, s)
	if err != nil {
		return c, err
	}
	c.best, c.better, c.search = r.Value, r.Move, r.Nodes
	worth := map[game.Move]float64{r.Move: r.Value}
	b.further.Limit(b.depth-1, 0)
	for i, a := range b.agents {
		if a == nil {
			continue
		}
		a.Begin(0)
		r, err := a.Search(ctx, s)
		if err != nil {
			return c, err
		}
		if _, known := worth[r.Move]; !known {
			if worth[r.Move], err = b.worth(ctx, s, r.Move); err != nil {
				return c, err
			}
		}
		value := worth[r.Move]
		if near(value, c.best) {
			value = c.best
		}
		c.nodes[i], c.values[i] = r.Nodes, value
		if arm(i) == expectimaxRaw {
			c.chosen = r.Move
		}
	}
	return c, nil
}

// worth is what the search further makes of a move at s, in the mover's view.
func (b *bench) worth(ctx context.Context, s game.State, m game.Move) (float64, error) {
	mover := s.Turn()
	s.Play(m)
	defer s.Undo()
	if s.Turn() == game.Nobody {
		return s.Utility(mover), nil
	}
	r, err := b.further.Search(ctx, s)
	if err != nil {
		return 0, err
	}
	return r.Values[mover], nil
}
