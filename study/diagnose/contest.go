package diagnose

import (
	"context"
	"fmt"
	"math"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/search"
)

// Pairs of a match: no more are wanted, and fewer say nothing.
const (
	mostPairs   = 1000
	fewestPairs = 40
	anchorPairs = 100 // of those with no evaluation, whose loss is large
	trialPairs  = 4   // which tell what a pair takes
	cheapPairs  = 4   // times as many where no one searches further
)

// luck is which random numbers a match has. That of the calibrated planner has its own, so
// that what it gains and what is lost are independent, as their difference takes them.
const (
	matchLuck uint64 = iota + 4
	trialLuck
	mendedLuck
)

// fixture is a match of two planners.
type fixture struct {
	name   string
	a, b   planner
	most   int     // pairs
	weight float64 // of what the budget has left
	luck   uint64
	loss   *stats.Estimate
	pairs  *int // nil: none asks
}

// contest plays the matches that the budget has room for: each planner against itself searching
// further, and expectimax against itself calibrated and one decision further.
func (d *diagnosis) contest(ctx context.Context) error {
	e, m := &d.report.Expectimax, (*Loss)(nil)
	most := d.capped(d.Pairs, mostPairs)
	anchors := min(most, d.capped(0, anchorPairs))
	own, further, further1 := planner{false, raw, d.Depth}, planner{false, raw, d.Depth + d.further}, planner{false, raw, d.Depth + 1}
	var ply, mended stats.Estimate
	fixtures := []fixture{{"expectimax", own, further, most, 3, matchLuck, &e.Loss, &e.Pairs}}
	if d.chancy {
		m = &Loss{}
		d.report.Minimax = m
		fixtures = append(fixtures, fixture{"minimax", planner{true, raw, d.Depth}, planner{true, raw, further.depth}, most, 2, matchLuck, &m.Loss, &m.Pairs})
	}
	if d.chancy && d.link != d.straight(link{slope: 1}) {
		fixtures = append(fixtures, fixture{"calibrated", own, planner{false, calibrated, d.Depth}, cheapPairs * most, 2, mendedLuck, &mended, nil})
	}
	if d.further > 1 {
		fixtures = append(fixtures, fixture{"expectimax one decision further", own, further1, most, 3, matchLuck, &ply, nil})
	}
	fixtures = append(fixtures, fixture{"expectimax with no evaluation", planner{false, blind, d.Depth}, further, anchors, 1, matchLuck, &e.Blind, nil})
	if d.chancy {
		fixtures = append(fixtures, fixture{"minimax with no evaluation", planner{true, blind, d.Depth}, planner{true, raw, further.depth}, anchors, 1, matchLuck, &m.Blind, nil})
	}
	if !d.room(most) {
		return nil
	}
	weights := 0.0
	for _, f := range fixtures {
		weights += f.weight
	}
	for i, f := range fixtures {
		before := d.spending.spent()
		if _, err := d.match(ctx, f, trialLuck, trialPairs); err != nil {
			return err
		}
		a := d.spending.spent()
		room := (d.spending.budget - a) * f.weight / weights / ((a - before + 1) / trialPairs)
		weights -= f.weight
		least := min(f.most, fewestPairs)
		pairs := min(f.most, max(int(room), least))
		if i == 0 && int(room) < least {
			return nil // the others take as long
		}
		loss, err := d.match(ctx, f, f.luck, pairs)
		if err != nil {
			return err
		}
		*f.loss = loss
		if f.pairs != nil {
			*f.pairs = pairs
		}
	}
	if d.further == 1 {
		ply = e.Loss
	}
	if d.chancy {
		e.Scale = mended
	}
	d.report.Advice = append(d.report.Advice, Advice{Do: fmt.Sprintf("search one decision further: depth=%d", d.Depth+1), Gain: ply})
	return nil
}

// room reports whether a match may have room, by what searches took at the sample.
func (d *diagnosis) room(most int) bool {
	nodes, plies := 0.0, 0.0
	for _, c := range d.found {
		nodes += float64(c.nodes[expectimaxRaw]+c.search) / float64(len(d.found))
	}
	for _, g := range d.games {
		plies += float64(g.plies) / float64(len(d.games))
	}
	pair := float64(plies * (float64(d.spending.own*nodes) + 2*searchUnits))
	return pair*float64(min(most, fewestPairs)/2) < 0.3*(d.spending.budget-d.spending.spent())
}

// match plays so many pairs with common luck: what a loses a game to b, in the report's unit.
func (d *diagnosis) match(ctx context.Context, f fixture, luck uint64, pairs int) (stats.Estimate, error) {
	of := func(p planner) search.Factory {
		return search.Factory{Name: fmt.Sprintf("%d decisions", p.depth), New: func() (search.Agent, error) { return d.newEvaluators().agent(p) }}
	}
	r, err := arena.Run(ctx, arena.Config{
		Game: d.World.Game, A: of(f.a), B: of(f.b), Pairs: pairs, Workers: d.Workers,
		Seed: game.Seed(d.Seed, game.StreamDiagnose, luck), Openings: arena.Openings{Plies: d.Openings},
		Progress: func(p arena.Progress) { d.Progress(f.name, p.Pairs, p.Of) },
	})
	if err != nil {
		return stats.Estimate{}, err
	}
	if n := r.FaultsA.All() + r.FaultsB.All(); n > 0 {
		return stats.Estimate{}, fmt.Errorf("diagnose: %d games of %s ended by a fault", n, f.name)
	}
	if r.Measure == arena.Wins {
		return decided(r.Points.Map(-1, 0.5), r.Versus.Pentanomial), nil
	}
	scale := d.unit
	if d.players == 2 {
		scale /= 2 // what one side loses the other gets
	}
	return r.Difference.Map(-scale, 0), nil
}

// decided is the interval of a loss by pairs of which few may differ: as if one more did, by as much
// as the others, as Agresti and Min do with matched pairs (Statistics in Medicine 24, 2005). Without
// it the interval is too narrow where few differ. The rule of three in its place, by the most that a
// pair can lose, is too wide: 98 to 100% of its 95% intervals held the losses of solved games. Where
// all pairs are alike, the interval already has what they may have missed.
func decided(loss stats.Estimate, pairs stats.Pentanomial) stats.Estimate {
	if !loss.Bounded || loss.Alike {
		return loss
	}
	differ, square := 0.0, 0.0
	for k, n := range pairs {
		if k != evenPair {
			differ += n
			far := float64(k-evenPair) / float64(len(pairs)-1)
			square += float64(n * far * far)
		}
	}
	all := pairs.Pairs()
	return loss.Widened(float64(stats.TQuantile95(all-1)*math.Sqrt(square/differ)) / all)
}

// evenPair are the points of a pair, in halves, that make it even.
const evenPair = 2
