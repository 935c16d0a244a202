package diagnose

import (
	"context"
	"math"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/work"
)

// A view specifies how a planner evaluates leaves.
type view int

const (
	raw        view = iota // evaluation without changes
	calibrated             // evaluation calibrated to the scale of outcomes
	same                   // evaluation with a calibration that changes nothing
	blind                  // no evaluation
	monotone               // evaluation mapped by the best increasing curve
)

// A scale is an increasing map of values.
type scale interface{ of(v float64) float64 }

type scaled struct {
	search.Evaluator
	by scale
}

func (e scaled) Evaluate(s game.State, p game.Player) float64 {
	return e.by.of(e.Evaluator.Evaluate(s, p))
}

type scaledTracker struct {
	search.Tracker
	by scale
}

func (e scaledTracker) Evaluate(s game.State, p game.Player) float64 {
	return e.by.of(e.Tracker.Evaluate(s, p))
}

// A planner is a kind of search with a view of the evaluation.
type planner struct {
	minimax bool // expectimax otherwise
	view    view
	depth   int // in decisions
}

func (d *diagnosis) planner(minimax bool, v view, more int) planner {
	return planner{minimax, v, d.Depth + more}
}

// arms returns the planners that choose a move at each decision of the sample.
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
		arms = append(arms, planner{false, raw, 1}, planner{true, raw, 1}) // these planners make the same choices, because slips do not affect the order of moves at depth 1
	}
	return arms
}

// agent returns an agent for a planner. Minimax treats dice and tiles as moves of an adversary and
// assumes that there are no slips. The planners of one goroutine never search at the same time, so
// they share an evaluator (the parameter own). This saves time, because large models are compiled
// for each evaluator.
func (d *diagnosis) agent(own search.Evaluator, p planner) (search.Limiter, error) {
	o := search.Options{Game: d.World.Game, Eval: own, Leaf: d.Evaluation.Leaves, Depth: p.depth, Table: 1} // in megabytes
	make, node := search.NewExpectimax, d.spending.node
	if p.minimax {
		make, o.Assume = search.NewAlphaBeta, assume.Assumption{Kind: assume.Base}
	} else if p.view == raw {
		node = d.spending.own
	}
	if by := map[view]scale{calibrated: d.link, same: d.identity(), monotone: d.curve}[p.view]; by != nil {
		o.Eval = scaled{own, by}
		if t, ok := own.(search.Tracker); ok {
			o.Eval = scaledTracker{t, by}
		}
	} else if p.view == blind {
		o.Eval, o.Leaf = search.Zero(d.World.Base()), models.Decision
	}
	a, err := make(o)
	if err != nil {
		return nil, err
	}
	return counted{a.(search.Limiter), &d.spending, node}, nil
}

// counted adds the cost of searches to the spending.
type counted struct {
	search.Limiter
	of   *spending
	node float64 // cost of a node in units
}

func (c counted) Search(ctx context.Context, s game.State) (search.Result, error) {
	r, err := c.Limiter.Search(ctx, s)
	c.of.nodes.Add(r.Nodes)
	c.of.used.Add(searchUnits + int64(c.node*float64(r.Nodes)))
	return r, err
}

// choices contains the values of the moves that the arms chose at one decision.
type choices struct {
	values         map[planner]float64 // values of the moves that the arms chose and of the best move, according to the deeper search and from the mover's point of view
	nodes          int64               // nodes of expectimax and of the deeper search for the best move
	chosen, better game.Move           // move of expectimax, and the best move
}

var best planner // key of the best move in choices.values

// measure lets the arms choose at as many decisions as their share of the budget allows, but at no
// more than 12 per game. The number is determined from the cost of up to 24 decisions.
func (d *diagnosis) measure(ctx context.Context) error {
	d.draw(1)
	d.samples = d.samples[:min(len(d.samples), 24)]
	units, err := d.spending.cost(len(d.samples), func() error { return d.measureAll(ctx) })
	if err != nil {
		return err
	}
	room := int(float64(regretShare*d.spending.budget) / units)
	if room < len(d.games) {
		d.games = d.games[:max(min(fewestGames, len(d.games)), room)]
		d.report.Games = len(d.games)
	}
	d.samples = nil
	d.draw(min(max(room/len(d.games), 1), 12))
	return d.measureAll(ctx)
}

func (d *diagnosis) measureAll(ctx context.Context) error {
	d.found = make([]choices, len(d.samples))
	return work.Each(ctx, d.Workers, len(d.samples), d.newBench, func(ctx context.Context, b *bench, i int) (err error) {
		d.found[i], err = b.at(ctx, d.samples[i].state)
		return err
	}, d.progress("positions", len(d.samples)))
}

type bench struct {
	arms    []planner
	agents  []search.Limiter // of the arms
	further search.Limiter
	depth   int // search depth of further
}

func (d *diagnosis) newBench() (b *bench, err error) {
	further := d.planner(false, calibrated, d.report.Further)
	b = &bench{arms: d.arms(), depth: further.depth}
	own := d.Evaluation.New()
	b.agents = make([]search.Limiter, len(b.arms))
	for i, p := range b.arms {
		if b.agents[i], err = d.agent(own, p); err != nil {
			return nil, err
		}
	}
	b.further, err = d.agent(own, further)
	return b, err
}

func (b *bench) at(ctx context.Context, s game.State) (c choices, err error) {
	b.further.Begin(0)
	b.further.Limit(b.depth, 0)
	r, err := b.further.Search(ctx, s)
	if err != nil {
		return c, err
	}
	c = choices{values: map[planner]float64{best: r.Value}, better: r.Move, nodes: r.Nodes}
	worth := map[game.Move]float64{r.Move: r.Value}
	b.further.Limit(b.depth-1, 0)
	for i, p := range b.arms {
		b.agents[i].Begin(0)
		r, err := b.agents[i].Search(ctx, s)
		if err != nil {
			return c, err
		}
		if _, known := worth[r.Move]; !known {
			v, err := b.worth(ctx, s, r.Move)
			if err != nil {
				return c, err
			}
			if most := c.values[best]; math.Abs(v-most) <= 1e-9*max(1, math.Abs(v), math.Abs(most)) {
				v = most // equal except for rounding
			}
			worth[r.Move] = v
		}
		c.values[p] = worth[r.Move]
		if i == 0 {
			c.chosen, c.nodes = r.Move, c.nodes+r.Nodes
		}
	}
	return c, nil
}

// worth returns the value of a move at s according to the deeper search, from the mover's point of
// view.
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

// column returns an arm's total regret in each game for one player, in the report's unit. Regret is
// measured relative to the choices of another arm, or to the best moves.
func (d *diagnosis) column(arm, than planner) []float64 {
	out := make([]float64, len(d.games))
	for i, s := range d.samples {
		v := d.found[i].values
		out[s.game] += float64(s.weight*(v[than]-v[arm])) * d.unit / float64(d.World.Players)
	}
	return out
}

// decisions returns the number of decisions that each player makes in each game.
func (d *diagnosis) decisions() []float64 {
	return list.Map(d.games, func(g played) float64 { return float64(g.plies) / float64(d.World.Players) })
}

// divide splits the losses into order and scale and computes the controls.
func (d *diagnosis) divide() {
	r := &d.report
	own, mended := d.planner(false, raw, 0), d.planner(false, calibrated, 0)
	d.split(&r.Expectimax, false, best)
	if d.curve != nil && d.chancy {
		more := r.Expectimax.gain(d.column(own, best), d.column(mended, d.planner(false, monotone, 0)), d.decisions())
		r.Slope.Curve = &more
	}
	for _, c := range d.found {
		if !d.dice {
			r.Controls.Asked++
			if c.values[planner{false, raw, 1}] != c.values[planner{true, raw, 1}] {
				r.Controls.DepthOne++
			}
		}
		if d.chancy && c.values[d.planner(true, raw, 0)] != c.values[d.planner(true, calibrated, 0)] {
			r.Controls.Minimax++
		}
	}
	r.Controls.Identity = stats.Mean(d.column(d.planner(false, same, 0), own)) / math.Max(1, stats.Mean(d.decisions()))
	// If calibration maps the values of finished games to themselves, it is a single increasing map
	// of all values and therefore cannot change the choices of minimax.
	theorem := d.link.odds && d.World.Players == 2 && d.World.Max-d.World.Min <= 2
	if !d.chancy {
		r.Expectimax.Scale, r.Expectimax.Order, r.Expectimax.Always = stats.Exactly(0), r.Expectimax.Loss, true
	} else if d.split(r.Minimax, true, d.planner(true, raw, r.Further)); theorem && r.Controls.Minimax == 0 {
		r.Minimax.Scale, r.Minimax.Order, r.Minimax.Always = stats.Exactly(0), r.Minimax.Loss, true
	} else if theorem {
		d.note("Calibration changed minimax's choice at %d of %d positions. In theory it changes none; here, values are so extreme that rounding makes them equal.", r.Controls.Minimax, r.Positions)
	}
	if l := r.Expectimax.Loss; l.Bounded && !l.Above(0) && !l.Below(0) {
		d.note("Expectimax's loss does not differ significantly from 0, so its division into order and scale may be due to chance.")
	}
	if r.Expectimax.Pairs == 0 {
		r.Unit = "points per decision"
		if d.unit != 1 {
			r.Unit = "of the points per decision"
		}
		d.less("no pairs of games: the losses are for single decisions, as measured by the deeper search, and the value of searching one more decision is not measured")
	}
}

// split divides a planner's loss into parts, according to its regrets relative to another arm.
func (d *diagnosis) split(l *Loss, minimax bool, than planner) {
	own, mended := d.planner(minimax, raw, 0), d.planner(minimax, calibrated, 0)
	regret, scale, decisions := d.column(own, than), d.column(own, mended), d.decisions()
	l.Regret = stats.Ratio(regret, decisions)
	if l.Pairs == 0 || !l.Scale.Known { // no match was played
		l.Scale = l.gain(regret, scale, decisions)
	}
	if l.Pairs > 0 {
		l.Order = l.Loss.Less(l.Scale)
		return
	}
	l.Loss, l.Order = l.Regret, stats.Ratio(d.column(mended, than), decisions)
	l.Blind = stats.Ratio(d.column(d.planner(minimax, blind, 0), than), decisions)
}

// perRegret is the loss in games per point of regret. It is 1 if the deeper search evaluates
// positions exactly (Kakade and Langford 2002, lemma 6.1). For 24 evaluations of tic-tac-toe with
// slips, for which the exact losses are known, it was 0.84 with a standard deviation of 0.27.
var perRegret = stats.Around(1, 0.6)

// gain converts a reduction in regret to the unit of the loss. The loss is per decision if no games
// were played, and per game otherwise.
func (l *Loss) gain(regret, less, decisions []float64) stats.Estimate {
	if l.Pairs == 0 {
		return stats.FewDiffer(stats.Ratio(less, decisions), less, regret, stats.Mean(decisions))
	}
	return perRegret.Times(stats.FewDiffer(stats.MeanOf(less), less, regret, 1))
}
