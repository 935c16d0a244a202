package diagnose

import (
	"math"

	"plyfit/arena/stats"
)

// column are the regrets of an arm summed over each game, a player, in the report's unit: what its
// choices are worth less than those of another arm, the best where that is arms.
func (d *diagnosis) column(a, than arm) []float64 {
	out := make([]float64, len(d.games))
	for i, s := range d.samples {
		c := &d.found[i]
		best := c.best
		if than != arms {
			best = c.values[than]
		}
		out[s.game] += float64(s.weight*(best-c.values[a])) * d.unit / float64(d.players)
	}
	return out
}

// decisions are how many each player has in each game.
func (d *diagnosis) decisions() []float64 {
	out := make([]float64, len(d.games))
	for i, g := range d.games {
		out[i] = float64(g.plies) / float64(d.players)
	}
	return out
}

// fewDiffer are games in which a calibration changed what is lost, below which their
// scatter says too little of those that were not met.
const fewDiffer = 10

// widened is what calibrating gets back, with room for what few games may have missed: by the rule of
// three another kind of game may come three times in as many, and gain or lose what the worst lost.
func widened(share stats.Estimate, scale, regret []float64, over float64) stats.Estimate {
	differ, worst := 0, 0.0
	for i := range scale {
		if scale[i] != 0 {
			differ++
		}
		worst = math.Max(worst, math.Abs(regret[i]))
	}
	if differ >= fewDiffer || over == 0 {
		return share
	}
	return share.Widened(3 / float64(len(scale)) * worst / over)
}

func (d *diagnosis) divide() {
	r := &d.report
	d.split(&r.Expectimax, expectimaxRaw, expectimaxCalibrated, expectimaxBlind, arms)
	if d.curve != nil && d.chancy {
		more := r.Expectimax.gain(d.column(expectimaxRaw, arms), d.column(expectimaxCalibrated, expectimaxMonotone), d.decisions())
		r.Slope.Curve = &more
	}
	for _, c := range d.found {
		r.Controls.count(d, &c)
	}
	r.Controls.Identity = stats.Mean(d.column(expectimaxSame, expectimaxRaw)) / math.Max(1, stats.Mean(d.decisions()))
	if d.chancy {
		d.split(r.Minimax, minimaxRaw, minimaxCalibrated, minimaxBlind, minimaxFurther)
		if r.Minimax.Always = d.theorem() && r.Controls.Minimax == 0; r.Minimax.Always {
			r.Minimax.Scale, r.Minimax.Order = stats.Exactly(0), r.Minimax.Loss
		} else if d.theorem() {
			d.note("Calibrating changed what minimax chooses at %d of %d positions, at none by theorem: values so sure that rounding makes them equal.", r.Controls.Minimax, r.Positions)
		}
	} else {
		r.Expectimax.Scale, r.Expectimax.Order, r.Expectimax.Always = stats.Exactly(0), r.Expectimax.Loss, true
	}
	if l := r.Expectimax.Loss; l.Bounded && !l.Above(0) && !l.Below(0) {
		d.note("What expectimax loses does not differ significantly from 0: order and scale divide what may be chance.")
	}
	if r.Expectimax.Pairs == 0 {
		r.Unit = "points a decision"
		if d.unit != 1 {
			r.Unit = "of the points a decision"
		}
		d.less("no pairs of games, so that losses are those of one decision, by the search further, and no decision more is priced")
	}
}

// split divides the loss of a planner by the regrets of its arms, compared with another arm.
func (d *diagnosis) split(l *Loss, raw, calibrated, blind, than arm) {
	regret, scale, decisions := d.column(raw, than), d.column(raw, calibrated), d.decisions()
	l.Regret = stats.Ratio(regret, decisions)
	if l.Pairs == 0 {
		l.Loss, l.Blind, l.Order = l.Regret, stats.Ratio(d.column(blind, than), decisions), stats.Ratio(d.column(calibrated, than), decisions)
	}
	if l.Pairs == 0 || !l.Scale.Known { // it was not played
		l.Scale = l.gain(regret, scale, decisions)
	}
	if l.Pairs > 0 {
		l.Order = l.Loss.Less(l.Scale)
	}
}

// perRegret is what a game loses for each point of regret in it. It is 1 where the search further
// knows what positions are worth (Kakade and Langford 2002, lemma 6.1); for 24 evaluations of
// tic-tac-toe with slips, whose losses are known, it was 0.84 with a standard deviation of 0.27.
var perRegret = stats.Around(1, 0.6)

// gain is what less regret gains, in the unit of the loss: of a decision where no games
// were played, else of a game.
func (l *Loss) gain(regret, less, decisions []float64) stats.Estimate {
	if l.Pairs == 0 {
		return widened(stats.Ratio(less, decisions), less, regret, stats.Mean(decisions))
	}
	return perRegret.Times(widened(stats.MeanOf(less), less, regret, 1))
}

// theorem reports whether no calibration can change what minimax chooses: it maps the
// values of finished games to themselves, so that it is one increasing map of all.
func (d *diagnosis) theorem() bool {
	return d.link.odds && d.players == 2 && d.World.Max-d.World.Min <= 2
}

// count counts what should not be there.
func (c *controls) count(d *diagnosis, of *choices) {
	if !d.dice {
		c.Asked++
		if of.values[expectimaxOne] != of.values[minimaxOne] {
			c.DepthOne++
		}
	}
	if d.chancy && of.values[minimaxRaw] != of.values[minimaxCalibrated] {
		c.Minimax++
	}
}
