package diagnose

import (
	"math"

	"plyfit/arena/stats"
	"plyfit/study"
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

func minus(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

// ratio is the mean of a over that of b, games being independent, with its interval by
// linearisation (Cochran, Sampling Techniques, 1977, section 6.3).
func ratio(a, b []float64) stats.Estimate {
	below := study.Mean(b)
	if !(math.Abs(below) > 0) {
		return stats.Estimate{Lacks: "nothing is lost"}
	}
	r := study.Mean(a) / below
	left := make([]float64, len(a))
	for i := range a {
		left[i] = (a[i] - float64(r*b[i])) / below
	}
	e := stats.MeanOf(left)
	e.Value = r
	if e.Bounded {
		e.Low, e.High = r+e.Low, r+e.High
	}
	return e
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
	missed := 3 / float64(len(scale)) * worst / over
	half := math.Sqrt(float64(share.Error()*share.Error()) + float64(missed*missed))
	return around(share.Value, half)
}

// product is that of two independent estimates, to first order.
func product(a, b stats.Estimate) stats.Estimate {
	if !a.Known || !b.Known {
		if a.Known {
			a = b
		}
		return stats.Estimate{Lacks: a.Lacks}
	}
	if !a.Bounded || !b.Bounded {
		return stats.Estimate{Value: a.Value * b.Value, Known: true, Lacks: a.Lacks + b.Lacks}
	}
	x, y := a.Error()*b.Value, b.Error()*a.Value
	half := math.Sqrt(float64(x*x) + float64(y*y) + float64(a.Error()*a.Error()*b.Error()*b.Error()))
	return around(float64(a.Value*b.Value), half)
}

// around is a figure whose interval reaches so far to either side.
func around(x, half float64) stats.Estimate {
	return stats.Estimate{Value: x, Known: true, Low: x - half, High: x + half, Bounded: true}
}

func (d *diagnosis) divide() {
	r := &d.report
	regret := d.column(expectimaxRaw, arms)
	r.Expectimax.divide(regret, minus(regret, d.column(expectimaxCalibrated, arms)), d.column(expectimaxBlind, arms), d.decisions())
	if d.curve != nil && d.chancy {
		more := r.Expectimax.gain(regret, d.column(expectimaxCalibrated, expectimaxMonotone), d.decisions())
		r.Slope.Curve = &more
	}
	for _, c := range d.found {
		r.Controls.count(d, &c)
	}
	r.Controls.Identity = study.Mean(d.column(expectimaxSame, expectimaxRaw)) / math.Max(1, study.Mean(d.decisions()))
	if d.chancy {
		m := d.column(minimaxRaw, minimaxFurther)
		r.Minimax.divide(m, d.column(minimaxRaw, minimaxCalibrated), d.column(minimaxBlind, minimaxFurther), d.decisions())
		if r.Minimax.Always = d.theorem() && r.Controls.Minimax == 0; r.Minimax.Always {
			r.Minimax.Scale, r.Minimax.Order = around(0, 0), r.Minimax.Loss
		} else if d.theorem() {
			d.note("Calibrating changed what minimax chooses at %d of %d positions, at none by theorem: values so sure that rounding makes them equal.", r.Controls.Minimax, r.Positions)
		}
	} else {
		r.Expectimax.Scale, r.Expectimax.Order, r.Expectimax.Always = around(0, 0), r.Expectimax.Loss, true
	}
	if l := r.Expectimax.Loss; l.Bounded && l.Low <= 0 && l.High >= 0 {
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

// divide fills in what the regrets of each game say.
func (l *Loss) divide(regret, scale, blind, decisions []float64) {
	l.Regret = ratio(regret, decisions)
	if l.Pairs == 0 {
		l.Loss, l.Blind, l.Order = l.Regret, ratio(blind, decisions), ratio(minus(regret, scale), decisions)
		l.Scale = l.gain(regret, scale, decisions)
		return
	}
	if !l.Scale.Known { // it was not played
		l.Scale = l.gain(regret, scale, decisions)
	}
	l.Order = less(l.Loss, l.Scale)
}

// less is the difference of two independent estimates.
func less(a, b stats.Estimate) stats.Estimate {
	if !a.Bounded || !b.Bounded {
		return stats.Estimate{Value: a.Value - b.Value, Known: a.Known && b.Known, Lacks: a.Lacks + b.Lacks}
	}
	half := math.Sqrt(float64(a.Error()*a.Error()) + float64(b.Error()*b.Error()))
	return around(a.Value-b.Value, half)
}

// perRegret is what a game loses for each point of regret in it. It is 1 where the search further
// knows what positions are worth (Kakade and Langford 2002, lemma 6.1); for 24 evaluations of
// tic-tac-toe with slips, whose losses are known, it was 0.84 with a standard deviation of 0.27.
var perRegret = stats.Estimate{Value: 1, Known: true, Low: 0.4, High: 1.6, Bounded: true}

// gain is what less regret gains, in the unit of the loss: of a decision where no games
// were played, else of a game.
func (l *Loss) gain(regret, less, decisions []float64) stats.Estimate {
	if l.Pairs == 0 {
		return widened(ratio(less, decisions), less, regret, study.Mean(decisions))
	}
	return product(perRegret, widened(stats.MeanOf(less), less, regret, 1))
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
